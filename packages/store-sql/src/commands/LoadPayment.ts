/**
 * A transaction with its attempts, its owner and its owner's customer, and the cards of both.
 *
 * @since 0.1.0
 */
import type { PaymentRef } from "@parcela/engine/ports/CommandStore"
import * as Result from "effect/Result"
import { cards } from "../tables/Cards.ts"
import { customers } from "../tables/Customers.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { transactions } from "../tables/Transactions.ts"
import * as Attempts from "../tables/Attempts.ts"
import {
  type Bind,
  companyColumns,
  companyJoins,
  companyOf,
  type Load,
  ofCompany,
  refersTo,
  stateColumns,
  stateOf
} from "./Load.ts"
import { withoutCustomer } from "./LoadNewPayment.ts"
import * as Statement from "./Statement.ts"

const paymentIs = (ref: PaymentRef, bind: Bind): string =>
  ref.typeId === "attempt"
    ? `payment.id = (SELECT transaction_id FROM attempts WHERE id = ${bind(ref.id)})`
    : refersTo("payment", ref, bind)

/**
 * @category loads
 * @since 0.1.0
 */
export const payment: Load<"payment"> = {
  statement: (dialect, { companyId, transaction }, key) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT ${companyColumns(dialect)}, ${stateColumns("payment")}, ${stateColumns("subscription")},
          ${stateColumns("customer")}, ${stateColumns("card")}, ${stateColumns("subscription_card")},
          ${dialect.jsonRows(
            Attempts.fields("tried"),
            `(SELECT * FROM attempts WHERE company_id = company.id AND transaction_id = payment.id
              ORDER BY started_at, id) AS tried`
          )} AS attempts
        FROM ${companyJoins(key, bind)}
        LEFT JOIN transactions AS payment
          ON payment.company_id = company.id AND ${paymentIs(transaction, bind)}
        LEFT JOIN subscriptions AS subscription ON subscription.id = payment.subscription_id
        LEFT JOIN customers AS customer ON customer.company_id = company.id AND customer.id = subscription.customer_id
        LEFT JOIN cards AS card ON card.id = payment.card_id
        LEFT JOIN cards AS subscription_card ON subscription_card.id = subscription.card_id
        ${ofCompany(companyId, bind)}
      `
    ),

  lock: (dialect, { companyId, transaction }) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT id FROM subscriptions
        WHERE id = (
          SELECT subscription_id FROM transactions AS payment
          WHERE payment.company_id = ${bind(companyId)} AND ${paymentIs(transaction, bind)}
        ) ${dialect.locking}
      `
    ),

  read: (row, { companyId }) =>
    Result.gen(function* () {
      const { key, ...company } = yield* companyOf(row, companyId)
      const transaction = yield* stateOf(transactions, "payment", row)
      if (transaction === undefined) return { key, found: undefined }
      const subscription = yield* stateOf(subscriptions, "subscription", row)
      const customer = yield* stateOf(customers, "customer", row)
      if (subscription === undefined || customer === undefined) return yield* Result.fail(withoutCustomer)
      return {
        key,
        found: {
          ...company,
          guard: { table: "subscriptions", id: subscription.state.id, version: subscription.version },
          subscription: subscription.state,
          customer: customer.state,
          subscriptionCard: (yield* stateOf(cards, "subscription_card", row))?.state,
          transaction: transaction.state,
          card: (yield* stateOf(cards, "card", row))?.state,
          attempts: yield* Attempts.read(row["attempts"])
        }
      }
    })
}
