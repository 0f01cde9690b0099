/**
 * What adding a payment rests on: the subscription with its customer and card, a payment with the same `myId`, and the
 * cards that the request may mean.
 *
 * @since 0.1.0
 */
import { transactions, cards, subscriptions } from "../tables/Entities.ts"
import { isAsked, type Load, loading, reading, stateColumns, stateOf } from "./Load.ts"
import {
  instalmentColumns,
  instalmentJoins,
  instalmentsOf,
  cardColumns,
  cardJoins,
  onCards
} from "./RequestedEntities.ts"
import * as Statement from "../sql/Statement.ts"
import type { Row } from "../sql/Statement.ts"
import { turnOf } from "../sql/Dialect.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { SubscriptionContext } from "@parcela/engine/command/LoadedPayments"
import { customers, withoutCustomer } from "../tables/Customers.ts"

/**
 * @category columns
 * @since 0.1.0
 */
export const subscriberColumns: ReadonlyArray<string> = [
  stateColumns("subscription"),
  stateColumns("customer"),
  stateColumns("subscription_card")
]

/**
 * Follows the join of `subscription`.
 *
 * @category joins
 * @since 0.1.0
 */
export const subscriberJoins = `
  LEFT JOIN customers AS customer ON customer.company_id = company.id AND customer.id = subscription.customer_id
  LEFT JOIN cards AS subscription_card ON subscription_card.id = subscription.card_id`

/**
 * Waits for the turn of the subscription.
 *
 * @category statements
 * @since 0.1.0
 */
export const turnOfSubscription = Statement.prepared<{
  readonly companyId: CompanyId
  readonly subscription: EntityRef
}>(
  (ask) => `
    SELECT ${turnOf("subscriptions", "id")} FROM subscriptions AS root
    WHERE root.company_id = ${ask.bind(({ companyId }) => companyId)}
      AND ${isAsked(
        "root",
        ask.of(({ subscription }) => subscription)
      )}
  `
)

/**
 * Undefined when there is no subscription.
 *
 * @category conversions
 * @since 0.1.0
 */
export const subscriberOf = (
  row: Row
): Pick<SubscriptionContext, "customer" | "guard" | "subscription" | "subscriptionCard"> | undefined => {
  const subscription = stateOf(subscriptions, "subscription", row)
  if (subscription === undefined) return undefined
  const customer = stateOf(customers, "customer", row)
  if (customer === undefined) throw withoutCustomer
  return {
    guard: { table: "subscriptions", id: subscription.state.id, version: subscription.version },
    subscription: subscription.state,
    customer: customer.state,
    subscriptionCard: stateOf(cards, "subscription_card", row)?.state
  }
}

/**
 * @category loads
 * @since 0.1.0
 */
export const newPayment: Load<"newPayment"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    return {
      columns: [...cardColumns("subscription.customer_id", card), ...subscriberColumns, stateColumns("same")],
      joins: `
        ${cardJoins(card)}
        LEFT JOIN subscriptions AS subscription ON subscription.company_id = company.id
          AND ${isAsked(
            "subscription",
            ask.of(({ subscription }) => subscription)
          )}
        ${subscriberJoins}
        LEFT JOIN transactions AS same
          ON same.company_id = company.id AND same.my_id = ${ask.bind(({ myId }) => myId)}`
    }
  }),

  turn: turnOfSubscription,

  read: reading((row, company) => {
    const subscriber = subscriberOf(row)
    if (subscriber === undefined) return undefined
    const { customer, guard, subscription, subscriptionCard } = subscriber
    const { cards, customerGuard } = onCards(row, customer)
    const sameMyId = stateOf(transactions, "same", row)?.state
    // Field by field: an object that is put together of several takes as long as reading the states.
    return { ...company, guard, subscription, customer, subscriptionCard, customerGuard, cards, sameMyId }
  })
}

/**
 * @category loads
 * @since 0.1.0
 */
export const instalments: Load<"instalments"> = {
  statement: loading((ask) => {
    const query = ask.of(({ instalments }) => instalments)
    return {
      columns: [...subscriberColumns, ...instalmentColumns(query)],
      joins: `
        LEFT JOIN subscriptions AS subscription
          ON subscription.company_id = company.id AND subscription.id = ${ask.bind(({ subscriptionId }) => subscriptionId)}
        ${subscriberJoins}
        ${instalmentJoins(query)}`
    }
  }),

  turn: Statement.prepared(
    ({ bind }) => `
      SELECT ${turnOf("subscriptions", "id")} FROM subscriptions
      WHERE company_id = ${bind(({ companyId }) => companyId)} AND id = ${bind(({ subscriptionId }) => subscriptionId)}
    `
  ),

  read: reading((row, company) => {
    const subscriber = subscriberOf(row)
    if (subscriber === undefined) return undefined
    return { ...company, ...subscriber, instalments: instalmentsOf(row) }
  })
}
