/**
 * Cancels the open payments of a cancelled subscription.
 *
 * **Details**
 *
 * A payment that no provider has registered gets the status `cancelByContract` directly. For a registered boleto or
 * Pix, a job starts an attempt that withdraws it. A payment with an open attempt may still be paid: recording the
 * outcome of the attempt schedules the job.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import { startCancellation, cancelByContract } from "@parcela/core/transactions/TransactionEndings"
import { documentKeyOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import * as Result from "effect/Result"
import { cancelPayment } from "../command/ScheduledWork.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { PaymentContext, SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import type { NewWork } from "../ports/DueWork.ts"
import {
  isOfCancelledContract,
  isOpen,
  unchangedPayment,
  startedBefore,
  changing,
  type PaymentResult
} from "../payments/PaymentDecisions.ts"
import { snapshotIn } from "../payments/ShowPayment.ts"

const isWithdrawn = (transaction: TransactionState): boolean => documentKeyOf(transaction) !== undefined

/**
 * Cancels a page of payments of a subscription.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancelWithContract = (
  found: SubscriptionPaymentsContext,
  { business, machine }: Times
): Result.Result<
  Pick<Decided<unknown>, "changes" | "events" | "snapshots"> & { readonly schedule: ReadonlyArray<NewWork> },
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
      snapshots: ended.map(({ next }) => next).map(snapshotIn(found)),
      schedule: open.filter(isWithdrawn).map(({ id }) => cancelPayment(companyId, String(id), machine))
    }
  })

/**
 * Cancels one payment of a cancelled subscription. Writes nothing if the payment is already finished.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancelOne =
  (attemptId: AttemptId) =>
  (
    found: PaymentContext,
    at: Times
  ): Result.Result<Decided<PaymentResult>, RefusalsOf<typeof startCancellation | typeof cancelByContract>> => {
    const { owner, transaction } = found
    const before = startedBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    if (!isOfCancelledContract(owner) || !isOpen(transaction)) return Result.succeed(unchangedPayment(found))
    return isWithdrawn(transaction)
      ? Result.map(startCancellation(transaction, { attemptId, startedAt: at.machine }, at.business), (started) => ({
          ...changing(found, started, at.business, started.attempt),
          // The attempt continues the work of this job. If the provider denies the withdrawal, the job is not
          // repeated.
          cancel: [{ kind: "cancel payment", subject: String(transaction.id) }]
        }))
      : Result.map(cancelByContract(transaction, at.business), (decision) => changing(found, decision, at.business))
  }
