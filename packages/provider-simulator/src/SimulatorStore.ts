/**
 * The store of the simulated providers: a separate database, which only they read and write.
 *
 * @since 0.1.0
 */
import * as DatabaseMigrator from "@parcela/sqlite/DatabaseMigrator"
import { GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { schema } from "./migrations/0001_schema.ts"
import * as Transaction from "./StoreTransactions.ts"

/**
 * The table of completed migrations. A database with other tables and without this one is not a store of the providers.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = "simulator_migrations"

const migrations = { "0001_schema": schema }

/**
 * The name of the last migration. A snapshot from another schema version may not fit.
 *
 * @category constants
 * @since 0.1.0
 */
export const layout = Object.keys(migrations).toSorted().at(-1) ?? ""

/**
 * @category models
 * @since 0.1.0
 */
export interface SimulatorClient extends SqlClient.SqlClient {
  /** Runs the transaction of a request. On SQLite queued transactions share a commit. */
  readonly transact: Transaction.Transact
}

/**
 * A client of the providers' database.
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
  /** Over a SQLite database, or a PostgreSQL database or schema, that contains nothing else. Creates missing tables. */
  static readonly layer: Layer.Layer<
    SimulatorStore,
    DatabaseMigrator.DatabaseIsNewer | Migrator.MigrationError | SqlError,
    SqlClient.SqlClient
  > = Layer.effect(
    SimulatorStore,
    Effect.gen(function* () {
      const sql = yield* SimulatorStore.make
      yield* DatabaseMigrator.run({
        loader: Migrator.fromRecord(migrations),
        table,
        database: "The store of the simulated providers"
      })
      return sql
    })
  )
}
