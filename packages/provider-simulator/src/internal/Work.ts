/**
 * What a provider does in its store: a function that yields statements and goes on with their rows.
 *
 * **Details**
 *
 * It is the same on every database. SQLite runs it without a suspension, as a transaction that shares its COMMIT
 * with others (`GroupCommit`); PostgreSQL runs it in a transaction of its own. It may be run twice, the first time
 * without effect: chance and time are drawn before it. What it throws is a defect, and no refusal: those are returned,
 * before anything is written.
 *
 * A generator function stands in its module, or is made once with its provider: one that is made for each request takes V8 some 3 us
 * to begin, twenty times what the work of calling it takes.
 *
 * @since 0.1.0
 */
import type { Transaction } from "@parcela/sqlite/GroupCommit"
import type { GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

type Rows = ReadonlyArray<object>

/** A statement whose values stand at its question marks. */
export interface Statement {
  /** `lock`: rows that are read and stay as they are until the commit; `claim`: see {@link claim}. */
  readonly kind: "read" | "lock" | "write" | "claim"
  readonly text: string
  readonly values: ReadonlyArray<string | number | null>
}

/** @category models */
export type Work<A> = Generator<Statement, A, Rows>

/** Runs work as one commit, and returns after it; on SQLite work that only reads has none. */
export type Unit = <A>(work: () => Work<A>) => Effect.Effect<A, SqlError>

const yielding = (kind: Statement["kind"]) =>
  function* <Row extends object>(text: string, ...values: Statement["values"]): Work<ReadonlyArray<Row>> {
    // What a statement selects has the types of its columns.
    return (yield { kind, text, values }) as ReadonlyArray<Row>
  }

/** The rows of a `SELECT`. */
export const read = yielding("read")

/** The rows of a `SELECT` that no other work changes or locks before the commit. */
export const lock = yielding("lock")

/** The rows that a write returns. */
export const write = yielding("write")

const claiming = yielding("claim")

/**
 * Whether an `INSERT` wrote a row that a unit has just read as not being there: where a database has others that write, one of them may
 * have written it meanwhile.
 */
export function* claim(text: string, ...values: Statement["values"]): Work<boolean> {
  return (yield* claiming(text, ...values)).length > 0
}

/** The text of an `INSERT` into these columns, up to its values. */
export const insertInto = (table: string, columns: ReadonlyArray<string>): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`

/** Runs work by statements of the transaction that is open, or each by itself where none is. */
export const within =
  (sql: SqlClient.SqlClient) =>
  <A>(work: () => Work<A>): Effect.Effect<A, SqlError> =>
    Effect.gen(function* () {
      const textOf = textsOf(sql)
      const running = work()
      let step = running.next()
      while (step.done !== true) step = running.next(yield* sql.unsafe<object>(textOf(step.value), step.value.values))
      return step.value
    })

/** @category constructors */
export const unitOf = (sql: SqlClient.SqlClient, groupCommit: GroupCommit["Service"] | undefined): Unit =>
  groupCommit === undefined ? inTransactions(sql) : inGroupCommit(groupCommit)

const inGroupCommit =
  (groupCommit: GroupCommit["Service"]): Unit =>
  <A>(work: () => Work<A>) =>
    groupCommit.run((transaction) => {
      const running = work()
      let step = running.next()
      while (step.done !== true) step = running.next(rowsIn(transaction, step.value))
      return step.value
    })

/** No other transaction writes at the same time: nothing has to be locked, and a row that was absent stays absent. */
const rowsIn = (transaction: Transaction, { kind, text, values }: Statement): Rows => {
  if (kind === "read" || kind === "lock") return transaction.read(text, values)
  const rows = transaction.write(text, values)
  return kind === "claim" ? claimed : rows
}

const claimed = [{}]

const inTransactions = (sql: SqlClient.SqlClient): Unit => {
  const run = within(sql)
  return (work) => sql.withTransaction(run(work))
}

type TextOf = (statement: Statement) => string

const known = new WeakMap<SqlClient.SqlClient, TextOf>()

/** The texts of statements as the database has them, each made once: they are those of this package. */
const textsOf = (sql: SqlClient.SqlClient): TextOf => {
  const made = known.get(sql) ?? sql.onDialectOrElse<TextOf, never, TextOf>({ pg: onPostgres, orElse: () => onSqlite })
  known.set(sql, made)
  return made
}

/** A row that is there is no fault. */
const claimOf = (text: string): string => `${text} ON CONFLICT DO NOTHING RETURNING 1 AS claimed`

/** A transaction is the only one: nothing has to be locked. */
const onSqlite: TextOf = ({ kind, text }) => (kind === "claim" ? claimOf(text) : text)

const onPostgres = (): TextOf => {
  /** By text and kind. */
  const texts = new Map<string, string>()
  return ({ kind, text }) => {
    const name = `${kind} ${text}`
    const before = texts.get(name)
    if (before !== undefined) return before
    let place = 0
    const numbered = text.replaceAll("?", () => `$${++place}`)
    const made = kind === "lock" ? `${numbered} FOR UPDATE` : kind === "claim" ? claimOf(numbered) : numbered
    texts.set(name, made)
    return made
  }
}
