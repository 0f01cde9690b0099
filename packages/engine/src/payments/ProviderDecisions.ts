/**
 * The decisions of retry, capture, reverse, cancel and waive. Each starts an attempt, or joins an open attempt with the
 * same effect.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import { refuse } from "@parcela/core/errors/BillingError"
import type { RefusalOf } from "@parcela/core/errors/BillingRefusal"
import type { BusinessTime } from "@parcela/core/time/Instant"
import type { ReverseTransaction } from "@parcela/core/transactions/PaymentRequests"
import * as Attempts from "@parcela/core/transactions/TransactionAttempts"
import { startCapture } from "@parcela/core/transactions/TransactionAttempts"
import * as Endings from "@parcela/core/transactions/TransactionEndings"
import { startReversal, reversibleAmount } from "@parcela/core/transactions/TransactionReversal"
import {
  documentKeyOf,
  type TransactionState,
  type PendingAttempt,
  pendingAttemptOf
} from "@parcela/core/transactions/TransactionState"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import * as Result from "effect/Result"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import { subjectOf } from "../command/IdempotencyKey.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { unchangedPayment, startedBefore, changing, type PaymentResult } from "./PaymentDecisions.ts"

/**
 * A decision that starts the attempt `attemptId`.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderDecision<R> = (
  attemptId: AttemptId
) => (found: PaymentContext, at: Times) => Result.Result<Decided<PaymentResult>, R>

interface CommandRules<R> {
  /** Returns true if the open attempt has the same effect as this command, so that both share its outcome. */
  readonly joins: (way: PendingAttempt, transaction: TransactionState) => boolean
  readonly begin: (
    transaction: TransactionState,
    attempt: Attempts.NewAttempt,
    now: BusinessTime
  ) => Result.Result<Attempts.StartedAttempt, R>
}

const decisionOf =
  <R>({ begin, joins }: CommandRules<R>): ProviderDecision<R> =>
  (attemptId) =>
  (found, at) => {
    const before = startedBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const { transaction } = found
    const way = pendingAttemptOf(transaction)
    return way !== undefined && joins(way, transaction)
      ? Result.succeed(unchangedPayment(found, subjectOf("transaction", transaction.id, way.attemptId)))
      : Result.map(begin(transaction, { attemptId, startedAt: at.machine }, at.business), (started) =>
          changing(found, started, at.business, started.attempt)
        )
  }

/**
 * Repeats a failed charge or capture, or joins the open attempt.
 *
 * @category decisions
 * @since 0.1.0
 */
export const retry = decisionOf({
  joins: ({ kind }) => kind === "charge" || kind === "capture",
  begin: (transaction, attempt, now) => Attempts.retry(transaction, attempt, now)
})

/**
 * Captures an authorized amount.
 *
 * @category decisions
 * @since 0.1.0
 */
export const capture = decisionOf({ joins: ({ kind }) => kind === "capture", begin: startCapture })

/**
 * The entity that the path of the request names. Refusals name a field of this entity.
 *
 * @category models
 * @since 0.1.0
 */
export type NamedEntity = RefusalOf<"CancelledBefore">["entity"]

/**
 * Refunds the remaining amount, or a part of it. A command joins an open reversal of the same amount. A partial
 * reversal with its own key is a separate reversal, and is refused during another.
 *
 * @category decisions
 * @since 0.1.0
 */
export const reverse = (command: ReverseTransaction, isUnderKey: boolean, entity: NamedEntity) =>
  decisionOf({
    joins: ({ kind, value }, transaction) =>
      kind === "reverse" &&
      (command.valueToReverse === undefined
        ? value === reversibleAmount(transaction)
        : !isUnderKey && value === command.valueToReverse),
    begin: (transaction, attempt, now) => startReversal(transaction, command, attempt, now, entity)
  })

interface Ending<R> {
  /** The statuses of a payment that is already ended in this way. */
  readonly ended: ReadonlyArray<TransactionStatus>
  /** Returns the refusal for a payment that is already ended. Without this function the command succeeds. */
  readonly refuseEnded?: () => R
  /** Ends a payment that no provider has registered. */
  readonly end: (transaction: TransactionState, now: BusinessTime) => Endings.DecidedEnding
  /** The state after the withdrawal. Default: cancelled. */
  readonly withdrawn?: PendingAttempt["withdrawn"]
}

/**
 * Writes nothing for a payment that is already ended. A rerun that finds the payment ended succeeds: its own commit
 * lost its reply, or a concurrent command ended the payment.
 */
const ending = <R = never>({
  end,
  ended,
  refuseEnded,
  withdrawn
}: Ending<R>): ProviderDecision<R | RefusalsOf<typeof Endings.cancel | typeof Endings.startCancellation>> => {
  const withdraw = decisionOf({
    joins: (way) => way.kind === "cancel" && way.withdrawn?._tag === withdrawn?._tag,
    begin: (transaction, attempt, now) => Endings.startCancellation(transaction, attempt, now, withdrawn)
  })
  return (attemptId) => {
    let isRerun = false
    return (found, at) => {
      const { transaction } = found
      const before = startedBefore(found, attemptId)
      if (before !== undefined) return Result.succeed(before)
      if (ended.includes(transaction.status)) {
        return refuseEnded === undefined || isRerun
          ? Result.succeed(unchangedPayment(found, subjectOf("transaction", transaction.id)))
          : Result.fail(refuseEnded())
      }
      isRerun = true
      return documentKeyOf(transaction) === undefined
        ? Result.map(end(transaction, at.business), (decision) => changing(found, decision, at.business))
        : withdraw(attemptId)(found, at)
    }
  }
}

/**
 * Cancels a payment. The provider withdraws a registered boleto or Pix first.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancel = (entity: NamedEntity) =>
  ending({
    ended: ["cancel", "cancelByContract"],
    end: Endings.cancel,
    refuseEnded: () => refuse({ _tag: "CancelledBefore", entity })
  })

/**
 * Waives a payment, so that nothing is owed. The provider withdraws a registered boleto or Pix first.
 *
 * @category decisions
 * @since 0.1.0
 */
export const waive = ending({ ended: ["free"], end: Endings.waive, withdrawn: { _tag: "Waived" } })
