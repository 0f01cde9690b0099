/**
 * What a payment belongs to, with its customer and its card, as part of a load whose root it is.
 *
 * @since 0.1.0
 */
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { cards } from "../tables/Cards.ts"
import { charges } from "../tables/Charges.ts"
import { customers } from "../tables/Customers.ts"
import { subscriptions } from "../tables/Subscriptions.ts"
import { stateColumns, stateOf } from "./Load.ts"
import type { Row } from "./Statement.ts"

/**
 * @category columns
 * @since 0.1.0
 */
export const ownerColumns: ReadonlyArray<string> = ["subscription", "charge", "customer", "owner_card"].map(
  stateColumns
)

/**
 * Follow the join of `payment`.
 *
 * @category joins
 * @since 0.1.0
 */
export const ownerJoins = `
  LEFT JOIN subscriptions AS subscription ON subscription.id = payment.subscription_id
  LEFT JOIN charges AS charge ON charge.id = payment.charge_id
  LEFT JOIN customers AS customer
    ON customer.company_id = company.id AND customer.id = coalesce(subscription.customer_id, charge.customer_id)
  LEFT JOIN cards AS owner_card ON owner_card.id = coalesce(subscription.card_id, charge.card_id)`

/**
 * @category conversions
 * @since 0.1.0
 */
export const ownerOf = (row: Row): Pick<PaymentContext, "customer" | "guard" | "owner"> => {
  const subscription = stateOf(subscriptions, "subscription", row)
  const charge = stateOf(charges, "charge", row)
  const customer = stateOf(customers, "customer", row)?.state
  const card = stateOf(cards, "owner_card", row)?.state
  if (customer !== undefined && subscription !== undefined) {
    return {
      guard: { table: "subscriptions", id: subscription.state.id, version: subscription.version },
      owner: { _tag: "Subscription", subscription: subscription.state, card },
      customer
    }
  }
  if (customer !== undefined && charge !== undefined) {
    return {
      guard: { table: "charges", id: charge.state.id, version: charge.version },
      owner: { _tag: "Charge", charge: charge.state, card },
      customer
    }
  }
  throw withoutOwner
}

/** Foreign keys and a check forbid it. */
const withoutOwner = new StoreError({
  reason: new Corrupt({ table: "transactions", cause: new Error("A payment has no owner, or its owner no customer") })
})
