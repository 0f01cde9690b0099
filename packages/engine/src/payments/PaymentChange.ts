/**
 * The writes of every change of a payment: the payment, its charge, and the events of both.
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
  /** The payment after the change. */
  readonly payment: PaymentContext
}

interface ChargeChange {
  readonly owner: PaymentOwner
  readonly changes: ReadonlyArray<Change>
  readonly events: ReadonlyArray<BillingEvent>
}

interface ChangeOptions {
  readonly attempts: ReadonlyArray<Attempt>
  readonly now: BusinessTime
  /** A separate decision about the charge of the payment. */
  readonly charge?: Decision<ChargeState> | undefined
}

/** Returns the charge after its own edit and after the change of its payment. */
const followed = (owner: PaymentOwner, payment: TransactionState, { charge, now }: ChangeOptions): ChargeChange => {
  if (owner._tag === "Subscription") return { owner, changes: [], events: [] }
  const edited = charge?.next ?? owner.charge
  const { value } = payment
  // A charge has the value of its payment. A provider may have to accept a new value first.
  const { events, next } = follow(edited.value === value ? edited : { ...edited, value, updatedAt: now }, payment, now)
  return {
    owner: { ...owner, charge: next },
    changes: next === owner.charge ? [] : [{ table: "charges", before: owner.charge, next }],
    events
  }
}

/**
 * Returns the writes of a decision about a payment. The subscription stays unchanged. A charge ends with its payment.
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
 * Returns the new payment as a later load would return it. `guard` is necessary if the owner already existed. A card
 * payment uses the card of its owner.
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

// The version of a new row.
const version = 1

const guardOf = (owner: PaymentOwner): Guard =>
  owner._tag === "Charge"
    ? { table: "charges", id: owner.charge.id, version }
    : { table: "subscriptions", id: owner.subscription.id, version }

/**
 * True if a payment belongs to a cancelled subscription.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOfCancelledContract = (owner: PaymentOwner): boolean =>
  owner._tag === "Subscription" && openPaymentsOf(owner) === "cancelled"

/**
 * True if a payment ends with its contract and has no open attempt.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOpen = (transaction: TransactionState): boolean => openOf([transaction]).now.length > 0

/**
 * Returns the job that cancels a payment which remained open after an attempt. A payment whose withdrawal was denied
 * remains open.
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
