/**
 * Keys and attempts without leases of their own: a key is written with what its command wrote, and an attempt without an
 * outcome is due work.
 *
 * **Details**
 *
 * A key that wrote nothing is free, so its row goes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const commands = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM idempotency_keys WHERE subject IS NULL AND answer_status IS NULL`
  yield* sql`DROP INDEX idempotency_keys_open`
  yield* sql`ALTER TABLE idempotency_keys DROP COLUMN claimed_until`
  yield* sql`ALTER TABLE attempts DROP COLUMN claimed_until`
})
