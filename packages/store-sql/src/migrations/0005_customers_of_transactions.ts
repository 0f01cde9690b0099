/**
 * Payments know their customer, so that a customer's payments are one range of an index.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const customersOfTransactions = Effect.gen(function* () {
  const { integer, sql } = yield* words
  yield* sql`ALTER TABLE transactions ADD COLUMN customer_id ${integer}`
  yield* sql`
    UPDATE transactions SET customer_id = (
      SELECT customer_id FROM subscriptions WHERE subscriptions.id = transactions.subscription_id
    )
  `
  yield* sql`CREATE INDEX transactions_customer ON transactions (company_id, customer_id, id)`
})
