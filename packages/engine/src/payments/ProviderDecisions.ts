/**
 * What the commands decide that ask a provider about a payment: retry, reverse, capture, cancel and waive. Each begins an
 * attempt, or joins one that is under way for the same.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import { refuse } from "@parcela/core/errors/BillingError"
import type { RefusalOf } from "@parcela/core/errors/BillingRefusal"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { ReverseTransaction } from "@parcela/core/transactions/ReverseTransaction"
import { beginCapture } from "@parcela/core/transactions/TransactionCapture"
import * as Decider from "@parcela/core/transactions/TransactionDecider"
import * as Endings from "@parcela/core/transactions/TransactionEndings"
import { beginReversal, leftToReverse } from "@parcela/core/transactions/TransactionReversal"
import {
  documentKeyOf,
  type TransactionState,
  type UnderWay,
  underWayOf
} from "@parcela/core/transactions/TransactionState"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import * as Result from "effect/Result"
import { type RefusalsOf, subjectOf } from "../command/Command.ts"
import type { Times } from "../ports/Times.ts"
import type { Decided } from "../command/Decided.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { asItStands, begunBefore, changing, type PaymentLeft } from "./PaymentDecisions.ts"

/**
 * The decision of such a command, for the attempt that it is to begin.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderDecision<R> = (
  attemptId: AttemptId
) => (found: PaymentContext, at: Times) => Result.Result<Decided<PaymentLeft>, R>

interface Asked<R> {
  /** Whether an attempt that is under way is for the same: its outcome is the outcome of this command too. */
  readonly joins: (way: UnderWay, transaction: TransactionState) => boolean
  readonly begin: (
    transaction: TransactionState,
    attempt: Decider.NewAttempt,
    now: BusinessTime
  ) => Result.Result<Decider.Begun, R>
}

const asking =
  <R>({ begin, joins }: Asked<R>): ProviderDecision<R> =>
  (attemptId) =>
  (found, at) => {
    const before = begunBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const { transaction } = found
    const way = underWayOf(transaction)
    return way !== undefined && joins(way, transaction)
      ? Result.succeed(asItStands(found, subjectOf("transaction", transaction.id, way.attemptId)))
      : Result.map(begin(transaction, { attemptId, startedAt: at.machine }, at.business), (begun) =>
          changing(found, begun, at.business, begun.attempt)
        )
  }

/**
 * Tries a capture again, or joins the attempt that is under way.
 *
 * @category decisions
 * @since 0.1.0
 */
export const retry = asking({
  joins: ({ kind }) => kind === "charge" || kind === "capture",
  begin: (transaction, attempt, now) => Decider.retry(transaction, attempt, now)
})

/**
 * Captures what is authorized.
 *
 * @category decisions
 * @since 0.1.0
 */
export const capture = asking({ joins: ({ kind }) => kind === "capture", begin: beginCapture })

/**
 * What the path of the request names: its refusals are about a field of that.
 *
 * @category models
 * @since 0.1.0
 */
export type AskedEntity = RefusalOf<"CancelledBefore">["entity"]

/**
 * Gives back all that is left, or a part of it. A reversal of the same amount that is under way is the same reversal; but
 * a part that is asked for under a key of its own is one of its own, and is refused beside another.
 *
 * @category decisions
 * @since 0.1.0
 */
export const reverse = (command: ReverseTransaction, isUnderKey: boolean, entity: AskedEntity) =>
  asking({
    joins: ({ kind, value }, transaction) =>
      kind === "reverse" &&
      (command.valueToReverse === undefined
        ? value === leftToReverse(transaction)
        : !isUnderKey && value === command.valueToReverse),
    begin: (transaction, attempt, now) => beginReversal(transaction, command, attempt, now, entity)
  })

interface Ending<R> {
  /** The statuses of one that was ended so before. */
  readonly ended: ReadonlyArray<TransactionStatus>
  /** Refuses one that was ended before the command came; without it, that is the outcome of the command too. */
  readonly refuseEnded?: () => R
  /** Ends what no provider knows. */
  readonly end: (transaction: TransactionState, now: BusinessTime) => Endings.DecidedEnding
  /** What a provider withdraws for it becomes, where that is not cancelled. */
  readonly withdrawn?: UnderWay["withdrawn"]
}

/**
 * One that was ended so stays as it is, and nothing is written. A rerun that finds it ended succeeds: its own commit, whose
 * reply was lost, ended it, or a command that ran at the same time.
 */
const ending = <R = never>({
  end,
  ended,
  refuseEnded,
  withdrawn
}: Ending<R>): ProviderDecision<R | RefusalsOf<typeof Endings.cancel | typeof Endings.beginCancellation>> => {
  const withdraw = asking({
    joins: (way) => way.kind === "cancel" && way.withdrawn?._tag === withdrawn?._tag,
    begin: (transaction, attempt, now) => Endings.beginCancellation(transaction, attempt, now, withdrawn)
  })
  return (attemptId) => {
    let isRerun = false
    return (found, at) => {
      const { transaction } = found
      const before = begunBefore(found, attemptId)
      if (before !== undefined) return Result.succeed(before)
      if (ended.includes(transaction.status)) {
        return refuseEnded === undefined || isRerun
          ? Result.succeed(asItStands(found, subjectOf("transaction", transaction.id)))
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
 * Cancels a payment. A boleto or a Pix that its provider knows is withdrawn there first.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancel = (entity: AskedEntity) =>
  ending({
    ended: ["cancel", "cancelByContract"],
    end: Endings.cancel,
    refuseEnded: () => refuse({ _tag: "CancelledBefore", entity })
  })

/**
 * Waives a payment: nothing is owed any more. A boleto or a Pix that its provider knows is withdrawn there first.
 *
 * @category decisions
 * @since 0.1.0
 */
export const waive = ending({ ended: ["free"], end: Endings.waive, withdrawn: { _tag: "Waived" } })
