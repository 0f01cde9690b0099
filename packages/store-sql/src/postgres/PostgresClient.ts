/**
 * Effect's `SqlClient` over PostgreSQL, with integers as on SQLite: numbers while a number holds them exactly, and
 * bigints beyond 2^53 - 1.
 *
 * @since 0.1.0
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { failingAsItsWork } from "../internal/FailedRollback.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface PostgresClientConfig {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** Connections of this process at most, opened when they are needed; default 10. */
  readonly maxConnections?: number | undefined
}

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

/** What a server's configuration must not decide. A process that stands still holds rows that others wait for. */
const startupParameters = {
  default_transaction_isolation: "read committed",
  idle_in_transaction_session_timeout: "15s",
  lock_timeout: "10s"
}

/** Everybody who opens a transaction on the client sees its failure, where the connection was lost under it too. */
const withQuietRollback = (client: PgClient.PgClient): PgClient.PgClient =>
  Object.assign(client, { withTransaction: failingAsItsWork(client.withTransaction) })

/**
 * A pool of connections to one database, closed with the layer. Statements of different fibers never share a
 * connection, so a slow one holds none up.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = ({
  maxConnections = 10,
  url
}: PostgresClientConfig): Layer.Layer<PgClient.PgClient | SqlClient, SqlError> =>
  PgClient.layerFrom(
    Effect.map(
      PgClient.make({ url, maxConnections, types: types(), applicationName: "parcela", startupParameters }),
      withQuietRollback
    )
  )
