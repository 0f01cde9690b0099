/**
 * The store of the simulated providers: a database of their own, which no other program reads or writes.
 *
 * @since 0.1.0
 */
import { GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Migrations from "./internal/Migrations.ts"
import * as Transaction from "./StoreTransactions.ts"

/**
 * Where completed migrations are recorded. A database that has tables and not this one is no store of the providers.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = "simulator_migrations"

/**
 * The name of the last migration: rows of a company that were copied under another one may not fit the tables.
 *
 * @category constants
 * @since 0.1.0
 */
export const layout = Migrations.layout

/**
 * The store holds a migration that this program does not know: a newer version has been here.
 *
 * @category errors
 * @since 0.1.0
 */
export class SimulatorStoreIsNewer extends Schema.TaggedError<SimulatorStoreIsNewer>()("SimulatorStoreIsNewer", {
  /** Highest migration recorded in the store. */
  found: Schema.Int,
  /** Highest migration this program knows. */
  known: Schema.Int
}) {
  override get message() {
    return (
      `The store of the simulated providers was migrated by a newer version (migration ${this.found}, this version ` +
      `knows up to ${this.known}): run that version, or restore a backup from before its upgrade. Nothing was changed.`
    )
  }
}

/**
 * @category models
 * @since 0.1.0
 */
export interface SimulatorClient extends SqlClient.SqlClient {
  /** Runs the transaction of a request. On SQLite queued transactions share a commit. */
  readonly transact: Transaction.Transact
}

/**
 * A client of the providers' database, with their tables in it.
 *
 * @category services
 * @since 0.1.0
 */
export class SimulatorStore extends Context.Service<SimulatorStore, SimulatorClient>()(
  "@parcela/provider-simulator/SimulatorStore",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const groupCommit = yield* sql.onDialectOrElse({
        sqlite: () => Effect.map(Effect.serviceOption(GroupCommit), Option.getOrUndefined),
        orElse: () => Effect.undefined
      })
      const transact = Transaction.makeTransact(sql, groupCommit)
      // A proxy, because other code may use the same client without `transact`.
      const get = (target: SqlClient.SqlClient, key: string | symbol) =>
        key === "transact" ? transact : Reflect.get(target, key)
      // The proxy has the members of the client, and `transact`.
      return new Proxy(sql, { get }) as SimulatorClient
    })
  }
) {
  /** Over a SQLite or PostgreSQL database (or a schema) that holds nothing else. Its tables are made where they are missing. */
  static readonly layer: Layer.Layer<
    SimulatorStore,
    SimulatorStoreIsNewer | Migrator.MigrationError | SqlError,
    SqlClient.SqlClient
  > = Layer.effect(
    SimulatorStore,
    Effect.gen(function* () {
      const sql = yield* SimulatorStore.make
      yield* sql.withTransaction(migrate(sql))
      return sql
    })
  )
}

/** Held while migrations run; the same number in every process. */
const advisoryLock = 7_266_835_428

const migrate = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  // Two processes that start at once must not both find no table.
  yield* sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(${advisoryLock})`),
    orElse: () => Effect.void
  })
  yield* Migrator.make({})({ loader: Migrations.loader, table })
  const [recorded] = yield* sql<{ highest: number }>`SELECT max(migration_id) AS highest FROM ${sql(table)}`
  const known = Math.max(...(yield* Migrations.loader).map(([id]) => id))
  const found = recorded?.highest ?? 0
  // The transaction is rolled back with what was migrated.
  if (found > known) return yield* new SimulatorStoreIsNewer({ found, known })
})
