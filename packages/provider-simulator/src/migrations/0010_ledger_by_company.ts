/**
 * The requests about a transaction are found among its company's, by an index that has both: one of transactions alone took a
 * page for each of them in every commit, and was read by people, tests, and for its highest number at a start.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const ledgerByCompany = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX ledger_transaction`
  yield* sql`DROP INDEX ledger_company`
  yield* sql`CREATE INDEX ledger_company ON ledger (company_id, id, transaction_id)`
})
