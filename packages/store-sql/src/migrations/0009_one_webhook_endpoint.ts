/**
 * A company has one webhook endpoint, and the database says so: edits at the same moment could each make one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const oneWebhookEndpoint = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Edits changed the oldest alone, so the others hold addresses that nobody could see, change or switch off.
  const isExtra = sql.literal(`id NOT IN (SELECT min(id) FROM webhook_endpoints GROUP BY company_id)`)
  const ofExtra = sql`endpoint_id IN (SELECT id FROM webhook_endpoints WHERE ${isExtra})`
  yield* sql`
    UPDATE deliveries SET state = 'given_up', given_up_at = due_at, lease_owner = NULL, lease = NULL,
      last_problem = 'The address was replaced by an edit at the same moment'
    WHERE state = 'pending' AND ${ofExtra}
  `
  // Not moved to the one that stays: it has deliveries of the same events already.
  yield* sql`UPDATE deliveries SET endpoint_id = NULL WHERE ${ofExtra}`
  yield* sql`DELETE FROM webhook_endpoints WHERE ${isExtra}`

  yield* sql`DROP INDEX webhook_endpoints_company`
  yield* sql`CREATE UNIQUE INDEX "webhook_endpoints.company_id" ON webhook_endpoints (company_id)`
})
