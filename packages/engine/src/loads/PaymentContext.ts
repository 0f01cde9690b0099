/**
 * What a payment is loaded with.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { CardState } from "@parcela/core/cards/CardState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { PaymentOwner } from "../ports/PaymentOwner.ts"
import type { CompanyContext } from "./CompanyContext.ts"
import type { OnCards } from "./FoundCards.ts"
import type { Guard } from "./Guard.ts"

/**
 * A transaction with all that its decisions, its deliveries and its responses need.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentContext extends CompanyContext {
  /** Of its owner. */
  readonly guard: Guard
  readonly owner: PaymentOwner
  readonly customer: CustomerState
  readonly transaction: TransactionState
  /** The card that the transaction is paid with. */
  readonly card: CardState | undefined
  /** Of the transaction's attempts the one under way and the one that was asked for, first begun first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/**
 * What an edit of a payment rests on.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentEditContext extends PaymentContext, OnCards {
  /** The payment of the `myId` that the edit gives, if there is one. */
  readonly sameMyId: TransactionState | undefined
}
