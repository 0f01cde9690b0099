/**
 * Tries are found by their card where a denial depends on how many there were, and attempts by their `tid` where they have one:
 * each further entry of an index was a page of its own in most commits.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const countedTries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // is_counted: 0 where it is known that nobody will count the attempt. What was there before may be counted.
  yield* sql`ALTER TABLE attempts ADD COLUMN is_counted INTEGER NOT NULL DEFAULT 1`
  yield* sql`DROP INDEX attempts_card`
  yield* sql`CREATE INDEX attempts_counted ON attempts (card, transaction_id) WHERE is_counted = 1`
  yield* sql`DROP INDEX attempts_tid`
  yield* sql`CREATE INDEX attempts_tid ON attempts (tid) WHERE tid IS NOT NULL`
})
