/**
 * Effect's `SqlClient` over PostgreSQL, with integers as on SQLite: numbers while a number holds them exactly, and
 * bigints beyond 2^53 - 1.
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
import { failingAsItsWork } from "./PostgresConnection.ts"
import * as PostgresSocket from "./PostgresSocket.ts"
import { addressOf, addressText } from "./PostgresSocket.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface PostgresClientConfig {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** The one schema in which names without one are looked up and made; it must be there. Default: as the server says. */
  readonly schema?: string | undefined
  /** Connections of this process at most, opened when they are needed; default 10. */
  readonly maxConnections?: number | undefined
  /**
   * How long the server may send nothing while a statement runs, and how long a statement waits for a connection: then it
   * fails, and the connection is closed. The server itself ends a statement after two thirds of it. Default 15 seconds;
   * `Infinity` waits without end, on both sides.
   */
  readonly timeout?: Duration.Input | undefined
}

/** Of `timeout`. */
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

/** What a server's configuration must not decide. */
const startupParameters = (timeout: Duration.Duration) => ({
  default_transaction_isolation: "read committed",
  // What was acknowledged survives a crash of the server.
  synchronous_commit: "on",
  // A list has branches of which it reads one (`ListSql`), and its costs are those of all: over a million rows PostgreSQL would start
  // processes, and compile, for a page of a hundred.
  max_parallel_workers_per_gather: "0",
  jit: "off",
  // The server responds before this side gives up, so that the outcome is known and the connection stays. A wait for a
  // lock counts too.
  statement_timeout: Duration.isFinite(timeout) ? String(Math.ceil((Duration.toMillis(timeout) * 2) / 3)) : "0",
  lock_timeout: "0",
  // A process that stands still holds rows that others wait for, and so does one whose machine is gone.
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
            // oxlint-disable-next-line parcela/no-ambient -- as the socket's: a clock that is moved makes no machine late
            const timer = setTimeout(() => resume(Effect.fail(late())), Duration.toMillis(timeout))
            return Effect.sync(() => clearTimeout(timer))
          })
        )
      : effect

const noneFree = (server: string, timeout: Duration.Duration) => (): SqlError => {
  const message = `No connection to PostgreSQL at ${server} was free within ${Duration.format(timeout)}`
  return new SqlError({
    reason: new ConnectionError({ cause: new Error(message), message, operation: "connect" })
  })
}

/** Within a setting names are written as in SQL. */
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
    // Before the socket does it.
    idleTimeout: Duration.min(Duration.seconds(60), Duration.times(timeout, 0.5)),
    stream: () => PostgresSocket.open(addressOf(Redacted.value(url)), timeout)
  })
  const server = URL.canParse(Redacted.value(url)) ? addressText(addressOf(Redacted.value(url))) : "that URL"
  const connection = (acquire: typeof pool.get) =>
    Effect.map(
      inTime(timeout, noneFree(server, timeout))(Effect.mapError(acquire, PostgresConnection.notConnected(server))),
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
  // Every caller that opens a transaction on the client gets its failure, where the connection was lost under it too.
  return Object.assign(client, { withTransaction: failingAsItsWork(client.withTransaction) })
})

/**
 * A pool of connections to one database, closed with the layer. Statements of different fibers never share a
 * connection, so a slow one holds none up.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (config: PostgresClientConfig): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(config)).pipe(Layer.provide(Reactivity.layer))
