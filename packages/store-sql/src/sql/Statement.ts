/**
 * SQL texts with their parameters. A text depends on the kind of a request and never on its values, so that the database prepares it
 * once.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Dialect } from "./Dialect.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type Value = string | number | null

/**
 * A row as the driver returns it.
 *
 * @category models
 * @since 0.1.0
 */
export type Row = Readonly<Record<string, unknown>>

/**
 * @category models
 * @since 0.1.0
 */
export interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<Value>
  /** See `PlannedForValues`. */
  readonly isPlannedForValues?: true
}

/**
 * A text that PostgreSQL plans at each run, for its values. After five runs, PostgreSQL uses one plan for all values of a prepared
 * statement; it may read a large range. SQLite plans without values.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlannedForValues {
  readonly text: string
  readonly isPlannedForValues: true
}

/**
 * @category models
 * @since 0.1.0
 */
export type Text = string | PlannedForValues

/**
 * Builds a statement for known values. `bind` returns the placeholder of a value.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (dialect: Dialect, build: (bind: (value: Value) => string) => Text): Statement => {
  const values: Array<Value> = []
  const built = build((value) => dialect.parameter(values.push(value)))
  if (typeof built === "string") return { text: built, values }
  return dialect.isPostgres ? { ...built, values } : { text: built.text, values }
}

/**
 * Builds the text of a statement before any value is known: a placeholder is bound to a function that reads its value from the arguments.
 * The text cannot depend on the arguments in another way, so one text serves all arguments.
 *
 * @category models
 * @since 0.1.0
 */
export interface Template<A> {
  readonly dialect: Dialect
  /** The placeholder of a value. */
  readonly bind: (value: (args: A) => Value) => string
  /** A choice that the text depends on. There is one text for each choice. */
  readonly choose: <K extends string>(choice: (args: A) => K) => K
  /** True if the arguments have this part. There is one text with the part, and one without. */
  readonly has: (part: (args: A) => unknown) => boolean
  /** The template of a part of the arguments. */
  readonly of: <B>(part: (args: A) => B) => Template<B>
}

interface Prepared<A> {
  readonly text: string
  readonly values: ReadonlyArray<(args: A) => Value>
  readonly choices: ReadonlyArray<{ readonly choice: (args: A) => string; readonly chosen: string }>
}

/**
 * A statement whose text is built once for each dialect and combination of choices. Building the text and
 * finding its prepared statement takes longer than running it. No text is dropped: there are at most as many as combinations.
 *
 * @category constructors
 * @since 0.1.0
 */
export const prepared = <A>(build: (template: Template<A>) => string): ((dialect: Dialect, args: A) => Statement) => {
  const known = new Map<Dialect, Array<Prepared<A>>>()
  return (dialect, args) => {
    const all = known.get(dialect) ?? []
    let found = all.find(({ choices }) => choices.every(({ choice, chosen }) => choice(args) === chosen))
    if (found === undefined) {
      found = prepare(build, dialect, args)
      known.set(dialect, [...all, found])
    }
    return { text: found.text, values: found.values.map((value) => value(args)) }
  }
}

const prepare = <A>(build: (template: Template<A>) => string, dialect: Dialect, args: A): Prepared<A> => {
  const values: Array<(args: A) => Value> = []
  const choices: Array<Prepared<A>["choices"][number]> = []
  const templateOf = <B>(part: (args: A) => B): Template<B> => {
    const choose = <K extends string>(choice: (part: B) => K): K => {
      const chosen = choice(part(args))
      choices.push({ choice: (args) => choice(part(args)), chosen })
      return chosen
    }
    return {
      dialect,
      bind: (value) => dialect.parameter(values.push((args) => value(part(args)))),
      choose,
      has: (wanted) => choose((args) => (wanted(args) === undefined ? "without" : "with")) === "with",
      of: (inner) => templateOf((args) => inner(part(args)))
    }
  }
  const text = build(templateOf((args) => args))
  return { text, values, choices }
}

/**
 * Builds a part of a text for known values.
 *
 * @category models
 * @since 0.1.0
 */
export interface Builder {
  readonly dialect: Dialect
  /** The placeholder of a value. */
  readonly bind: (value: Value) => string
}

/**
 * The list of placeholders after `IN`. Without values it is a list that contains nothing. There is one text for each number of values.
 *
 * @category constructors
 * @since 0.1.0
 */
export const placeholders = ({ bind }: Builder, values: ReadonlyArray<Value>): string =>
  values.length === 0 ? "(NULL)" : `(${values.map(bind).join(", ")})`

/**
 * Runs a statement with the client, and returns its rows in the order of the statement.
 *
 * @category running
 * @since 0.1.0
 */
export const run = (
  sql: SqlClient,
  { isPlannedForValues, text, values }: Statement
): Effect.Effect<ReadonlyArray<Row>, SqlError> => {
  const statement = sql.unsafe<Row>(text, values)
  return isPlannedForValues === true ? statement.unprepared : statement
}
