/**
 * What adding a payment rests on: the subscription with its customer and card, a payment with the same `myId`, and the
 * cards that the request may mean.
 *
 * @since 0.1.0
 */
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import { cards } from "../tables/Cards.ts"
import { customers } from "../tables/Customers.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { transactions } from "../tables/Transactions.ts"
import {
  type Bind,
  cardColumns,
  cardJoins,
  cardsOf,
  companyColumns,
  companyJoins,
  companyOf,
  type Load,
  ofCompany,
  refersTo,
  stateColumns,
  stateOf
} from "./Load.ts"
import * as Statement from "./Statement.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const newPayment: Load<"newPayment"> = {
  statement: (dialect, { card, companyId, myId, subscription }, key) =>
    Statement.make(
      dialect,
      (bind: Bind) => `
        SELECT ${companyColumns(dialect)}, ${cardColumns(dialect, "subscription.customer_id", card, bind)},
          ${stateColumns("subscription")}, ${stateColumns("customer")}, ${stateColumns("subscription_card")},
          ${stateColumns("same")}
        FROM ${companyJoins(key, bind)}
        ${cardJoins(card, bind)}
        LEFT JOIN subscriptions AS subscription
          ON subscription.company_id = company.id AND ${refersTo("subscription", subscription, bind)}
        LEFT JOIN customers AS customer ON customer.company_id = company.id AND customer.id = subscription.customer_id
        LEFT JOIN cards AS subscription_card ON subscription_card.id = subscription.card_id
        LEFT JOIN transactions AS same ON same.company_id = company.id AND same.my_id = ${bind(myId)}
        ${ofCompany(companyId, bind)}
      `
    ),

  lock: (dialect, { companyId, subscription }) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT id FROM subscriptions AS root
        WHERE root.company_id = ${bind(companyId)} AND ${refersTo("root", subscription, bind)} ${dialect.locking}
      `
    ),

  read: (row, { companyId }) =>
    Result.gen(function* () {
      const { key, ...company } = yield* companyOf(row, companyId)
      const subscription = yield* stateOf(subscriptions, "subscription", row)
      if (subscription === undefined) return { key, found: undefined }
      const customer = yield* stateOf(customers, "customer", row)
      if (customer === undefined) return yield* Result.fail(withoutCustomer)
      return {
        key,
        found: {
          ...company,
          guard: { table: "subscriptions", id: subscription.state.id, version: subscription.version },
          subscription: subscription.state,
          customer: customer.state,
          subscriptionCard: (yield* stateOf(cards, "subscription_card", row))?.state,
          sameMyId: (yield* stateOf(transactions, "same", row))?.state,
          cards: yield* cardsOf(row)
        }
      }
    })
}

// A foreign key forbids it.
export const withoutCustomer = new StoreError({
  reason: new Corrupt({ table: "subscriptions", cause: new Error("A subscription has no customer") })
})
