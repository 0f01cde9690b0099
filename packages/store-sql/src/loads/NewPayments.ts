/**
 * The loads of new payments of a subscription.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { SubscriptionContext } from "@parcela/engine/command/LoadedPayments"
import type { Row, Template } from "../sql/Statement.ts"
import { customers, withoutCustomer } from "../tables/Customers.ts"
import { cards, subscriptions, transactions } from "../tables/Entities.ts"
import { decodeLoad, isRequested, join, type Load, loadStatement, lockRoots, stateOf, stateOfAlias } from "./Load.ts"
import {
  cardColumns,
  cardJoins,
  instalmentColumns,
  instalmentJoins,
  instalmentsOf,
  onCards
} from "./RequestedEntities.ts"

/**
 * A subscription with its customer and its card.
 *
 * @category columns
 * @since 0.1.0
 */
export const subscriberColumns: ReadonlyArray<string> = [
  stateOfAlias("subscription"),
  stateOfAlias("customer"),
  stateOfAlias("subscription_card")
]

/**
 * The joins of `subscriberColumns`. `condition` selects the subscription.
 *
 * @category joins
 * @since 0.1.0
 */
export const subscriberJoins = (condition: string): string => `
  ${join("subscriptions", "subscription", condition)}
  ${join("customers", "customer", "customer.id = subscription.customer_id")}
  LEFT JOIN cards AS subscription_card ON subscription_card.id = subscription.card_id`

/**
 * Decodes `subscriberColumns`; undefined if there is no subscription.
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

interface SubscriptionArgs {
  readonly companyId: CompanyId
  readonly subscription: EntityRef
}

/**
 * The condition of `subscriberJoins` for the subscription in the request.
 *
 * @category conditions
 * @since 0.1.0
 */
export const isRequestedSubscription = (template: Template<SubscriptionArgs>): string =>
  isRequested(
    "subscription",
    template.of(({ subscription }) => subscription)
  )

/**
 * Locks the subscription in the request.
 *
 * @category statements
 * @since 0.1.0
 */
export const lockSubscription = lockRoots<SubscriptionArgs>((template) => ({
  ids: { subscriptions: "id" },
  rows: `subscriptions AS subscription
    WHERE company_id = ${template.bind(({ companyId }) => companyId)} AND ${isRequestedSubscription(template)}`
}))

/**
 * The subscription, a payment with the same `myId`, and the cards of the request.
 *
 * @category loads
 * @since 0.1.0
 */
export const newPayment: Load<"newPayment"> = {
  statement: loadStatement((template) => {
    const card = template.of(({ card }) => card)
    return {
      columns: [...cardColumns("subscription.customer_id", card), ...subscriberColumns, stateOfAlias("same")],
      joins: `
        ${cardJoins(card)}
        ${subscriberJoins(isRequestedSubscription(template))}
        ${join("transactions", "same", `same.my_id = ${template.bind(({ myId }) => myId)}`)}`
    }
  }),
  lock: lockSubscription,
  decode: decodeLoad((row, company) => {
    const subscriber = subscriberOf(row)
    if (subscriber === undefined) return undefined
    const { customer, guard, subscription, subscriptionCard } = subscriber
    const { cards, customerGuard } = onCards(row, customer)
    const sameMyId = stateOf(transactions, "same", row)?.state
    // Listing each field is faster: spreading several objects takes as long as decoding the states.
    return { ...company, guard, subscription, customer, subscriptionCard, customerGuard, cards, sameMyId }
  })
}

/**
 * The subscription, and the existing part of the instalments.
 *
 * @category loads
 * @since 0.1.0
 */
export const instalments: Load<"instalments"> = {
  statement: loadStatement((template) => {
    const query = template.of(({ instalments }) => instalments)
    return {
      columns: [...subscriberColumns, ...instalmentColumns(query)],
      joins: `
        ${subscriberJoins(`subscription.id = ${template.bind(({ subscriptionId }) => subscriptionId)}`)}
        ${instalmentJoins(query)}`
    }
  }),
  lock: lockRoots(({ bind }) => ({
    ids: { subscriptions: "id" },
    rows: `subscriptions
      WHERE company_id = ${bind(({ companyId }) => companyId)} AND id = ${bind(({ subscriptionId }) => subscriptionId)}`
  })),
  decode: decodeLoad((row, company) => {
    const subscriber = subscriberOf(row)
    if (subscriber === undefined) return undefined
    return { ...company, ...subscriber, instalments: instalmentsOf(row) }
  })
}
