/**
 * What is decided of a payment that is due: pure functions, which a rerun calls again.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { NewInstalment } from "@parcela/core/subscriptions/PeriodicSubscription"
import { type BusinessTime, businessStartOf } from "@parcela/core/time/BusinessTime"
import { send as sendTransaction } from "@parcela/core/transactions/TransactionDecider"
import { transactionDue } from "@parcela/core/transactions/TransactionDue"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { RefusalsOf } from "../command/Command.ts"
import type { Times } from "../ports/Times.ts"
import type { Decided } from "../command/Decided.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { openPaymentsOf } from "../ports/PaymentOwner.ts"
import { nextInstalment } from "./Instalments.ts"
import { asItStands, begunBefore, changing, type PaymentLeft } from "./PaymentDecisions.ts"
import { shownIn } from "./PaymentView.ts"

/**
 * What became of a payment that was due: `dueAt` says when it is due again, if it was too early.
 *
 * @category models
 * @since 0.1.0
 */
export interface SentPayment extends PaymentLeft {
  readonly dueAt?: BusinessTime
}

/** With the next instalment of its subscription, where one is due on the same day: the work that makes it finds it made. */
const withNextInstalment = (
  sent: Decided<PaymentLeft>,
  found: PaymentContext,
  name: NewInstalment,
  { business: now }: Times,
  zone: DateTime.TimeZone
): Decided<PaymentLeft> => {
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
    shown: [payment, ...made.map(shownIn({ customer, subscription, subscriptionCard: owner.card }))]
  }
}

/**
 * Sends a payment that is due, if it still wants that. What is paused comes back when its subscription is
 * active again: see `FollowSubscription`. `name` is what the next instalment gets, which is due with the payment as a rule.
 *
 * @category decisions
 * @since 0.1.0
 */
export const send =
  (attemptId: AttemptId, name: NewInstalment, zone: DateTime.TimeZone) =>
  (found: PaymentContext, at: Times): Result.Result<Decided<SentPayment>, RefusalsOf<typeof sendTransaction>> => {
    const before = begunBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const due = transactionDue(found.transaction, openPaymentsOf(found.owner))
    if (due._tag === "Paused" || due._tag === "Never") return Result.succeed(asItStands(found))
    const from = due._tag === "OnDay" ? businessStartOf(due.day, zone) : at.business
    if (from > at.business) {
      const stands = asItStands(found)
      return Result.succeed({ ...stands, value: { ...stands.value, dueAt: from } })
    }
    const begun = sendTransaction(found.transaction, { attemptId, startedAt: at.machine }, at.business)
    return Result.map(begun, (begun) => {
      const sent = changing(found, begun, at.business, begun.attempt)
      return due._tag === "OnDay" ? withNextInstalment(sent, found, name, at, zone) : sent
    })
  }
