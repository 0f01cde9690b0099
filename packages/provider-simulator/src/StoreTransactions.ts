/**
 * Transactions of the simulated providers' store, and the number of restores of each company that they check.
 *
 * **Details**
 *
 * The body of a transaction is a generator that yields statements and receives their rows, so one body runs on both
 * databases: on SQLite without suspension, in a transaction that shares its commit with others (`GroupCommit`); on
 * PostgreSQL in a transaction of its own. A body may run twice, the first time without effect, so it reads no clock and no
 * random numbers. An error that it throws is a defect. Refusals are returned, before anything is written.
 *
 * **Gotchas**
 *
 * Define generator functions in a module or once per provider. V8 needs about 3 µs to start a generator function that is
 * created for each request.
 *
 * @since 0.1.0
 */
import type { GroupCommit, Transaction } from "@parcela/sqlite/GroupCommit"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

type Rows = ReadonlyArray<object>

/** A statement with one value for each question mark of its text. */
interface Statement {
  /** `lock` is a read that locks its rows until the commit; `claim` is an `INSERT` that may find its row. */
  readonly kind: "read" | "lock" | "write" | "claim"
  readonly text: string
  readonly values: ReadonlyArray<string | number | null>
}

/**
 * The body of a transaction.
 *
 * @category models
 * @since 0.1.0
 */
export type Body<A> = Generator<Statement, A, Rows>

/**
 * Runs a body as one transaction and returns its result after the commit. On SQLite a body that only reads has no commit.
 *
 * @category models
 * @since 0.1.0
 */
export type Transact = <A>(body: () => Body<A>) => Effect.Effect<A, SqlError>

const statement = (kind: Statement["kind"]) =>
  function* <Row extends object>(text: string, ...values: Statement["values"]): Body<ReadonlyArray<Row>> {
    // The caller names the type of the columns that its statement selects.
    return (yield { kind, text, values }) as ReadonlyArray<Row>
  }

/** Returns the rows of a `SELECT`. */
export const read = statement("read")

/** Returns the rows of a `SELECT` and locks them until the commit. */
export const lock = statement("lock")

/** Returns the rows of a write with `RETURNING`. */
export const write = statement("write")

const claiming = statement("claim")

/**
 * Runs an `INSERT` of a row that the body has just read as absent. Returns false if a concurrent transaction wrote the row
 * first, which only happens on PostgreSQL.
 */
export function* claim(text: string, ...values: Statement["values"]): Body<boolean> {
  return (yield* claiming(text, ...values)).length > 0
}

/** Returns the text of an `INSERT` into these columns, with a question mark for each value. */
export const insertInto = (table: string, columns: ReadonlyArray<string>): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`

/** Runs a body in the transaction that is open, or each of its statements alone if none is open. */
const within =
  (sql: SqlClient.SqlClient) =>
  <A>(body: () => Body<A>): Effect.Effect<A, SqlError> =>
    Effect.gen(function* () {
      const textOf = textsOf(sql)
      const running = body()
      let step = running.next()
      while (step.done !== true) step = running.next(yield* sql.unsafe<object>(textOf(step.value), step.value.values))
      return step.value
    })

/** @category constructors */
export const makeTransact = (sql: SqlClient.SqlClient, groupCommit: GroupCommit["Service"] | undefined): Transact =>
  groupCommit === undefined ? inTransactions(sql) : inGroupCommit(groupCommit)

const inGroupCommit =
  (groupCommit: GroupCommit["Service"]): Transact =>
  <A>(body: () => Body<A>) =>
    groupCommit.run((transaction) => {
      const running = body()
      let step = running.next()
      while (step.done !== true) step = running.next(rowsIn(transaction, step.value))
      return step.value
    })

/** Needs no locks and no `ON CONFLICT`: SQLite has one writer. */
const rowsIn = (transaction: Transaction, { kind, text, values }: Statement): Rows => {
  if (kind === "read" || kind === "lock") return transaction.read(text, values)
  const rows = transaction.write(text, values)
  return kind === "claim" ? claimed : rows
}

const claimed = [{}]

const inTransactions = (sql: SqlClient.SqlClient): Transact => {
  const run = within(sql)
  return (body) => sql.withTransaction(run(body))
}

type TextOf = (statement: Statement) => string

const texts = new WeakMap<SqlClient.SqlClient, TextOf>()

/** Returns the function that translates statements for the client's database. */
const textsOf = (sql: SqlClient.SqlClient): TextOf => {
  const cached = texts.get(sql) ?? sql.onDialectOrElse<TextOf, never, TextOf>({ pg: pgTexts, orElse: () => sqliteText })
  texts.set(sql, cached)
  return cached
}

const claimOf = (text: string): string => `${text} ON CONFLICT DO NOTHING RETURNING 1 AS claimed`

const sqliteText: TextOf = ({ kind, text }) => (kind === "claim" ? claimOf(text) : text)

/** Caches every text: the package has a fixed number of statements. */
const pgTexts = (): TextOf => {
  const cache = new Map<string, string>()
  return ({ kind, text }) => {
    const key = `${kind} ${text}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    let position = 0
    const numbered = text.replaceAll("?", () => `$${++position}`)
    const translated = kind === "lock" ? `${numbered} FOR UPDATE` : kind === "claim" ? claimOf(numbered) : numbered
    cache.set(key, translated)
    return translated
  }
}

/**
 * The company was restored after the request was sent. Nothing was written.
 *
 * @category errors
 * @since 0.1.0
 */
export class RestoredSince extends Data.TaggedError("RestoredSince")<{ readonly companyId: number }> {
  override readonly message = "The company was restored after the request was sent"
}

/**
 * The number of restores of each company. The service sends its own number with each request, so a request from before a
 * restore changes nothing after the restore.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyRestores {
  /** Returns the number of restores of a company. */
  readonly count: (companyId: number) => Effect.Effect<number, SqlError>
  /** Fails if the number differs. In a transaction the number cannot change until its end. */
  readonly check: (companyId: number, count: number) => Effect.Effect<void, RestoredSince | SqlError>
  /** `check` as the body of a transaction. Returns false if the number differs. */
  readonly isCurrent: (companyId: number, count: number) => Body<boolean>
  /** Locks a company until the end of the transaction: requests and restores of the company wait. */
  readonly lock: (companyId: number) => Effect.Effect<void, SqlError>
  /** Sets the number. The first statement in the transaction of a restore. */
  readonly set: (companyId: number, count: number) => Effect.Effect<void, SqlError>
  /** Runs `forget` in the transaction of each restore, which replaces all rows of the company. */
  readonly onRestore: (forget: () => void) => void
}

/** One for each client, because all providers of a store share the cached numbers. */
const restoresByClient = new WeakMap<SqlClient.SqlClient, CompanyRestores>()

/**
 * @category constructors
 * @since 0.1.0
 */
export const companyRestoresOf = (sql: SqlClient.SqlClient): CompanyRestores => {
  const existing = restoresByClient.get(sql)
  if (existing !== undefined) return existing
  const restores = sql.onDialectOrElse({ pg: () => restoresOnPostgres(sql), orElse: () => restoresOnSqlite(sql) })
  restoresByClient.set(sql, restores)
  return restores
}

const findRestores = "SELECT restores FROM company_restores WHERE company_id = ?"

/** Returns undefined for a company without a row, which was never restored. */
function* readCount(companyId: number, locking = ""): Body<number | undefined> {
  const [row] = yield* read<{ restores: number }>(`${findRestores}${locking}`, companyId)
  return row?.restores
}

const writeCount = (sql: SqlClient.SqlClient, companyId: number, count: number) => sql`
  INSERT INTO company_restores (company_id, restores) VALUES (${companyId}, ${count})
  ON CONFLICT (company_id) DO UPDATE SET restores = excluded.restores`

/** `countOf` reads the number and locks it until the end of the transaction; `cachedCount` needs no statement. */
const checks = (
  sql: SqlClient.SqlClient,
  countOf: (companyId: number) => Body<number | undefined>,
  cachedCount: (companyId: number) => number | undefined
): Pick<CompanyRestores, "check" | "isCurrent"> => {
  const run = within(sql)
  const compare = (companyId: number, expected: number, count = 0) =>
    count === expected ? Effect.void : Effect.fail(new RestoredSince({ companyId }))
  return {
    *isCurrent(companyId, expected) {
      return ((yield* countOf(companyId)) ?? 0) === expected
    },
    check: (companyId, expected) =>
      Effect.suspend(() => {
        const cached = cachedCount(companyId)
        return cached === undefined
          ? Effect.flatMap(
              run(() => countOf(companyId)),
              (count) => compare(companyId, expected, count)
            )
          : compare(companyId, expected, cached)
      })
  }
}

/** Caches the numbers: one process uses a SQLite file. */
const restoresOnSqlite = (sql: SqlClient.SqlClient): CompanyRestores => {
  const cache = new Map<number, number>()
  const onRestore: Array<() => void> = []
  let restores = 0
  function* countOf(companyId: number): Body<number> {
    const cached = cache.get(companyId)
    if (cached !== undefined) return cached
    const before = restores
    const count = (yield* readCount(companyId)) ?? 0
    // A number that was read before a restore is not cached after it.
    if (before === restores) cache.set(companyId, count)
    return count
  }
  return {
    count: (companyId) => within(sql)(() => countOf(companyId)),
    ...checks(sql, countOf, (companyId) => cache.get(companyId)),
    // SQLite has one writer.
    lock: () => Effect.void,
    set: Effect.fnUntraced(function* (companyId, count) {
      yield* writeCount(sql, companyId, count)
      for (const forget of onRestore) forget()
      // Not set to the new number: the transaction may be rolled back.
      cache.delete(companyId)
      restores += 1
    }),
    onRestore: (forget) => {
      onRestore.push(forget)
    }
  }
}

/** Requests share the lock of the company's row, and a restore has it alone. Other processes write too: nothing is cached. */
const restoresOnPostgres = (sql: SqlClient.SqlClient): CompanyRestores => {
  const lockedBy = (locking: string) =>
    function* (companyId: number): Body<number | undefined> {
      const count = yield* readCount(companyId, locking)
      if (count !== undefined) return count
      // A missing row cannot be locked.
      yield* write(
        "INSERT INTO company_restores (company_id, restores) VALUES (?, 0) ON CONFLICT DO NOTHING",
        companyId
      )
      return yield* readCount(companyId, locking)
    }
  const [shared, exclusive] = [lockedBy(" FOR SHARE"), lockedBy(" FOR UPDATE")]
  const run = within(sql)
  return {
    count: (companyId) =>
      Effect.map(
        run(() => readCount(companyId)),
        (count) => count ?? 0
      ),
    ...checks(sql, shared, () => undefined),
    lock: (companyId) => Effect.asVoid(run(() => exclusive(companyId))),
    set: (companyId, count) => Effect.asVoid(writeCount(sql, companyId, count)),
    onRestore: () => {}
  }
}
