/**
 * A subscription with its customer and its card, as part of a load whose root it is.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import type { SubscriptionContext } from "@parcela/engine/command/LoadedPayments"
import { cards } from "../tables/Cards.ts"
import { customers } from "../tables/Customers.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { isAsked, stateColumns, stateOf } from "./Load.ts"
import * as Statement from "./Statement.ts"
import type { Row } from "./Statement.ts"
import { turnOf } from "./Dialect.ts"

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
 * A foreign key forbids it.
 *
 * @category errors
 * @since 0.1.0
 */
export const withoutCustomer = new StoreError({
  reason: new Corrupt({ table: "subscriptions", cause: new Error("A subscription has no customer") })
})
