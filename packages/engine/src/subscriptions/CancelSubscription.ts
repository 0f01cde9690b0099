/**
 * What becomes of the open payments of a subscription that was cancelled.
 *
 * **Details**
 *
 * What no provider knows is `cancelByContract` in the unit that looks at it. A boleto or a Pix that its provider knows is
 * withdrawn there first, by an attempt of its own, which a row of due work begins. What is under way may be paid yet, and
 * is left alone until it has an outcome: recording that one brings the row.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import { beginCancellation, cancelByContract } from "@parcela/core/transactions/TransactionEndings"
import { documentKeyOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import * as Result from "effect/Result"
import { cancelPayment } from "../command/ScheduledWork.ts"
import type { RefusalsOf } from "../command/Command.ts"
import type { Times } from "../ports/Times.ts"
import type { Decided } from "../command/Decided.ts"
import type { PaymentContext, SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import type { NewWork } from "../ports/DueWork.ts"
import { isOfCancelledContract, isOpen } from "../payments/PaymentChange.ts"
import { asItStands, begunBefore, changing, type PaymentLeft } from "../payments/PaymentDecisions.ts"
import { shownIn } from "../payments/PaymentView.ts"

const isWithdrawn = (transaction: TransactionState): boolean => documentKeyOf(transaction) !== undefined

/**
 * Cancels a part of the payments of a subscription with it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancelWithContract = (
  found: SubscriptionPaymentsContext,
  { business, machine }: Times
): Result.Result<
  Pick<Decided<unknown>, "changes" | "events" | "shown"> & { readonly schedule: ReadonlyArray<NewWork> },
  RefusalsOf<typeof cancelByContract>
> =>
  Result.gen(function* () {
    const { companyId, payments, subscription } = found
    const open = payments.filter(isOpen)
    const ended = []
    for (const before of open.filter((payment) => !isWithdrawn(payment))) {
      ended.push({ before, ...(yield* cancelByContract(before, business)) })
    }
    return {
      changes: ended.map(({ before, next }) => ({
        table: "transactions" as const,
        before,
        next,
        customerId: subscription.customerId
      })),
      events: ended.flatMap(({ events }) => events),
      shown: ended.map(({ next }) => next).map(shownIn(found)),
      schedule: open.filter(isWithdrawn).map(({ id }) => cancelPayment(companyId, String(id), machine))
    }
  })

/**
 * Ends one payment of a subscription that was cancelled; nothing when there is nothing left to be ended.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancelOne =
  (attemptId: AttemptId) =>
  (
    found: PaymentContext,
    at: Times
  ): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof beginCancellation | typeof cancelByContract>> => {
    const { owner, transaction } = found
    const before = begunBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    if (!isOfCancelledContract(owner) || !isOpen(transaction)) return Result.succeed(asItStands(found))
    return isWithdrawn(transaction)
      ? Result.map(beginCancellation(transaction, { attemptId, startedAt: at.machine }, at.business), (begun) => ({
          ...changing(found, begun, at.business, begun.attempt),
          // The attempt has the rest: what its provider denies is not asked for again.
          cancel: [{ kind: "cancel payment", subject: String(transaction.id) }]
        }))
      : Result.map(cancelByContract(transaction, at.business), (decision) => changing(found, decision, at.business))
  }
