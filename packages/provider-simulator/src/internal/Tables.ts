/**
 * Making tables where several processes may start at once.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Held while tables are made; the same number in every process. */
const advisoryLock = 7_266_835_428

/**
 * Runs `CREATE .. IF NOT EXISTS` statements one process at a time. On PostgreSQL two at once can both find no table, and
 * the slower one fails.
 *
 * @category combinators
 * @since 0.1.0
 */
export const making = <A, R>(sql: SqlClient, tables: Effect.Effect<A, SqlError, R>): Effect.Effect<void, SqlError, R> =>
  sql.onDialectOrElse({
    pg: () =>
      sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(${advisoryLock})`, Effect.asVoid(tables))),
    orElse: () => Effect.asVoid(tables)
  })
