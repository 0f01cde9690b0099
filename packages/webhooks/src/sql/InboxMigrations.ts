/**
 * The migrations of the inbox tables, in order. A released migration is never changed. A correction is a new migration.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * The table of completed migrations.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = "inbox_migrations"

// One row for each delivery. The index inbox_deliveries_subject finds earlier pending and newer done deliveries of a subject.
const schema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE inbox_deliveries (
      sender TEXT NOT NULL,
      webhook_id BIGINT NOT NULL,
      event TEXT NOT NULL,
      subject TEXT,
      received_at BIGINT NOT NULL,
      signed_at BIGINT NOT NULL,
      signature TEXT NOT NULL,
      body TEXT NOT NULL,
      state TEXT NOT NULL,
      due_at BIGINT NOT NULL,
      attempts INTEGER NOT NULL,
      leased_until BIGINT,
      late INTEGER NOT NULL,
      last_problem TEXT,
      settled_at BIGINT,
      PRIMARY KEY (sender, webhook_id)
    )
  `
  yield* sql`CREATE INDEX inbox_deliveries_due ON inbox_deliveries (due_at, webhook_id) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX inbox_deliveries_subject ON inbox_deliveries (sender, subject, state, webhook_id)`
  yield* sql`CREATE INDEX inbox_deliveries_leased ON inbox_deliveries (leased_until) WHERE leased_until IS NOT NULL`
})

/**
 * @category loaders
 * @since 0.1.0
 */
export const loader: Migrator.Loader = Migrator.fromRecord({ "0001_schema": schema })
