/**
 * Indexes by time, so that old records are found without looking at those that stay.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const oldRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A key whose response is not known yet stays.
  yield* sql`CREATE INDEX idempotency_keys_old ON idempotency_keys (created_at) WHERE answer_status IS NOT NULL`
  yield* sql`CREATE INDEX delivery_tries_old ON delivery_tries (started_at)`
  yield* sql`CREATE INDEX journal_old ON journal (at)`
})
