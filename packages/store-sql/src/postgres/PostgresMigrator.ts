/**
 * Migrations for a PostgreSQL database: all that are pending, or none, in one transaction.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseIsNewer } from "../sqlite/NodeSqliteMigrator.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface PostgresMigratorOptions<R = never> {
  readonly loader: Migrator.Loader<R>
  /** Where completed migrations are recorded, a name without a schema. */
  readonly table: string
}

/** Held while migrations run; the same number in every process and version. */
const advisoryLock = 7_266_835_427

/**
 * The migrations that ran, in order; empty when the database is up to date.
 *
 * **Details**
 *
 * Processes that start together wait for one another before the first of them looks, so the migrations run once and
 * nobody starts on half of them. A failing migration leaves the database as it was.
 *
 * @category constructors
 * @since 0.1.0
 */
export const run = Effect.fnUntraced(function* <R = never>(
  options: PostgresMigratorOptions<R>
): Effect.fn.Return<
  ReadonlyArray<readonly [id: number, name: string]>,
  DatabaseIsNewer | Migrator.MigrationError | SqlError,
  SqlClient.SqlClient | R
> {
  const sql = yield* SqlClient.SqlClient
  const migrations = yield* options.loader
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${advisoryLock})`
      const known = migrations.reduce((highest, [id]) => Math.max(highest, id), 0)
      const found = yield* highestRecorded(sql, options.table)
      if (found > known) return yield* new DatabaseIsNewer({ found, known })
      return yield* migrate({ loader: Effect.succeed(migrations), table: options.table })
    })
  )
})

/**
 * Runs the migrations while the layer is built, before anything that is provided with it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <R = never>(
  options: PostgresMigratorOptions<R>
): Layer.Layer<never, DatabaseIsNewer | Migrator.MigrationError | SqlError, SqlClient.SqlClient | R> =>
  Layer.effectDiscard(run(options))

const migrate = Migrator.make({})

const highestRecorded = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, table: string) {
  const [known] = yield* sql<{ there: boolean }>`SELECT to_regclass(${`"${table}"`}::text) IS NOT NULL AS there`
  if (known?.there !== true) return 0
  const rows = yield* sql<{ highest: number | null }>`SELECT max(migration_id) AS highest FROM ${sql(table)}`
  return rows[0]?.highest ?? 0
})
