/**
 * All storage ports of the engine over one SQL database.
 *
 * @since 0.1.0
 */
import type { CommandStore } from "@parcela/engine/command/CommandStore"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import type { Outbox } from "@parcela/engine/ports/Outbox"
import * as DatabaseMigrator from "@parcela/sqlite/DatabaseMigrator"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as AccessTokensSql from "./AccessTokensSql.ts"
import * as PostgresCommandStore from "./commands/PostgresCommandStore.ts"
import * as SqliteCommandStore from "./commands/SqliteCommandStore.ts"
import * as CompaniesSql from "./CompaniesSql.ts"
import * as CompanyClocksSql from "./CompanyClocksSql.ts"
import * as DueWorkSql from "./DueWorkSql.ts"
import * as EntitiesSql from "./EntitiesSql.ts"
import * as IncomingPaymentsSql from "./IncomingPaymentsSql.ts"
import * as JournalSql from "./JournalSql.ts"
import * as LeasesSql from "./LeasesSql.ts"
import * as Migrations from "./migrations/Migrations.ts"
import * as OldRecordsSql from "./OldRecordsSql.ts"
import * as OutboxSql from "./OutboxSql.ts"
import type * as PostgresClient from "./postgres/PostgresClient.ts"
import * as PostgresLayer from "./postgres/PostgresLayer.ts"
import * as SequencesSql from "./SequencesSql.ts"
import * as TransactionsSql from "./TransactionsSql.ts"
import * as WebhooksSql from "./WebhooksSql.ts"

/**
 * The ports that are equal on both databases, over a migrated database. `CommandStore` and `Outbox` differ, and are part of the layers below.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Exclude<StorePorts, CommandStore | Outbox>, never, SqlClient> = Layer.mergeAll(
  AccessTokensSql.layerNoDeps,
  EntitiesSql.layerCards,
  EntitiesSql.layerCharges,
  CompaniesSql.layerNoDeps,
  CompanyClocksSql.layerNoDeps,
  EntitiesSql.layerCustomers,
  DueWorkSql.layerNoDeps,
  IncomingPaymentsSql.layerNoDeps,
  JournalSql.layerNoDeps,
  LeasesSql.layerNoDeps,
  OldRecordsSql.layerNoDeps,
  EntitiesSql.layerPlans,
  SequencesSql.layerNoDeps,
  EntitiesSql.layerSubscriptions,
  TransactionsSql.layerNoDeps,
  WebhooksSql.layerEndpoints,
  WebhooksSql.layerReplays
)

/**
 * The ports over a SQLite file (or `":memory:"`), which the layer creates and migrates. The layer also provides the client, for programs with
 * tables of their own in the same file, because a process may open a file only once. With `exclusive`, a file with tables of another program
 * is refused.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (
  config: NodeSqliteClient.NodeSqliteClientConfig
): Layer.Layer<StorePorts | SqlClient, MigrationError | DatabaseMigrator.DatabaseIsNewer | SqlError> =>
  Layer.mergeAll(layerNoDeps, OutboxSql.layerSqlite, SqliteCommandStore.layerNoDeps).pipe(
    Layer.provideMerge(DatabaseMigrator.layer(Migrations)),
    Layer.provideMerge(
      NodeSqliteClient.layer({ ownTable: config.exclusive === true ? Migrations.table : undefined, ...config })
    )
  )

/**
 * The ports over an existing PostgreSQL database, which the layer migrates. Any number of processes may share the database. The layer also
 * provides the client, for programs with tables of their own. Migrations have a connection of their own without a `timeout`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerPostgres = (
  config: PostgresClient.PostgresClientConfig
): Layer.Layer<StorePorts | SqlClient, MigrationError | DatabaseMigrator.DatabaseIsNewer | SqlError> =>
  Layer.mergeAll(layerNoDeps, OutboxSql.layerPostgres, PostgresCommandStore.layerNoDeps).pipe(
    Layer.provideMerge(PostgresLayer.layer(config)),
    Layer.provideMerge(
      DatabaseMigrator.layer(Migrations).pipe(
        Layer.provide(PostgresLayer.layer({ url: config.url, maxConnections: 1, timeout: Duration.infinity }))
      )
    )
  )
