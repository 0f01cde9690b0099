/**
 * The decisions of payments over the loaded data. All are pure functions, because the store may run them again.
 *
 * @since 0.1.0
 */
import { withinBrand } from "@parcela/core/cards/CardInstallments"
import type { AddPayment } from "@parcela/core/transactions/AddPayment"
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { AttemptOutcome } from "@parcela/core/attempts/AttemptOutcome"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as SubscriptionDecider from "@parcela/core/subscriptions/SubscriptionDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { openTransactionsWhile } from "@parcela/core/subscriptions/SubscriptionStatus"
import * as Decider from "@parcela/core/transactions/TransactionDecider"
import { type OutcomeContext, recordOutcome } from "@parcela/core/transactions/TransactionOutcome"
import { type TransactionState, underWayOf } from "@parcela/core/transactions/TransactionState"
import { dateAt } from "@parcela/core/time/WallClock"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { Decision } from "@parcela/core/values/Decision"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { type RefusalsOf, subjectOf } from "../command/Command.ts"
import { giveCard } from "../command/ScheduledWork.ts"
import type { Times } from "../ports/Times.ts"
import { type Change, type Decided, nothingToWrite } from "../command/Decided.ts"
import type { NewPaymentContext, PaymentContext } from "../command/LoadedPayments.ts"
import { createdPayment, isOfCancelledContract, leftOpenBy, paymentChange } from "./PaymentChange.ts"
import { type RequestedCard, own } from "../cards/RequestedCard.ts"
import type { BillingError } from "@parcela/core/errors/BillingError"
import type { IncomingChargeback } from "@parcela/core/transactions/IncomingChargeback"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingPayment"
import type { IncomingReport } from "@parcela/core/transactions/IncomingReport"
import { dispute as disputed } from "@parcela/core/transactions/TransactionReversal"
import * as Settlement from "@parcela/core/transactions/TransactionSettlement"
import type { PaymentMark } from "../ports/IncomingPayments.ts"
import { termsOf } from "../ports/PaymentOwner.ts"

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

/**
 * Identifiers generated before the first run, so that a rerun recognizes its own writes.
 *
 * @category models
 * @since 0.1.0
 */
export interface Identifiers {
  readonly attemptId: AttemptId
  readonly transactionId: SvcPayId
}

/** Returns the open attempt of a payment. */
const underWayIn = ({ attempts, transaction }: PaymentContext): Attempt | undefined => {
  const way = underWayOf(transaction)
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
export const look = (found: PaymentContext): Result.Result<Decided<PaymentResult>> =>
  Result.succeed(unchangedPayment(found))

interface WithCard {
  readonly subscription: SubscriptionState
  readonly card: NewPaymentContext["subscriptionCard"]
  readonly changes: ReadonlyArray<Change>
  readonly events: Decided<unknown>["events"]
}

/** Returns the subscription with the card of the new payment. */
const withCard = (
  { cards, subscription, subscriptionCard }: NewPaymentContext,
  requested: RequestedCard | undefined,
  now: BusinessTime,
  today: LocalDate
): Result.Result<WithCard, RefusalsOf<typeof own | typeof SubscriptionDecider.useCard>> => {
  if (requested === undefined) {
    return Result.succeed({ subscription, card: subscriptionCard, changes: [], events: [] })
  }
  const { companyId, customerId } = subscription
  return Result.flatMap(own(requested, cards, { companyId, customerId, now }), ({ card, changes, events }) =>
    Result.map(SubscriptionDecider.useCard(subscription, card.id, now, today), (used) => ({
      subscription: used.next,
      card,
      changes,
      events: [...events, ...used.events]
    }))
  )
}

/**
 * Adds a payment to a subscription, and starts its attempt if it is due.
 *
 * @category decisions
 * @since 0.1.0
 */
export const add =
  (command: AddPayment, requested: RequestedCard | undefined, ids: Identifiers, zone: DateTime.TimeZone) =>
  (
    found: NewPaymentContext,
    at: Times
  ): Result.Result<
    Decided<PaymentResult>,
    RefusalsOf<typeof withCard | typeof withinBrand | typeof Decider.add | typeof Decider.send>
  > => {
    const { customer, customerGuard, guard, sameMyId, subscription: before } = found
    const { attemptId, transactionId } = ids
    const { business: now, machine } = at
    // An earlier run wrote the payment, and the reply to its COMMIT was lost.
    if (sameMyId?.id === transactionId) return Result.succeed(addedBefore(found, sameMyId))
    const today = dateAt(now, zone)
    const paid = withCard(found, requested, now, today)
    if (Result.isFailure(paid)) return Result.fail(paid.failure)
    const { card, changes, events, subscription: paying } = paid.success
    const added = Decider.add(paying, command, { id: transactionId, sameMyId, today, now })
    if (Result.isFailure(added)) return Result.fail(added.failure)
    const { next: opened } = added.success
    const limits = opened.method === "creditcard" ? withinBrand(card, opened.creditCard) : Result.void
    if (Result.isFailure(limits)) return Result.fail(limits.failure)
    const isSent = Decider.wantsAttempt(opened, today, openTransactionsWhile[paying.status])
    const sent = isSent ? Decider.send(opened, { attemptId, startedAt: machine }, now) : undefined
    if (sent !== undefined && Result.isFailure(sent)) return Result.fail(sent.failure)
    const started = sent?.success
    const transaction = started?.next ?? opened
    const subscription = SubscriptionDecider.countPayment(paying, now)
    const attempts = started === undefined ? [] : [started.attempt]
    const left = { ...guard, version: guard.version + 1 }
    const owner = { _tag: "Subscription", subscription, card } as const
    const payment = createdPayment(found, owner, { customer, transaction, attempts }, left)
    return Result.succeed({
      value: { payment, attempt: started?.attempt },
      // The named card may be removed concurrently.
      guards: requested === undefined ? [guard] : [guard, customerGuard],
      changes: [
        ...changes,
        { table: "subscriptions", before, next: subscription },
        { table: "transactions", next: transaction, customerId: customer.id }
      ],
      started: attempts,
      events: [...events, ...added.success.events, ...(started?.events ?? [])],
      schedule:
        before.status === "waitingPayment" && subscription.status === "active" ? [giveCard(subscription, machine)] : [],
      shown: payment,
      subject: subjectOf("transaction", transactionId)
    })
  }

const addedBefore = (found: NewPaymentContext, transaction: TransactionState): Decided<PaymentResult> => {
  const { customer, guard, subscription, subscriptionCard: card } = found
  const owner = { _tag: "Subscription", subscription, card } as const
  const payment = createdPayment(found, owner, { customer, transaction, attempts: [] }, guard)
  return unchangedPayment(payment, subjectOf("transaction", transaction.id))
}

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
    shown: payment,
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
      return { ...written, value: { payment, attempt: ended }, settled: [ended], shown: payment, schedule }
    })
  }

/** Records a reported payment on its transaction. Writes nothing if the payment is already recorded. */
const settle =
  ({ fee, id, method, paidAt, value }: IncomingPayment, zone: DateTime.TimeZone) =>
  (
    found: PaymentContext,
    { business: now }: Times
  ): Result.Result<Decided<PaymentResult>, RefusalsOf<typeof Settlement.settle>> => {
    const settlement = { id, value, paidOn: dateAt(paidAt, zone), ...(fee === undefined ? {} : { fee }) }
    const terms = termsOf(found.owner)[method]
    return Result.map(Settlement.settle(found.transaction, settlement, { terms, now }), (decision) =>
      decision.events.length === 0 ? unchangedPayment(found) : changing(found, decision, now)
    )
  }

/** Records a dispute, identified by the operator's id. Writes nothing if the dispute is already recorded. */
const dispute =
  ({ id }: IncomingChargeback) =>
  (
    found: PaymentContext,
    { business: now }: Times
  ): Result.Result<Decided<PaymentResult>, RefusalsOf<typeof disputed>> =>
    Result.map(disputed(found.transaction, id, now), (decision) =>
      decision.events.length === 0 ? unchangedPayment(found) : changing(found, decision, now)
    )

/**
 * Records a report on its transaction. Writes nothing if the report is already recorded.
 *
 * @category decisions
 * @since 0.1.0
 */
export const record = (report: IncomingReport, zone: DateTime.TimeZone) =>
  report.method === "creditcard" ? dispute(report) : settle(report, zone)

/**
 * Returns the mark of a report that its transaction refused. A refusal because of an open attempt is temporary: the
 * report stays `waiting`. All other refusals are final.
 *
 * @category decisions
 * @since 0.1.0
 */
export const markOfRefusal = ({ message, refusal }: BillingError): Pick<PaymentMark, "problem" | "standing"> => ({
  standing: refusal._tag === "AttemptUnderWay" ? "waiting" : "unmatched",
  problem: message
})
