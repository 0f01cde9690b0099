/**
 * Effect's `Connection` over `node:sqlite`: one for reading and writing, and streams that read beside it.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite"
import { plannedOnce } from "./internal/PlannedOnce.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { codeOf, fromThrown } from "./SqliteErrors.ts"
import type { SqlitePlace } from "./SqlitePlace.ts"
import { asObjects, bind, narrow } from "./SqliteValues.ts"
import type * as StatementCache from "./StatementCache.ts"

/** Rows a stream reads in one go before its consumer runs. */
const streamChunk = 128

/** Connections kept open for the next stream. */
const idleReaders = 4

/**
 * The one connection that writes. Its streams read every row before the first is emitted: it is used for streams
 * inside a transaction, which must see what the transaction wrote, and for `":memory:"`, which has one connection.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (database: SqliteDatabase, cache: StatementCache.StatementCache<Prepared>): Connection => {
  const { filename, native, place, snapshot } = database
  const forget = forgetting(cache)

  const run = <A>(
    sql: string,
    parameters: ReadonlyArray<unknown>,
    operation: string,
    use: (prepared: Prepared, bound: Array<SQLInputValue>, safeIntegers: boolean) => A,
    unprepared = false
  ): Effect.Effect<A, SqlError.SqlError> =>
    Effect.withFiber((fiber) => {
      const bound = bind(parameters)
      if (!Array.isArray(bound)) return Effect.fail(refused(bound, operation))
      if (place !== undefined && isLost(place, sql)) return Effect.fail(place.failure(operation))
      try {
        snapshot.end()
        const prepared = unprepared ? prepare(native, sql) : cache.get(sql)
        const result = use(prepared, bound, fiber.getRef(SqlClient.SafeIntegers))
        forget(sql)
        return Effect.succeed(result)
      } catch (thrown) {
        return Effect.fail(fromThrown(thrown, filename, operation))
      }
    })

  const execute: Connection["execute"] = (sql, parameters, transformRows) =>
    run(sql, parameters, "execute", readRowsAs(transformRows))

  return {
    execute,
    executeRaw: (sql, parameters) => run(sql, parameters, "executeRaw", readRaw),
    executeStream: (sql, parameters, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, parameters, transformRows), Stream.fromArray)),
    executeValues: (sql, parameters) => run(sql, parameters, "executeValues", readValues),
    executeValuesUnprepared: (sql, parameters) => run(sql, parameters, "executeValuesUnprepared", readValues, true),
    executeUnprepared: (sql, parameters, transformRows) =>
      run(sql, parameters, "executeUnprepared", readRowsAs(transformRows), true)
  }
}

/** What was prepared has the columns of then: it is forgotten when the schema changes, and when such a change is undone. */
const forgetting = (cache: StatementCache.StatementCache<Prepared>) => {
  let isChanged = false
  return (sql: string): void => {
    const isChange = changesSchema.test(sql)
    if (isChange || (isChanged && sql.startsWith("ROLLBACK"))) cache.clear()
    if (isChange) isChanged = true
    else if (sql === "COMMIT") isChanged = false
  }
}

const changesSchema = /^\s*(?:ALTER|CREATE|DROP)\b/i

/**
 * Streams that hold no permit while their consumer runs: each reads on a read-only connection of its own, from the
 * snapshot of its first row, and the scope closes those connections.
 *
 * **Gotchas**
 *
 * A stream that stays open keeps the WAL from being moved into the file past its snapshot, so the WAL grows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeStreams = Effect.fnUntraced(function* (
  database: SqliteDatabase
): Effect.fn.Return<Connection["executeStream"], never, Scope.Scope> {
  const { filename, place } = database
  const readers = yield* makeReaders(database)
  const attempt = <A>(evaluate: () => A): Effect.Effect<A, SqlError.SqlError> =>
    Effect.try({ try: evaluate, catch: (thrown) => streamError(fromThrown(thrown, filename, "executeStream")) })

  return (sql, parameters, transformRows) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const bound = bind(parameters)
        if (!Array.isArray(bound)) return yield* refused(bound, "executeStream")
        // A new connection would open whatever is at that place now.
        if (place?.look() === false) return yield* place.failure("executeStream")
        const safeIntegers = yield* SqlClient.SafeIntegers
        const reader = yield* Effect.acquireRelease(attempt(readers.take), (reader) =>
          Effect.sync(() => readers.give(reader))
        )
        const rows = yield* Effect.acquireRelease(
          attempt(() => iterate(prepare(reader, sql), bound)),
          // An iterator left half-way would keep its snapshot. The database may have been closed under it.
          ({ rows }) => Effect.ignore(Effect.try(() => rows.return?.()))
        )
        const pull = Effect.gen(function* () {
          const chunk = yield* attempt(() => nextRows(rows, safeIntegers))
          const out = transformRows === undefined ? chunk : transformRows(chunk)
          return Arr.isReadonlyArrayNonEmpty(out) ? out : yield* Cause.done()
        })
        return Stream.fromPull(Effect.succeed(pull))
      })
    )
})

/** Connections to read on, some of them kept for the next stream; all are closed with the scope. */
const makeReaders = Effect.fnUntraced(function* (database: SqliteDatabase) {
  const open = new Set<DatabaseSync>()
  const idle: Array<DatabaseSync> = []
  let closed = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      for (const reader of open) reader.close()
    })
  )
  return {
    take: (): DatabaseSync => {
      if (closed) throw Object.assign(new Error("database is not open"), { code: "ERR_INVALID_STATE" })
      const kept = idle.pop()
      if (kept !== undefined) return kept
      const reader = database.openReader()
      open.add(reader)
      return reader
    },
    give: (reader: DatabaseSync): void => {
      if (!reader.isOpen) return
      if (idle.length < idleReaders) {
        idle.push(reader)
      } else {
        open.delete(reader)
        reader.close()
      }
    }
  }
})

interface RowsToCome {
  readonly columns: ReadonlyArray<string>
  readonly rows: Iterator<ReadonlyArray<SQLOutputValue>>
}

const iterate = ({ columns, statement }: Prepared, bound: Array<SQLInputValue>): RowsToCome => ({
  columns,
  // Node's types do not know what setReturnArrays does.
  rows: statement.iterate(...bound) as unknown as RowsToCome["rows"]
})

const nextRows = ({ columns, rows }: RowsToCome, safeIntegers: boolean): Array<Record<string, unknown>> => {
  const chunk: Array<ReadonlyArray<SQLOutputValue>> = []
  while (chunk.length < streamChunk) {
    const next = rows.next()
    if (next.done === true) break
    chunk.push(next.value)
  }
  return asObjects(columns, chunk, safeIntegers ? asRead : narrow)
}

// A commit must not be acknowledged that goes to a file which is no longer there, so each looks again; what begins looks whether a file
// that was gone is back, and what was begun can be rolled back always.
export const isLost = (place: SqlitePlace, sql: string): boolean => {
  if (sql === "COMMIT") return !place.look()
  if (place.isKept()) return false
  return sql.startsWith("BEGIN") ? !place.look() : sql !== "ROLLBACK"
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Prepared {
  readonly statement: StatementSync
  /** The columns of a query, or of a write with RETURNING; other statements have none. */
  readonly columns: ReadonlyArray<string>
}

/**
 * One statement, ready to run. Throws what `node:sqlite` throws, and when the text holds another statement after it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const prepare = (native: DatabaseSync, sql: string): Prepared => {
  const text = plannedOnce(sql)
  const statement = native.prepare(text)
  // node:sqlite compiles the first statement of a text and drops the others without a word.
  if (!nothingMore.test(text.slice(statement.sourceSQL.length))) {
    throw new Error("One statement at a time: SQLite would run the first of this text and drop the rest")
  }
  // Without this an integer past 2^53 throws while it is read, after a write with RETURNING was already committed.
  statement.setReadBigInts(true)
  // Objects that node:sqlite makes take three times as long as arrays, and each look into them longer.
  statement.setReturnArrays(true)
  return { statement, columns: statement.columns().map(({ name }) => name) }
}

/** White space, semicolons and comments. */
const nothingMore = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/

const asRead = (value: unknown): unknown => value

/** All rows of a query; a write without RETURNING has none. */
export const readRows = (
  prepared: Prepared,
  bound: Array<SQLInputValue>,
  safeIntegers: boolean
): Array<Record<string, unknown>> => {
  const { columns, statement } = prepared
  if (columns.length === 0) {
    written(prepared, bound)
    return []
  }
  return asObjects(columns, arraysOf(statement, bound), safeIntegers ? asRead : narrow)
}

/** Runs a statement that returns no rows: `run` would make an object of two big integers, which is a fifth of a short write. */
export const written = ({ statement }: Prepared, bound: Array<SQLInputValue>): void => {
  statement.get(...bound)
}

const arraysOf = (statement: StatementSync, bound: Array<SQLInputValue>): Array<Array<SQLOutputValue>> =>
  // Node's types do not know what setReturnArrays does.
  statement.all(...bound) as unknown as Array<Array<SQLOutputValue>>

/**
 * All rows of a query that writes nothing, with numbers where all integers fit one, which takes a third less than making each from
 * a bigint. One that does not fit makes `node:sqlite` throw: then the query is run once more.
 */
export const readQuery = (prepared: Prepared, bound: Array<SQLInputValue>): Array<Record<string, unknown>> => {
  const { columns, statement } = prepared
  statement.setReadBigInts(false)
  try {
    return asObjects(columns, arraysOf(statement, bound), asRead)
  } catch (thrown) {
    if (!isTooLarge(thrown)) throw thrown
  } finally {
    // The cache lends the same statement to those that write.
    statement.setReadBigInts(true)
  }
  return readRows(prepared, bound, false)
}

const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof RangeError && "code" in thrown && thrown.code === "ERR_OUT_OF_RANGE"

const readRowsAs =
  (transform: Parameters<Connection["execute"]>[2]) =>
  (prepared: Prepared, bound: Array<SQLInputValue>, safeIntegers: boolean) => {
    const rows = readRows(prepared, bound, safeIntegers)
    return transform === undefined ? rows : transform(rows)
  }

const readRaw = (prepared: Prepared, bound: Array<SQLInputValue>, safeIntegers: boolean): unknown => {
  if (prepared.columns.length > 0) return readRows(prepared, bound, safeIntegers)
  const { changes, lastInsertRowid } = prepared.statement.run(...bound)
  return safeIntegers
    ? { changes, lastInsertRowid }
    : { changes: narrow(changes), lastInsertRowid: narrow(lastInsertRowid) }
}

const readValues = (
  prepared: Prepared,
  bound: Array<SQLInputValue>,
  safeIntegers: boolean
): Array<ReadonlyArray<unknown>> => {
  if (prepared.columns.length === 0) {
    written(prepared, bound)
    return []
  }
  const rows = arraysOf(prepared.statement, bound)
  return safeIntegers ? rows : rows.map((row) => row.map(narrow))
}

/** A value that cannot be bound. */
export const refused = (cause: { readonly message: string }, operation: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause, message: cause.message, operation }) })

const streamError = (error: SqlError.SqlError): SqlError.SqlError =>
  codeOf(error) === "SQLITE_READONLY"
    ? new SqlError.SqlError({
        reason: new SqlError.AuthorizationError({
          cause: error.reason.cause,
          message: "A stream reads only: write without a stream, or stream inside a transaction",
          operation: "executeStream"
        })
      })
    : error
