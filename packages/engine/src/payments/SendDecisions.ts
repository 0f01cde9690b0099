/**
 * The decisions about payments that are due. All are pure functions, because the store may run them again.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { NewInstalment } from "@parcela/core/subscriptions/PeriodicSubscription"
import { type BusinessTime, businessStartOf } from "@parcela/core/time/Instant"
import { send as sendTransaction } from "@parcela/core/transactions/TransactionAttempts"
import { transactionDue } from "@parcela/core/transactions/TransactionDeadlines"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { nextInstalment } from "./Instalments.ts"
import { unchangedPayment, startedBefore, changing, openPaymentsOf, type PaymentResult } from "./PaymentDecisions.ts"
import { snapshotIn } from "./ShowPayment.ts"

/**
 * A payment after its due job. `dueAt` is set if the job ran too early.
 *
 * @category models
 * @since 0.1.0
 */
export interface SentPayment extends PaymentResult {
  readonly dueAt?: BusinessTime
}

/**
 * Adds the next instalment of the subscription, if it is due on the same day. Its own job then finds it already
 * created.
 */
const withNextInstalment = (
  sent: Decided<PaymentResult>,
  found: PaymentContext,
  name: NewInstalment,
  { business: now }: Times,
  zone: DateTime.TimeZone
): Decided<PaymentResult> => {
  const { customer, owner } = found
  const { payment } = sent.value
  const taken = owner._tag === "Subscription" ? nextInstalment(owner.subscription, name, now, zone) : undefined
  if (owner._tag === "Charge" || taken === undefined) return sent
  const { changes, events, made, next: subscription } = taken
  return {
    ...sent,
    value: { ...sent.value, payment: { ...payment, owner: { ...owner, subscription } } },
    changes: [...sent.changes, ...changes],
    events: [...sent.events, ...events],
    snapshots: [payment, ...made.map(snapshotIn({ customer, subscription, subscriptionCard: owner.card }))]
  }
}

/**
 * Sends a due payment, if it is still to be sent. A paused payment is sent when its subscription is active again: see
 * `FollowSubscription`. `name` contains the identifiers of the next instalment, which is usually due with this payment.
 *
 * @category decisions
 * @since 0.1.0
 */
export const send =
  (attemptId: AttemptId, name: NewInstalment, zone: DateTime.TimeZone) =>
  (found: PaymentContext, at: Times): Result.Result<Decided<SentPayment>, RefusalsOf<typeof sendTransaction>> => {
    const before = startedBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const due = transactionDue(found.transaction, openPaymentsOf(found.owner))
    if (due._tag === "Paused" || due._tag === "Never") return Result.succeed(unchangedPayment(found))
    const from = due._tag === "OnDay" ? businessStartOf(due.day, zone) : at.business
    if (from > at.business) {
      const stands = unchangedPayment(found)
      return Result.succeed({ ...stands, value: { ...stands.value, dueAt: from } })
    }
    const started = sendTransaction(found.transaction, { attemptId, startedAt: at.machine }, at.business)
    return Result.map(started, (started) => {
      const sent = changing(found, started, at.business, started.attempt)
      return due._tag === "OnDay" ? withNextInstalment(sent, found, name, at, zone) : sent
    })
  }
