/**
 * The check of a delivery's state compares with each of them on SQLite, which makes a table in memory of a list of three whenever a
 * delivery is written, and when it ends.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const stateOfDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => compared(sql) })
})

/**
 * A check has no name to be altered by: the column is made anew, and with it the indexes that ask for a state. It has a default, as
 * SQLite adds no other column that is never null to a table with rows; every delivery is written with its state.
 */
const compared = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const indexes = [
    ["deliveries_lane", "(endpoint_id, due_at, webhook_id, transaction_id) WHERE state = 'pending'"],
    ["deliveries_of_transaction", "(endpoint_id, transaction_id, webhook_id) WHERE state = 'pending'"],
    ["deliveries_given_up", "(company_id, webhook_id) WHERE state = 'given_up'"],
    ["deliveries_dead_of_endpoint", "(endpoint_id, webhook_id) WHERE state = 'given_up'"]
  ] as const
  for (const [name] of indexes) yield* sql`DROP INDEX ${sql(name)}`
  yield* sql`
    ALTER TABLE deliveries ADD COLUMN new_state TEXT NOT NULL DEFAULT 'pending'
      CHECK (new_state = 'pending' OR new_state = 'delivered' OR new_state = 'given_up')
  `
  yield* sql`UPDATE deliveries SET new_state = state`
  yield* sql`ALTER TABLE deliveries DROP COLUMN state`
  yield* sql`ALTER TABLE deliveries RENAME COLUMN new_state TO state`
  for (const [name, of] of indexes) yield* sql`CREATE INDEX ${sql(name)} ON deliveries ${sql.literal(of)}`
})
