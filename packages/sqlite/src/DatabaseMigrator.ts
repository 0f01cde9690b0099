/**
 * Migrates a SQLite file or a PostgreSQL database: runs all pending migrations, or none, in one transaction.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/**
 * A newer version has migrated the database: it has a migration that this program does not know.
 *
 * @category errors
 * @since 0.1.0
 */
export class DatabaseIsNewer extends Schema.TaggedError<DatabaseIsNewer>()("DatabaseIsNewer", {
  /** The words for the database in a message. */
  database: Schema.String,
  /** Highest migration recorded in the database. */
  found: Schema.Int,
  /** Highest migration this program knows; 0 when it knows none. */
  known: Schema.Int
}) {
  override get message() {
    return (
      `${this.database} was migrated by a newer version (migration ${this.found}, this version knows up to ` +
      `${this.known}): run that version, or restore a backup from before its upgrade. Nothing was changed.`
    )
  }
}

/**
 * @category options
 * @since 0.1.0
 */
export interface DatabaseMigratorOptions<R = never> {
  readonly loader: Migrator.Loader<R>
  /** The table of completed migrations, without a schema. */
  readonly table: string
  /** The words for the database in a message; default "The database". */
  readonly database?: string
}

/**
 * Runs the pending migrations and returns them in their order.
 *
 * **Details**
 *
 * A newer database is refused. A database that lacks a migration below its highest one fails with a `MigrationError` of the kind `BadState`.
 * The checks and the migrations share one transaction, which holds a lock: processes that start together migrate once, none starts on half
 * of the migrations, and a failing migration changes nothing.
 *
 * **Gotchas**
 *
 * SQLite ignores `PRAGMA foreign_keys` inside a transaction: a migration cannot switch the checks off.
 *
 * @category constructors
 * @since 0.1.0
 */
export const run = Effect.fnUntraced(function* <R = never>({
  database = "The database",
  loader,
  table
}: DatabaseMigratorOptions<R>): Effect.fn.Return<
  ReadonlyArray<readonly [id: number, name: string]>,
  DatabaseIsNewer | Migrator.MigrationError | SqlError,
  SqlClient.SqlClient | R
> {
  const sql = yield* SqlClient.SqlClient
  const migrations = yield* loader
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* waitForOthers(sql)
      yield* refuseNarrowEncoding(sql)
      const known = migrations.reduce((highest, [id]) => Math.max(highest, id), 0)
      const recorded = yield* recordedIn(sql, table)
      const found = recorded.reduce((highest, id) => Math.max(highest, id), 0)
      if (found > known) return yield* new DatabaseIsNewer({ database, found, known })
      const missed = migrations.filter(([id]) => id < found && !recorded.includes(id))
      if (missed.length > 0) return yield* lacking(found, missed)
      return yield* migrate({ loader: Effect.succeed(migrations), table })
    })
  )
})

/**
 * Runs the migrations when the layer is built, before the layers that depend on it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <R = never>(
  options: DatabaseMigratorOptions<R>
): Layer.Layer<never, DatabaseIsNewer | Migrator.MigrationError | SqlError, SqlClient.SqlClient | R> =>
  Layer.effectDiscard(run(options))

const migrate = Migrator.make({})

/** Held during migrations. Every process and version has the same number. */
const advisoryLock = 7_266_835_427

// On SQLite a transaction is the only writer from its first statement on.
const waitForOthers = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${advisoryLock})`),
    orElse: () => Effect.void
  })

// Other encodings lack some alphabets, and would fail at the first name in one of them. SQLite's encodings are Unicode.
const refuseNarrowEncoding = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<{ name: string }>`SELECT current_setting('server_encoding') AS name`.withoutTransform,
    orElse: () => Effect.succeed([])
  })
  const [encoding] = rows
  if (encoding === undefined || encoding.name === "UTF8") return
  const message =
    `The database has the encoding ${encoding.name}, which cannot hold every text: make one with ` +
    "CREATE DATABASE .. ENCODING 'UTF8' TEMPLATE template0. Nothing was changed."
  return yield* new SqlError({
    reason: new ConnectionError({ cause: new Error(message), message, operation: "migrate" })
  })
})

// `to_regclass` converts a name without quotes to lower case.
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

// Effect's migrator runs only migrations above the highest recorded one, and would never run these.
const lacking = (found: number, missed: ReadonlyArray<readonly [id: number, name: string, ...rest: Array<unknown>]>) =>
  new Migrator.MigrationError({
    kind: "BadState",
    message:
      `The database has migration ${found} and lacks ${missed.map(([id, name]) => `${id}_${name}`).join(", ")}: an ` +
      "unreleased version has been here. Restore a backup, or begin with a new database. Nothing was changed."
  })

const recordedIn = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, table: string) {
  const tables = yield* sql.onDialectOrElse({
    pg: () => sql`SELECT 1 WHERE to_regclass(${quoted(table)}::text) IS NOT NULL`,
    orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table} COLLATE NOCASE`
  }).withoutTransform
  if (tables.length === 0) return []
  const rows = yield* sql<{ id: number }>`SELECT migration_id AS id FROM ${sql(table)}`.withoutTransform
  return rows.map(({ id }) => id)
})
