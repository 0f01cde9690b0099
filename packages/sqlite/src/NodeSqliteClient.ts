/**
 * Effect's `SqlClient` over the SQLite of Node (`node:sqlite`, Node 24).
 *
 * One connection writes, one fiber at a time. A transaction starts with BEGIN IMMEDIATE; a nested transaction is a savepoint. Single writes
 * share commits (`GroupCommit`), and single queries run at once. Several processes may open the same file: a process waits for the others
 * up to `busyTimeout`, and then fails with the reason `LockTimeoutError`. Open a file only once in a process: the wait blocks the whole
 * process, so two clients would block each other.
 *
 * Integers up to 2^53 - 1 are numbers, and larger ones are bigints, so that no value is rounded. With `SqlClient.SafeIntegers` every integer
 * is a bigint. `bind` in `Statements` describes the values that can be bound.
 *
 * A stream outside of a transaction has a read-only connection of its own, so its consumer may query and write. A stream inside a transaction,
 * and every stream of `":memory:"`, reads all rows before it emits the first: its consumer may query and write too, but the rows must fit in
 * memory.
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
import * as DatabaseFiles from "./DatabaseFiles.ts"
import * as GroupCommit from "./GroupCommit.ts"
import * as SqliteConnection from "./SqliteConnection.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"
import { failing } from "./SqliteErrors.ts"
import * as Statements from "./Statements.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface NodeSqliteClientConfig extends SqliteDatabase.SqliteDatabaseOptions {
  /** The most prepared statements that are cached; default 200. */
  readonly statementCacheSize?: number | undefined
}

const open = Effect.fnUntraced(function* (config: NodeSqliteClientConfig): Effect.fn.Return<
  {
    readonly client: SqlClient.SqlClient
    readonly groupCommit: GroupCommit.GroupCommit["Service"]
  },
  SqlError,
  Scope.Scope | Reactivity.Reactivity
> {
  const database = yield* SqliteDatabase.open(config)
  if (database.files !== undefined) yield* DatabaseFiles.watch(database.files)
  const capacity = Math.max(1, config.statementCacheSize ?? 200)
  const cache = Statements.makeCache(capacity, (sql) => Statements.prepare(database.native, sql))
  const writer = SqliteConnection.make(database, cache)
  const semaphore = yield* Semaphore.make(1)
  const isTransaction = () => database.native.isOpen && database.native.isTransaction
  const { borrower, onCommitFailure, transactionAcquirer } = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(writer),
    semaphore,
    isTransaction
  })
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

  const groupCommit = yield* GroupCommit.make(database, cache, semaphore)
  const shared = outsideTransactions(database, cache, { groupCommit, borrower, executeStream })

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
    // A transaction that took the write lock later could fail after its first statements, if another process writes first.
    beginTransaction: "BEGIN IMMEDIATE",
    // The file checks compare these texts.
    commit: "COMMIT",
    rollback: "ROLLBACK",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  return { client, groupCommit }
})

/** A statement that needs a commit. */
const isWrite = /^\s*(?:WITH\b[\s\S]*\b)?(?:INSERT|UPDATE|DELETE|REPLACE)\b/i

const isQuery = /^\s*(?:SELECT|VALUES|WITH)\b/i

/**
 * Statements outside of a transaction. A write is a transaction of the group commit. A query runs at once, without a permit, unless the
 * client has a transaction open on the connection, whose changes no other fiber may read: then the query waits for its end.
 */
const outsideTransactions = (
  database: SqliteDatabase.SqliteDatabase,
  cache: Statements.StatementCache<Statements.Prepared>,
  {
    borrower,
    executeStream,
    groupCommit
  }: {
    readonly groupCommit: GroupCommit.GroupCommit["Service"]
    readonly borrower: Borrower
    readonly executeStream: Connection["executeStream"]
  }
): Connection => ({
  execute: (sql, parameters, transformRows) =>
    Effect.withFiber((fiber) => {
      const transformed = (rows: Statements.Rows) => (transformRows === undefined ? rows : transformRows(rows))
      const safeIntegers = fiber.getRef(SqlClient.SafeIntegers)
      if (isWrite.test(sql)) {
        const write = (transaction: GroupCommit.Transaction) => transaction.write(sql, parameters, safeIntegers)
        return Effect.map(groupCommit.run(write, fiber.getRef(GroupCommit.IsBackground)), transformed)
      }
      const { native } = database
      if (!isQuery.test(sql) || safeIntegers || !native.isOpen || native.isTransaction) {
        return borrower((connection) => connection.execute(sql, parameters, transformRows))
      }
      try {
        return Effect.succeed(transformed(Statements.execute(database, cache, sql, parameters, Statements.readQuery)))
      } catch (thrown) {
        return failing(thrown)
      }
    }),
  executeRaw: (...args) => borrower((connection) => connection.executeRaw(...args)),
  executeStream,
  executeValues: (...args) => borrower((connection) => connection.executeValues(...args)),
  executeValuesUnprepared: (...args) => borrower((connection) => connection.executeValuesUnprepared(...args)),
  executeUnprepared: (...args) => borrower((connection) => connection.executeUnprepared(...args))
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
 * The client of one file (or of `":memory:"`), open as long as the layer, with the group commit below it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  config: NodeSqliteClientConfig
): Layer.Layer<SqlClient.SqlClient | GroupCommit.GroupCommit, SqlError> =>
  Layer.effectContext(
    Effect.map(open(config), ({ client, groupCommit }) =>
      Context.make(SqlClient.SqlClient, client).pipe(Context.add(GroupCommit.GroupCommit, groupCommit))
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
): Layer.Layer<SqlClient.SqlClient | GroupCommit.GroupCommit, Config.ConfigError | SqlError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
