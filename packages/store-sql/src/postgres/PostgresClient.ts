/**
 * Effect's `SqlClient` over PostgreSQL, with integers as on SQLite: numbers up to 2^53 - 1, and bigints
 * beyond.
 *
 * @since 0.1.0
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as PostgresConnection from "./PostgresConnection.ts"
import * as PostgresSocket from "./PostgresSocket.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface PostgresClientConfig {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** The schema of all unqualified names. It must exist. Default: the search path of the server. */
  readonly schema?: string | undefined
  /** The most connections of this process. They are opened on demand. Default 10. */
  readonly maxConnections?: number | undefined
  /**
   * The longest silence of the server during a statement, and the longest wait of a statement for a connection. After it the statement fails,
   * and the connection is closed. The server itself ends a statement after two thirds of this time. Default 15 seconds; `Infinity`: no limit.
   */
  readonly timeout?: Duration.Input | undefined
}

const defaultTimeout: Duration.Duration = Duration.seconds(15)

const int8: PgTypes.Codec<number | bigint> = {
  encode: (value) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) => {
    const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0)
    const number = Number(value)
    return Result.succeed(Number.isSafeInteger(number) ? number : value)
  }
}

const types = (): PgTypes.Registry => {
  const registry = PgTypes.makeRegistry()
  registry.register(PgTypes.OID.int8, int8)
  return registry
}

/** Settings that must not depend on the configuration of the server. */
const startupParameters = (timeout: Duration.Duration) => ({
  default_transaction_isolation: "read committed",
  // An acknowledged commit survives a crash of the server.
  synchronous_commit: "on",
  // PostgreSQL estimates the cost of all branches of a list, of which it reads one (`ListSql`). With a million rows it would start processes,
  // and compile, for a page of a hundred rows.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  // The server responds before the client times out, so that the outcome is known and the connection stays open. The time includes waits for
  // locks.
  statement_timeout: Duration.isFinite(timeout) ? String(Math.ceil((Duration.toMillis(timeout) * 2) / 3)) : "0",
  lock_timeout: "0",
  // A suspended process, or one whose machine has failed, must not hold locks for longer.
  idle_in_transaction_session_timeout: "15s",
  tcp_keepalives_idle: "60",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3"
})

const inTime =
  (timeout: Duration.Duration, late: () => SqlError) =>
  <A, R>(effect: Effect.Effect<A, SqlError, R>): Effect.Effect<A, SqlError, R> =>
    Duration.isFinite(timeout)
      ? Effect.raceFirst(
          effect,
          Effect.callback<never, SqlError>((resume) => {
            // oxlint-disable-next-line parcela/no-ambient -- as for the socket: a changed clock must not cause a timeout
            const timer = setTimeout(() => resume(Effect.fail(late())), Duration.toMillis(timeout))
            return Effect.sync(() => clearTimeout(timer))
          })
        )
      : effect

const noConnection = (server: string, timeout: Duration.Duration) => (): SqlError => {
  const message = `No connection to PostgreSQL at ${server} was free within ${Duration.format(timeout)}`
  return new SqlError({
    reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" })
  })
}

/** A name in a setting has the syntax of SQL. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const make = Effect.fnUntraced(function* (
  config: PostgresClientConfig
): Effect.fn.Return<SqlClient.SqlClient, SqlError, Scope.Scope | Reactivity.Reactivity> {
  const { maxConnections = 10, schema, url } = config
  const timeout = Duration.fromInputUnsafe(config.timeout ?? defaultTimeout)
  const pool = yield* PgPool.make({
    url,
    maxConnections,
    types: types(),
    applicationName: "parcela",
    startupParameters: {
      ...startupParameters(timeout),
      ...(schema === undefined ? {} : { search_path: quoted(schema) })
    },
    // The pool closes an idle connection before the socket does.
    idleTimeout: Duration.min(Duration.seconds(60), Duration.times(timeout, 0.5)),
    stream: () => PostgresSocket.open(PostgresSocket.addressOf(Redacted.value(url)), timeout)
  })
  const server = URL.canParse(Redacted.value(url))
    ? PostgresSocket.addressText(PostgresSocket.addressOf(Redacted.value(url)))
    : "that URL"
  const connection = (acquire: typeof pool.get) =>
    Effect.map(
      inTime(timeout, noConnection(server, timeout))(Effect.mapError(acquire, PostgresConnection.notConnected(server))),
      (acquired) => PostgresConnection.make(acquired, server)
    )
  const shared = connection(pool.get)
  const client = yield* SqlClient.make({
    acquirer: shared,
    borrower: (use) => Effect.scoped(Effect.flatMap(shared, use)),
    transactionAcquirer: connection(pool.reserve),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: [
      ["db.system.name", "postgresql"],
      ["server.address", server]
    ],
    prepareTransactionControls: true,
    commit: PostgresConnection.commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
  // A transaction fails with the error of its body, also if the connection was lost.
  return Object.assign(client, { withTransaction: PostgresConnection.failingAsItsBody(client.withTransaction) })
})

/**
 * A pool of connections to one database, closed with the layer. Statements of different fibers never share a connection, so a slow statement
 * delays no other.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (config: PostgresClientConfig): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(config)).pipe(Layer.provide(Reactivity.layer))
