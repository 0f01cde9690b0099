/**
 * On SQLite attempts are found by their company, and no longer by their payment: nobody asks for those of a payment but the foreign
 * key, when a company's payments are removed, and then its attempts are gone already. An entry of a payment was a page of its own in
 * most commits; of a company all new ones are in one.
 *
 * PostgreSQL keeps the index: there it has the entries of removed rows until they are vacuumed, and the key looks through them for
 * each payment.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const attemptsOfCompanies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => exchanged(sql) })
})

const exchanged = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`DROP INDEX attempts_transaction`
  yield* sql`CREATE INDEX attempts_company ON attempts (company_id, id)`
})
