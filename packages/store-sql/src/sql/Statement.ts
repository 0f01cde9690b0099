/**
 * A text of SQL with its parameters. The text depends on what is asked alone and never on values, so that it is prepared
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
 * A row as the driver has it.
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
 * A text that PostgreSQL plans each time, for its values: it keeps the plan of what was prepared from the sixth time on, which reads
 * all of a span when it cannot know how much that is. SQLite plans without values.
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
 * Builds a statement; `bind` gives the place of a value.
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
 * What the text of a statement is written with before any value is known: places of values, each with the way to it in what
 * is asked. What is asked is not to be seen otherwise, so one text serves all that is asked.
 *
 * @category models
 * @since 0.1.0
 */
export interface Asking<A> {
  readonly dialect: Dialect
  /** The place of a value. */
  readonly bind: (value: (asked: A) => Value) => string
  /** What the text itself depends on: there is one text for each. */
  readonly choose: <K extends string>(choice: (asked: A) => K) => K
  /** Whether this is asked for at all: there is one text with what serves it, and one without. */
  readonly has: (part: (asked: A) => unknown) => boolean
  /** The same, of a part of what is asked. */
  readonly of: <B>(part: (asked: A) => B) => Asking<B>
}

interface Written<A> {
  readonly text: string
  readonly values: ReadonlyArray<(asked: A) => Value>
  readonly choices: ReadonlyArray<{ readonly choice: (asked: A) => string; readonly chosen: string }>
}

/**
 * A statement whose text is written once for each dialect and choice: to build two thousand characters, and to find what was
 * prepared for them, takes longer than to run them. None is forgotten: there are as many at most as the choices have combinations.
 *
 * @category constructors
 * @since 0.1.0
 */
export const prepared = <A>(write: (ask: Asking<A>) => string): ((dialect: Dialect, asked: A) => Statement) => {
  const known = new Map<Dialect, Array<Written<A>>>()
  return (dialect, asked) => {
    const all = known.get(dialect) ?? []
    let found = all.find(({ choices }) => choices.every(({ choice, chosen }) => choice(asked) === chosen))
    if (found === undefined) {
      found = writtenFor(write, dialect, asked)
      known.set(dialect, [...all, found])
    }
    return { text: found.text, values: found.values.map((value) => value(asked)) }
  }
}

const writtenFor = <A>(write: (ask: Asking<A>) => string, dialect: Dialect, asked: A): Written<A> => {
  const values: Array<(asked: A) => Value> = []
  const choices: Array<Written<A>["choices"][number]> = []
  const asking = <B>(part: (asked: A) => B): Asking<B> => {
    const choose = <K extends string>(choice: (asked: B) => K): K => {
      const chosen = choice(part(asked))
      choices.push({ choice: (asked) => choice(part(asked)), chosen })
      return chosen
    }
    return {
      dialect,
      bind: (value) => dialect.parameter(values.push((asked) => value(part(asked)))),
      choose,
      has: (wanted) => choose((asked) => (wanted(asked) === undefined ? "without" : "with")) === "with",
      of: (inner) => asking((asked) => inner(part(asked)))
    }
  }
  const text = write(asking((asked) => asked))
  return { text, values, choices }
}

/**
 * What a part of a text is written with.
 *
 * @category models
 * @since 0.1.0
 */
export interface Writing {
  readonly dialect: Dialect
  /** The place of a value. */
  readonly bind: (value: Value) => string
}

/**
 * The places of values, for `IN`; of none, a list in which nothing is. There is one text for each number of them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const places = ({ bind }: Writing, values: ReadonlyArray<Value>): string =>
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
