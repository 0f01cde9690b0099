/**
 * What every change of a payment writes: the payment, and the charge that follows it.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import { follow } from "@parcela/core/charges/ChargeDecider"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { Decision } from "@parcela/core/values/Decision"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { Change, Decided } from "../command/Decided.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { type PaymentOwner, openPaymentsOf } from "../ports/PaymentOwner.ts"
import type { CompanyContext, Guard } from "../command/LoadedCompany.ts"
import { openOf } from "@parcela/core/transactions/TransactionEndings"
import { cancelPayment } from "../command/ScheduledWork.ts"
import type { Times } from "../ports/Times.ts"
import type { NewWork } from "../ports/DueWork.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface PaymentChange extends Pick<Decided<unknown>, "guards" | "changes" | "events"> {
  /** The payment as the unit leaves it. */
  readonly payment: PaymentContext
}

interface Followed {
  readonly owner: PaymentOwner
  readonly changes: ReadonlyArray<Change>
  readonly events: ReadonlyArray<BillingEvent>
}

interface ChangeOptions {
  readonly attempts: ReadonlyArray<Attempt>
  readonly now: BusinessTime
  /** What was decided of its charge by itself. */
  readonly charge?: Decision<ChargeState> | undefined
}

/** The charge that was edited, if one was, and that follows its payment then. */
const followed = (owner: PaymentOwner, payment: TransactionState, { charge, now }: ChangeOptions): Followed => {
  if (owner._tag === "Subscription") return { owner, changes: [], events: [] }
  const edited = charge?.next ?? owner.charge
  const { value } = payment
  // It costs what its payment does, which a provider may have to agree to first.
  const { events, next } = follow(edited.value === value ? edited : { ...edited, value, updatedAt: now }, payment, now)
  return {
    owner: { ...owner, charge: next },
    changes: next === owner.charge ? [] : [{ table: "charges", before: owner.charge, next }],
    events
  }
}

/**
 * Writes what was decided of a payment. A subscription stays as it is; a charge is over once its payment is.
 *
 * @category decisions
 * @since 0.1.0
 */
export const paymentChange = (
  found: PaymentContext,
  { events, next }: Decision<TransactionState>,
  options: ChangeOptions
): PaymentChange => {
  const owned = followed(found.owner, next, options)
  return {
    payment: {
      ...found,
      guard: { ...found.guard, version: found.guard.version + 1 },
      owner: owned.owner,
      transaction: next,
      attempts: options.attempts
    },
    guards: [found.guard],
    changes: [
      ...owned.changes,
      { table: "transactions", before: found.transaction, next, customerId: found.customer.id }
    ],
    events: [...(options.charge?.events ?? []), ...events, ...owned.events]
  }
}

/**
 * The payment as it would be loaded afterwards; `guard` where its owner was there before. It is paid with its owner's card, if
 * it is paid by card.
 *
 * @category conversions
 * @since 0.1.0
 */
export const createdPayment = (
  { clock, companyId, endpoints, restores }: CompanyContext,
  owner: PaymentOwner,
  made: Pick<PaymentContext, "attempts" | "customer" | "transaction">,
  guard: Guard = guardOf(owner)
): PaymentContext => {
  const { attempts, customer, transaction } = made
  return {
    companyId,
    clock,
    restores,
    endpoints,
    guard,
    owner,
    customer,
    transaction,
    card: transaction.method === "creditcard" ? owner.card : undefined,
    attempts
  }
}

// A row that is new has this version.
const version = 1

const guardOf = (owner: PaymentOwner): Guard =>
  owner._tag === "Charge"
    ? { table: "charges", id: owner.charge.id, version }
    : { table: "subscriptions", id: owner.subscription.id, version }

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
