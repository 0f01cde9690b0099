/**
 * What creating something rests on that somebody pays: the customers and the cards that its request may mean.
 *
 * @since 0.1.0
 */
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { FoundPlans } from "@parcela/core/subscriptions/SubscriptionPlan"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { CompanyContext } from "./CompanyContext.ts"
import type { FoundCards } from "./FoundCards.ts"
import type { PaymentContext } from "./PaymentContext.ts"

/**
 * Whom a request names as its customer.
 *
 * @category models
 * @since 0.1.0
 */
export interface CustomerQuery {
  readonly svcPayId?: SvcPayId | undefined
  readonly myId?: MyId | undefined
  readonly document?: string | undefined
}

/**
 * The customers and the cards that a request may mean.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundPayer {
  readonly customers: {
    readonly bySvcPayId: CustomerState | undefined
    readonly byMyId: CustomerState | undefined
    readonly byDocument: CustomerState | undefined
  }
  /** Of the customers that were found. */
  readonly versions: ReadonlyMap<SvcPayId, number>
  readonly cards: FoundCards
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewChargeContext extends CompanyContext, FoundPayer {
  readonly sameMyId: ChargeState | undefined
  /** The payment of that charge. */
  readonly samePayment: TransactionState | undefined
  readonly plans: FoundPlans
}

/**
 * The payment of a charge, with what an edit of the charge rests on.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeEditContext extends PaymentContext {
  /** The charge of the `myId` that the edit gives, if there is one. */
  readonly sameMyId: ChargeState | undefined
  readonly plans: FoundPlans
}
