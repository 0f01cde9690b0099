/**
 * The decisions that commands on payments share, and the writes that follow from them. All are pure functions, because
 * the store may run them again.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptId } from "@parcela/core/attempts/Attempt"
import type { AttemptOutcome } from "@parcela/core/attempts/AttemptOutcome"
import { follow } from "@parcela/core/charges/ChargeDecider"
import { type ChargeState, openPaymentsOfCharge } from "@parcela/core/charges/ChargeState"
import type { PaymentMethodBoleto, PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethod"
import { openPaymentsOfSubscription } from "@parcela/core/subscriptions/SubscriptionState"
import type { BusinessTime } from "@parcela/core/time/Instant"
import type { OpenPayments } from "@parcela/core/transactions/TransactionStatus"
import { paymentsToCancel } from "@parcela/core/transactions/TransactionEndings"
import { type OutcomeContext, recordOutcome } from "@parcela/core/transactions/TransactionOutcome"
import { type TransactionState, pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import type { Decision } from "@parcela/core/values/Decision"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import * as Result from "effect/Result"
import { type RefusalsOf, type Change, type Decided, nothingToWrite } from "../command/Decided.ts"
import { subjectOf } from "../command/IdempotencyKey.ts"
import type { CompanyContext, Guard } from "../command/LoadedCompany.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { cancelPayment } from "../command/ScheduledWork.ts"
import type { NewWork } from "../ports/DueWork.ts"
import type { PaymentOwner } from "../ports/PaymentOwner.ts"
import type { Times } from "../ports/WriteContext.ts"

/**
 * A payment after a decision, with the attempt to execute or to wait for.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentResult {
  readonly payment: PaymentContext
  readonly attempt: Attempt | undefined
}

/** Returns the open attempt of a payment. */
const underWayIn = ({ attempts, transaction }: PaymentContext): Attempt | undefined => {
  const way = pendingAttemptOf(transaction)
  return way === undefined ? undefined : attempts.find(({ id }) => id === way.attemptId)
}

/**
 * Returns the payment unchanged, without writes.
 *
 * @category decisions
 * @since 0.1.0
 */
export const unchangedPayment = (
  payment: PaymentContext,
  subject?: string,
  attempt = underWayIn(payment)
): Decided<PaymentResult> => nothingToWrite({ payment, attempt }, subject)

/**
 * Reads a payment without a change.
 *
 * @category decisions
 * @since 0.1.0
 */
export const readPayment = (found: PaymentContext): Result.Result<Decided<PaymentResult>> =>
  Result.succeed(unchangedPayment(found))

/**
 * Returns the writes of a decision about a payment, with its new attempt and the decision about its charge.
 *
 * @category conversions
 * @since 0.1.0
 */
export const changing = (
  found: PaymentContext,
  decision: Decision<TransactionState>,
  now: BusinessTime,
  attempt?: Attempt,
  charge?: Decision<ChargeState>
): Decided<PaymentResult> => {
  const started = attempt === undefined ? [] : [attempt]
  const { payment, ...written } = paymentChange(found, decision, {
    attempts: [...found.attempts, ...started],
    charge,
    now
  })
  return {
    ...written,
    value: { payment, attempt },
    started,
    snapshots: payment,
    subject: subjectOf("transaction", payment.transaction.id, attempt?.id)
  }
}

/**
 * Returns the payment if an earlier run of the same command started this attempt. The reply to that run's COMMIT was
 * lost, and the attempt may have ended since.
 *
 * @category decisions
 * @since 0.1.0
 */
export const startedBefore = (found: PaymentContext, attemptId: AttemptId): Decided<PaymentResult> | undefined => {
  const attempt = found.attempts.find(({ id }) => id === attemptId)
  return attempt === undefined
    ? undefined
    : unchangedPayment(found, subjectOf("transaction", found.transaction.id, attemptId), attempt)
}

/**
 * Records the outcome of an attempt. An attempt that ended concurrently is not changed. `registered` contains the key
 * of the document's address and the registered terms.
 *
 * @category decisions
 * @since 0.1.0
 */
export const conclude =
  (attemptId: AttemptId, outcome: AttemptOutcome, registered: Pick<OutcomeContext, "documentKey" | "terms">) =>
  (found: PaymentContext, at: Times): Result.Result<Decided<PaymentResult>, RefusalsOf<typeof recordOutcome>> => {
    const attempt = found.attempts.find(({ id }) => id === attemptId)
    if (attempt === undefined || attempt.result !== undefined) return Result.succeed(unchangedPayment(found))
    const isCancelled = isOfCancelledContract(found.owner)
    const context = { now: at.business, settledAt: at.machine, ...registered, isOfCancelledContract: isCancelled }
    return Result.map(recordOutcome(found.transaction, attempt, outcome, context), (recorded) => {
      const { attempt: ended } = recorded
      const attempts = found.attempts.map((known) => (known.id === attemptId ? ended : known))
      const { payment, ...written } = paymentChange(found, recorded, { attempts, now: at.business })
      const schedule = leftOpenBy(ended, payment, at)
      return { ...written, value: { payment, attempt: ended }, settled: [ended], snapshots: payment, schedule }
    })
  }

interface PaymentChange extends Pick<Decided<unknown>, "guards" | "changes" | "events"> {
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

/** Returns the writes of a decision about a payment. The subscription stays unchanged. A charge ends with its payment. */
const paymentChange = (
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
  { clock, companyId, endpoints, restores, version }: CompanyContext,
  owner: PaymentOwner,
  made: Pick<PaymentContext, "attempts" | "customer" | "transaction">,
  guard: Guard = guardOf(owner)
): PaymentContext => {
  const { attempts, customer, transaction } = made
  return {
    companyId,
    clock,
    restores,
    version,
    endpoints,
    guard,
    owner,
    customer,
    transaction,
    card: transaction.method === "creditcard" ? owner.card : undefined,
    attempts
  }
}

/** Returns the guard of a new owner, whose row has version 1. */
const guardOf = (owner: PaymentOwner): Guard =>
  owner._tag === "Charge"
    ? { table: "charges", id: owner.charge.id, version: 1 }
    : { table: "subscriptions", id: owner.subscription.id, version: 1 }

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
export const isOpen = (transaction: TransactionState): boolean => paymentsToCancel([transaction]).now.length > 0

/**
 * Returns the job that cancels a payment which remained open after an attempt. A payment whose withdrawal was denied
 * remains open.
 */
const leftOpenBy = (
  { kind }: Attempt,
  { companyId, owner, transaction }: PaymentContext,
  { machine }: Times
): ReadonlyArray<NewWork> =>
  kind !== "cancel" && isOfCancelledContract(owner) && isOpen(transaction)
    ? [cancelPayment(companyId, String(transaction.id), machine)]
    : []

/**
 * Returns the rule for the owner's open payments.
 *
 * @category getters
 * @since 0.1.0
 */
export const openPaymentsOf = (owner: PaymentOwner): OpenPayments =>
  owner._tag === "Subscription"
    ? openPaymentsOfSubscription[owner.subscription.status]
    : openPaymentsOfCharge[owner.charge.status]

/**
 * Returns the owner's terms for boletos and Pix. The terms of a card payment are in the payment itself.
 *
 * @category getters
 * @since 0.1.0
 */
export const termsOf = (
  owner: PaymentOwner
): { readonly boleto: PaymentMethodBoleto; readonly pix: PaymentMethodPix } => {
  const { boleto = {}, pix = {} } = owner._tag === "Subscription" ? owner.subscription : owner.charge
  return { boleto, pix }
}
