/**
 * The store of the simulated providers: a database of their own, which no other program reads or writes.
 *
 * @since 0.1.0
 */
import * as DatabaseMigrator from "@parcela/sqlite/DatabaseMigrator"
import { GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { MigrationError } from "effect/sql/Migrator"
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
    DatabaseMigrator.DatabaseIsNewer | MigrationError | SqlError,
    SqlClient.SqlClient
  > = Layer.effect(
    SimulatorStore,
    Effect.gen(function* () {
      const sql = yield* SimulatorStore.make
      yield* DatabaseMigrator.run({
        loader: Migrations.loader,
        table,
        database: "The store of the simulated providers"
      })
      return sql
    })
  )
}
