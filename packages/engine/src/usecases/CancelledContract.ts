/**
 * Payments that are open though their subscription was cancelled.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import { openOf } from "@parcela/core/transactions/TransactionEndings"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { cancelPayment } from "../commands/FollowingWork.ts"
import type { Times } from "../commands/Times.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { NewWork } from "../ports/DueWork.ts"
import { openPaymentsOf, type PaymentOwner } from "../ports/PaymentOwner.ts"

/**
 * Whether a payment belongs to a subscription that was cancelled.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOfCancelledContract = (owner: PaymentOwner): boolean =>
  owner._tag === "Subscription" && openPaymentsOf(owner) === "cancelled"

/**
 * Whether a payment ends with its contract, now that nothing is under way.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOpen = (transaction: TransactionState): boolean => openOf([transaction]).now.length > 0

/**
 * The work that ends a payment which an outcome left open. One that its provider would not withdraw is left as it is.
 *
 * @category conversions
 * @since 0.1.0
 */
export const leftOpenBy = (
  { kind }: Attempt,
  { companyId, owner, transaction }: PaymentContext,
  { machine }: Times
): ReadonlyArray<NewWork> =>
  kind !== "cancel" && isOfCancelledContract(owner) && isOpen(transaction)
    ? [cancelPayment(companyId, String(transaction.id), machine)]
    : []
