/**
 * The status stands in the indexes that have transactions in an order, so that a list of one status in such an order reads no rows
 * but those that it shows.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const statusBesideOrders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX transactions_status_at`
  yield* sql`DROP INDEX transactions_payday`
  yield* sql`DROP INDEX transactions_created`
  yield* sql`CREATE INDEX transactions_status_at ON transactions (company_id, status_at, id, status)`
  yield* sql`CREATE INDEX transactions_payday ON transactions (company_id, payday, id, status)`
  yield* sql`CREATE INDEX transactions_created ON transactions (company_id, created_at, id, status)`
})
