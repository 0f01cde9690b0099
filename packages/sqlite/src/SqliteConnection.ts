/**
 * Effect's `Connection` over `node:sqlite`: one connection that reads and writes, and streams with connections of their own.
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
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { codeOf, commitOperation, failing, fromThrown } from "./SqliteErrors.ts"
import {
  arraysOf,
  asObjects,
  asRead,
  bind,
  execute as executeSync,
  narrow,
  prepare,
  type Prepared,
  readRows,
  refused,
  type StatementCache,
  written
} from "./Statements.ts"

/** The rows that a stream reads before its consumer runs. */
const streamChunk = 128

/** The most idle connections for later streams. */
const maxIdleReaders = 4

/**
 * The connection that writes. Its streams read every row before they emit the first. They are for transactions, whose writes they must see,
 * and for `":memory:"`, which has one connection.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (database: SqliteDatabase, cache: StatementCache<Prepared>): Connection => {
  const { files, native } = database
  const forget = forgetting(cache)

  const run = <A>(
    sql: string,
    parameters: ReadonlyArray<unknown>,
    operation: string,
    use: (prepared: Prepared, bound: Array<SQLInputValue>, safeIntegers: boolean) => A,
    unprepared = false
  ): Effect.Effect<A, SqlError.SqlError> =>
    Effect.withFiber((fiber) => {
      const statements = unprepared ? { get: (text: string) => prepare(native, text) } : cache
      const safeIntegers = fiber.getRef(SqlClient.SafeIntegers)
      // A statement outside of a transaction has a commit of its own.
      const isAlone = files !== undefined && native.isOpen && !native.isTransaction
      if (isAlone && !files.check()) return Effect.fail(files.failure(operation))
      try {
        const result = executeSync(
          database,
          statements,
          sql,
          parameters,
          (prepared, bound) => use(prepared, bound, safeIntegers),
          operation
        )
        forget(sql)
        const isCommitted = !native.isTransaction && sql !== "ROLLBACK" && !isRead.test(sql)
        if (isCommitted && files?.committed() === false) return Effect.fail(files.failure(commitOperation))
        return Effect.succeed(result)
      } catch (thrown) {
        return failing(thrown)
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

/** Statements that change no file: a changed file after one of them was changed by another program. */
const isRead = /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA\s+(?!wal_checkpoint|optimize|incremental_vacuum)\w+\s*;?\s*$)/i

/** A prepared statement has fixed columns. So the cache is cleared when the schema changes, and when such a change is rolled back. */
const forgetting = (cache: StatementCache<Prepared>) => {
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
 * Streams that hold no permit while their consumer runs. Each stream reads the snapshot of its first row on a read-only connection of its own,
 * which the scope closes.
 *
 * **Gotchas**
 *
 * While a stream is open, SQLite cannot move later pages from the WAL into the file, so the WAL grows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeStreams = Effect.fnUntraced(function* (
  database: SqliteDatabase
): Effect.fn.Return<Connection["executeStream"], never, Scope.Scope> {
  const { filename, files } = database
  const readers = yield* makeReaders(database)
  const attempt = <A>(evaluate: () => A): Effect.Effect<A, SqlError.SqlError> =>
    Effect.try({ try: evaluate, catch: (thrown) => streamError(fromThrown(thrown, filename, "executeStream")) })

  return (sql, parameters, transformRows) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const bound = bind(parameters)
        if (!Array.isArray(bound)) return yield* refused(bound, "executeStream")
        // A new connection would open the file that has the name now.
        if (files?.check() === false) return yield* files.failure("executeStream")
        const safeIntegers = yield* SqlClient.SafeIntegers
        const reader = yield* Effect.acquireRelease(attempt(readers.take), (reader) =>
          Effect.sync(() => readers.give(reader))
        )
        const rows = yield* Effect.acquireRelease(
          attempt(() => iterate(prepare(reader, sql), bound)),
          // An unfinished iterator would hold its snapshot. The database may be closed already.
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

/** Connections for streams. Some stay open for later streams; the scope closes all. */
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
      const idleReader = idle.pop()
      if (idleReader !== undefined) return idleReader
      const reader = database.openReader()
      open.add(reader)
      return reader
    },
    give: (reader: DatabaseSync): void => {
      if (!reader.isOpen) return
      if (idle.length < maxIdleReaders) {
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
  // Node's types do not describe `setReturnArrays`.
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
