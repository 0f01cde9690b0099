/**
 * What the use cases of payments decide, over what was loaded: pure functions, which a rerun calls again.
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
 * A payment as a unit left it, and the attempt that is to be carried to its end or waited for, if there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentLeft {
  readonly payment: PaymentContext
  readonly attempt: Attempt | undefined
}

/**
 * What was taken before the unit, so that a rerun decides the same and recognizes what it wrote.
 *
 * @category models
 * @since 0.1.0
 */
export interface Identifiers {
  readonly attemptId: AttemptId
  readonly transactionId: SvcPayId
}

/** The attempt that is under way, from the payment's history. */
const underWayIn = ({ attempts, transaction }: PaymentContext): Attempt | undefined => {
  const way = underWayOf(transaction)
  return way === undefined ? undefined : attempts.find(({ id }) => id === way.attemptId)
}

/**
 * The payment as it stands, with nothing to write.
 *
 * @category decisions
 * @since 0.1.0
 */
export const asItStands = (
  payment: PaymentContext,
  subject?: string,
  attempt = underWayIn(payment)
): Decided<PaymentLeft> => nothingToWrite({ payment, attempt }, subject)

/**
 * Looks at a payment.
 *
 * @category decisions
 * @since 0.1.0
 */
export const look = (found: PaymentContext): Result.Result<Decided<PaymentLeft>> => Result.succeed(asItStands(found))

interface WithCard {
  readonly subscription: SubscriptionState
  readonly card: NewPaymentContext["subscriptionCard"]
  readonly changes: ReadonlyArray<Change>
  readonly events: Decided<unknown>["events"]
}

/** The subscription with the card that comes with the payment. */
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
 * Adds a payment to a subscription, and begins the attempt that it wants at once.
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
    Decided<PaymentLeft>,
    RefusalsOf<typeof withCard | typeof withinBrand | typeof Decider.add | typeof Decider.send>
  > => {
    const { customer, customerGuard, guard, sameMyId, subscription: before } = found
    const { attemptId, transactionId } = ids
    const { business: now, machine } = at
    // Written by an earlier run whose COMMIT had no reply.
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
    const begun = sent?.success
    const transaction = begun?.next ?? opened
    const subscription = SubscriptionDecider.countPayment(paying, now)
    const attempts = begun === undefined ? [] : [begun.attempt]
    const left = { ...guard, version: guard.version + 1 }
    const owner = { _tag: "Subscription", subscription, card } as const
    const payment = createdPayment(found, owner, { customer, transaction, attempts }, left)
    return Result.succeed({
      value: { payment, attempt: begun?.attempt },
      // A card that is named may be removed meanwhile.
      guards: requested === undefined ? [guard] : [guard, customerGuard],
      changes: [
        ...changes,
        { table: "subscriptions", before, next: subscription },
        { table: "transactions", next: transaction, customerId: customer.id }
      ],
      begun: attempts,
      events: [...events, ...added.success.events, ...(begun?.events ?? [])],
      schedule:
        before.status === "waitingPayment" && subscription.status === "active" ? [giveCard(subscription, machine)] : [],
      shown: payment,
      subject: subjectOf("transaction", transactionId)
    })
  }

const addedBefore = (found: NewPaymentContext, transaction: TransactionState): Decided<PaymentLeft> => {
  const { customer, guard, subscription, subscriptionCard: card } = found
  const owner = { _tag: "Subscription", subscription, card } as const
  const payment = createdPayment(found, owner, { customer, transaction, attempts: [] }, guard)
  return asItStands(payment, subjectOf("transaction", transaction.id))
}

/**
 * What a decision about a payment writes, the attempt that it begins, if it begins one, and what was decided of its charge.
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
): Decided<PaymentLeft> => {
  const begun = attempt === undefined ? [] : [attempt]
  const { payment, ...written } = paymentChange(found, decision, {
    attempts: [...found.attempts, ...begun],
    charge,
    now
  })
  return {
    ...written,
    value: { payment, attempt },
    begun,
    shown: payment,
    subject: subjectOf("transaction", payment.transaction.id, attempt?.id)
  }
}

/**
 * What an earlier run of the same command wrote, whose COMMIT had no reply, however its attempt ended since.
 *
 * @category decisions
 * @since 0.1.0
 */
export const begunBefore = (found: PaymentContext, attemptId: AttemptId): Decided<PaymentLeft> | undefined => {
  const attempt = found.attempts.find(({ id }) => id === attemptId)
  return attempt === undefined
    ? undefined
    : asItStands(found, subjectOf("transaction", found.transaction.id, attemptId), attempt)
}

/**
 * Records the provider's outcome of an attempt. One that ended meanwhile stays as it ended. `registered` is what goes with
 * a slip or a code: the key of its address, and how the provider was asked for it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const conclude =
  (attemptId: AttemptId, outcome: AttemptOutcome, registered: Pick<OutcomeContext, "documentKey" | "terms">) =>
  (found: PaymentContext, at: Times): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof recordOutcome>> => {
    const attempt = found.attempts.find(({ id }) => id === attemptId)
    if (attempt === undefined || attempt.result !== undefined) return Result.succeed(asItStands(found))
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

/** Notes a payment on its transaction; nothing is written where it is noted already. */
const settle =
  ({ fee, id, method, paidAt, value }: IncomingPayment, zone: DateTime.TimeZone) =>
  (
    found: PaymentContext,
    { business: now }: Times
  ): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof Settlement.settle>> => {
    const settlement = { id, value, paidOn: dateAt(paidAt, zone), ...(fee === undefined ? {} : { fee }) }
    const terms = termsOf(found.owner)[method]
    return Result.map(Settlement.settle(found.transaction, settlement, { terms, now }), (decision) =>
      decision.events.length === 0 ? asItStands(found) : changing(found, decision, now)
    )
  }

/** The same of a dispute, which its operator's name stands for. */
const dispute =
  ({ id }: IncomingChargeback) =>
  (found: PaymentContext, { business: now }: Times): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof disputed>> =>
    Result.map(disputed(found.transaction, id, now), (decision) =>
      decision.events.length === 0 ? asItStands(found) : changing(found, decision, now)
    )

/**
 * Notes on a transaction what was reported of it; nothing is written where it is noted already.
 *
 * @category decisions
 * @since 0.1.0
 */
export const record = (report: IncomingReport, zone: DateTime.TimeZone) =>
  report.method === "creditcard" ? dispute(report) : settle(report, zone)

/**
 * What becomes of a payment that its transaction does not take. It waits for an attempt that is under way (a
 * withdrawal is none of these), as that may decide whether it fits; all other refusals are for good.
 *
 * @category decisions
 * @since 0.1.0
 */
export const markOfRefusal = ({ message, refusal }: BillingError): Pick<PaymentMark, "problem" | "standing"> => ({
  standing: refusal._tag === "AttemptUnderWay" ? "waiting" : "unmatched",
  problem: message
})
