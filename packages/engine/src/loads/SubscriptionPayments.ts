/**
 * What commands on a subscription and its open payments load.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { FoundPlans } from "@parcela/core/subscriptions/SubscriptionPlan"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { OnCards } from "./FoundCards.ts"
import type { SubscriptionContext } from "./SubscriptionContext.ts"

/**
 * A part of the payments of a subscription, by identifier.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionPaymentsContext extends SubscriptionContext {
  readonly payments: ReadonlyArray<TransactionState>
  /** Those that the payments are paid with. */
  readonly paymentCards: ReadonlyArray<CardState>
}

/**
 * What an edit of a subscription rests on, and its open payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionEditContext extends SubscriptionPaymentsContext, OnCards {
  readonly sameMyId: SubscriptionState | undefined
  readonly plans: FoundPlans
}
