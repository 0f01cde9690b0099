/**
 * Effect's `SqlClient` over the SQLite that Node carries (`node:sqlite`, Node 24).
 *
 * One connection writes, one fiber at a time; a transaction starts with BEGIN IMMEDIATE, and one inside another is a
 * savepoint. Writes outside a transaction share a commit when they wait for one (`SqliteUnits`). Several processes may open the same file: each waits for the others up to `busyTimeout`, then fails with
 * the reason `LockTimeoutError`. Within one process open a file once: the wait blocks the process, so a second client
 * would wait for a first that cannot go on.
 *
 * Integers come back as numbers while a number holds them exactly, and as bigints beyond 2^53 - 1, so that no value is
 * ever rounded; with `SqlClient.SafeIntegers` every integer is a bigint. What can be bound is said in `SqliteValues`.
 *
 * A stream outside a transaction reads on a read-only connection of its own, so its consumer may query and write. A
 * stream inside a transaction, and every stream of `":memory:"`, reads all its rows before it emits the first: its
 * consumer may do the same, but the rows must fit in memory.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Borrower, Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import * as SqliteConnection from "./SqliteConnection.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"
import { fromThrown } from "./SqliteErrors.ts"
import * as SqlitePlace from "./SqlitePlace.ts"
import * as SqliteReads from "./SqliteReads.ts"
import * as SqliteUnits from "./SqliteUnits.ts"
import * as StatementCache from "./StatementCache.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface NodeSqliteClientConfig extends SqliteDatabase.SqliteDatabaseOptions {
  /** Prepared statements kept for the next use, least recently used forgotten first; default 200. */
  readonly statementCacheSize?: number | undefined
}

const open = Effect.fnUntraced(function* (config: NodeSqliteClientConfig): Effect.fn.Return<
  {
    readonly client: SqlClient.SqlClient
    readonly reads: SqliteReads.SqliteReads["Service"]
    readonly units: SqliteUnits.SqliteUnits["Service"]
  },
  SqlError,
  Scope.Scope | Reactivity.Reactivity
> {
  const database = yield* SqliteDatabase.open(config)
  if (database.place !== undefined) yield* SqlitePlace.watch(database.place)
  const capacity = Math.max(1, config.statementCacheSize ?? 200)
  const cache = StatementCache.make(capacity, (sql) => SqliteConnection.prepare(database.native, sql))
  const beside = database.filename === SqliteDatabase.memory ? undefined : yield* readingBeside(database, capacity)
  const clear = () => {
    cache.clear()
    beside?.clear()
  }
  const writer = SqliteConnection.make(database, { ...cache, clear })
  const semaphore = yield* Semaphore.make(1)
  const isTransaction = () => database.native.isOpen && database.native.isTransaction
  const options = { connection: Effect.succeed(writer), semaphore, isTransaction }
  const { borrower, isWaitedFor, onCommitFailure, transactionAcquirer } = acquirersOf(options)
  const executeStream: Connection["executeStream"] =
    database.filename === SqliteDatabase.memory
      ? (sql, parameters, transformRows) =>
          Stream.unwrap(
            Effect.map(
              borrower((connection) => connection.execute(sql, parameters, transformRows)),
              Stream.fromArray
            )
          )
      : yield* SqliteConnection.makeStreams(database)

  const units = yield* SqliteUnits.make(database, cache, semaphore, isWaitedFor)

  const shared = outsideTransactions(units, borrower, executeStream)

  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(shared),
    borrower: (use) => use(shared),
    transactionAcquirer,
    isTransaction,
    onCommitFailure,
    compiler: Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    spanAttributes: [["db.system.name", "sqlite"]],
    prepareTransactionControls: true,
    // Taking the write lock at once is the only way not to fail half-way when another process writes first.
    beginTransaction: "BEGIN IMMEDIATE",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  return { client, reads: SqliteReads.make(database, units, cache, beside), units }
})

/** Effect's, which count who waits for the connection, or has it: units that nobody waits for end their lot for them. */
const acquirersOf = (options: Parameters<typeof SqlClient.makeSqliteAcquirers<Connection>>[0]) => {
  const acquirers = SqlClient.makeSqliteAcquirers(options)
  let count = 0
  const counted = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.withFiber<A, E, R>((fiber) => {
      if (fiber.getRef(SqliteUnits.IsBackground)) return effect
      let own = 0
      const begin = Effect.suspend(() => {
        own = 1
        count += own
        return effect
      })
      return Effect.ensuring(
        begin,
        Effect.sync(() => {
          count -= own
        })
      )
    })
  const borrower: Borrower = (use) => counted(acquirers.borrower(use))
  return {
    borrower,
    isWaitedFor: () => count > 0,
    onCommitFailure: acquirers.onCommitFailure,
    transactionAcquirer: counted(acquirers.transactionAcquirer)
  }
}

/** Statements on a connection that only reads. It is opened with the other one: later, another file may be in its place. */
const readingBeside = Effect.fnUntraced(function* (database: SqliteDatabase.SqliteDatabase, capacity: number) {
  const reader = yield* Effect.acquireRelease(
    Effect.try({
      try: database.openReader,
      catch: (thrown) => fromThrown(thrown, database.filename, "open")
    }),
    (reader) => Effect.sync(() => reader.close())
  )
  return StatementCache.make(capacity, (sql) => SqliteConnection.prepare(reader, sql))
})

/** A statement that ends in a commit. */
const isWrite = /^\s*(?:WITH\b[\s\S]*\b)?(?:INSERT|UPDATE|DELETE|REPLACE)\b/i

/** Of statements outside a transaction: a write is a unit, other statements borrow the writer, and streams take no permit. */
const outsideTransactions = (
  units: SqliteUnits.SqliteUnits["Service"],
  borrower: Borrower,
  executeStream: Connection["executeStream"]
): Connection => ({
  execute: (sql, parameters, transformRows) =>
    isWrite.test(sql)
      ? sharingItsCommit(units, sql, parameters, transformRows)
      : borrower((connection) => connection.execute(sql, parameters, transformRows)),
  executeRaw: (...args) => borrower((connection) => connection.executeRaw(...args)),
  executeStream,
  executeValues: (...args) => borrower((connection) => connection.executeValues(...args)),
  executeValuesUnprepared: (...args) => borrower((connection) => connection.executeValuesUnprepared(...args)),
  executeUnprepared: (...args) => borrower((connection) => connection.executeUnprepared(...args))
})

/** A write outside a transaction is a unit. */
const sharingItsCommit = (
  units: SqliteUnits.SqliteUnits["Service"],
  ...[sql, parameters, transformRows]: Parameters<Connection["execute"]>
): ReturnType<Connection["execute"]> =>
  Effect.withFiber((fiber) => {
    const safeIntegers = fiber.getRef(SqlClient.SafeIntegers)
    return units
      .run((turn) => turn.write(sql, parameters, safeIntegers), fiber.getRef(SqliteUnits.IsBackground))
      .pipe(
        Effect.mapBoth({
          onFailure: ({ error }) => error,
          onSuccess: (rows) => (transformRows === undefined ? rows : transformRows(rows))
        })
      )
  })

/**
 * A client whose database is closed with the scope.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  config: NodeSqliteClientConfig
): Effect.Effect<SqlClient.SqlClient, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.map(open(config), ({ client }) => client)

/**
 * The client of one file (or of `":memory:"`), open as long as the layer, and the same file for units and for reads that run
 * without a suspension.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  config: NodeSqliteClientConfig
): Layer.Layer<SqlClient.SqlClient | SqliteReads.SqliteReads | SqliteUnits.SqliteUnits, SqlError> =>
  Layer.effectContext(
    Effect.map(open(config), ({ client, reads, units }) =>
      Context.make(SqlClient.SqlClient, client).pipe(
        Context.add(SqliteReads.SqliteReads, reads),
        Context.add(SqliteUnits.SqliteUnits, units)
      )
    )
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * As `layer`, with its options read from configuration.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig = (
  config: Config.Wrap<NodeSqliteClientConfig>
): Layer.Layer<
  SqlClient.SqlClient | SqliteReads.SqliteReads | SqliteUnits.SqliteUnits,
  Config.ConfigError | SqlError
> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))
