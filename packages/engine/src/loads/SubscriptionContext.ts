/**
 * What a subscription is loaded with.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { CompanyContext } from "./CompanyContext.ts"
import type { OnCards } from "./FoundCards.ts"
import type { Guard } from "./Guard.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionContext extends CompanyContext {
  readonly guard: Guard
  readonly subscription: SubscriptionState
  readonly customer: CustomerState
  readonly subscriptionCard: CardState | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewPaymentContext extends SubscriptionContext, OnCards {
  readonly sameMyId: TransactionState | undefined
}
