/**
 * On SQLite the two indexes of what is owed name each status by itself: for a list SQLite makes a table in memory, with an index of
 * its own, for each of the two whenever a payment is written or changes its status. That was a third of the insert of a payment.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const owedWithoutLists = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // PostgreSQL finds out that one follows from the other.
  yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => named(sql) })
})

const statuses = ["notSend", "denied", "pendingBoleto", "notCompensated", "pendingPix", "unavailablePix"]

const named = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const isOwed = sql.literal(statuses.map((status) => `status = '${status}'`).join(" OR "))
  yield* sql`DROP INDEX transactions_owed_by`
  yield* sql`DROP INDEX transactions_owed_on`
  yield* sql`CREATE INDEX transactions_owed_by ON transactions (company_id, customer_id, payday) WHERE ${isOwed}`
  yield* sql`CREATE INDEX transactions_owed_on ON transactions (company_id, payday, customer_id) WHERE ${isOwed}`
})
