/**
 * How a payment of a subscription is shown by a unit that loaded several.
 *
 * @since 0.1.0
 */
import { cardOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import type { SubscriptionContext } from "../loads/SubscriptionContext.ts"
import type { SubscriptionPaymentsContext } from "../loads/SubscriptionPayments.ts"
import type { Shown } from "../queries/Views.ts"

/**
 * A payment as the unit leaves it: its card is one that the payments were loaded with, or the subscription's, which may be
 * new.
 *
 * @category conversions
 * @since 0.1.0
 */
export const shownIn =
  ({
    customer,
    paymentCards = [],
    subscription,
    subscriptionCard: card
  }: Pick<SubscriptionContext, "customer" | "subscription" | "subscriptionCard"> &
    Partial<Pick<SubscriptionPaymentsContext, "paymentCards">>) =>
  (transaction: TransactionState): Shown => {
    const id = cardOf(transaction)
    return {
      owner: { _tag: "Subscription", subscription, card },
      customer,
      transaction,
      card: id === undefined ? undefined : [card, ...paymentCards].find((known) => known?.id === id)
    }
  }
