/**
 * Use case: take in what banks and Pix providers report of payments, and card operators of disputes. This is what an adapter
 * calls: for each payment that its provider reports, once or often, in any order. Disputes: `ReceiveChargebacks`.
 *
 * **Details**
 *
 * A report is kept first, in a commit of its own: from then on its provider may be told that it arrived. It is applied at
 * once; where that fails, or the process ends, due work does it. What makes it count once is the transaction itself, which
 * has each payment under the provider's name.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/MachineTime"
import type { IncomingReport } from "@parcela/core/transactions/IncomingReport"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Commands, withoutKey } from "../commands/Command.ts"
import { machineNow } from "../commands/Times.ts"
import { scheduleFollowing } from "../commands/ScheduledWork.ts"
import { DueWork } from "../ports/DueWork.ts"
import { IncomingPayments, type PaymentMark, type ReportedPayment } from "../ports/IncomingPayments.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Transactions } from "../ports/Transactions.ts"
import { Settings } from "../Settings.ts"
import { LeaseOwner } from "../workers/LeaseOwner.ts"
import { logCause } from "../workers/StoreOutage.ts"
import { noTransaction } from "./Missing.ts"
import * as Decisions from "./SettlementDecisions.ts"

/** How long a payment that cannot be applied yet rests first. */
const firstWait = Duration.seconds(1)

/**
 * A report that was taken in: the payment as it stands, and whether it was new.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedPayment {
  readonly payment: ReportedPayment
  readonly isNew: boolean
}

/**
 * @category services
 * @since 0.1.0
 */
export class ReceivePayments extends Context.Service<
  ReceivePayments,
  {
    /**
     * Takes a report in. Once it succeeds nothing of it is lost, whatever became of it: acknowledge it to the provider
     * then, and not before. A failure may have kept it; the same report again is safe.
     * One that was asked for `since` the company was restored as often as that is refused once it was restored again.
     */
    readonly receive: (
      report: IncomingReport,
      since?: { readonly restores: number }
    ) => Effect.Effect<ReceivedPayment, StoreError>
    /**
     * Applies a payment that waits. One whose reference nothing has stays waiting, since what it paid may be about to be
     * recorded; `isLast` ends that, and it is `unmatched`.
     */
    readonly apply: (
      id: number,
      options?: { readonly isLast?: boolean }
    ) => Effect.Effect<ReportedPayment | undefined, StoreError>
  }
>()("@parcela/engine/usecases/ReceivePayments") {
  static readonly layer: Layer.Layer<
    ReceivePayments,
    never,
    Commands | DueWork | IncomingPayments | LeaseOwner | Transactions
  > = Layer.effect(
    ReceivePayments,
    Effect.gen(function* () {
      const dueWork = yield* DueWork
      const payments = yield* IncomingPayments
      const transactions = yield* Transactions
      const owner = yield* LeaseOwner
      const { lease } = yield* Settings
      const markOf = yield* makeMark

      const paidBy = Effect.fnUntraced(function* ({ companyId, method, reference }: IncomingReport) {
        const found = yield* transactions.findByReference(reference)
        return found.filter((one) => one.method === method && (companyId ?? one.companyId) === one.companyId)
      })

      const applyOne = Effect.fnUntraced(function* (payment: ReportedPayment, isLast: boolean) {
        const mark = yield* markOf(payment.report, yield* paidBy(payment.report), isLast)
        if (mark.standing === "unmatched") {
          yield* Effect.logWarning(`Payment ${payment.report.id} (${payment.report.method}): ${mark.problem}`)
        }
        yield* payments.mark(payment, mark)
        const { companyId = payment.companyId, problem, standing, transactionId = payment.transactionId } = mark
        return { ...payment, companyId, problem, standing, transactionId }
      })

      /** A new one is applied once the attempt has ended that it waits for, or its reference is known. */
      const applySoon = Effect.fnUntraced(function* ({ id, report }: ReportedPayment) {
        const now = yield* machineNow
        const dueAt = MachineTime.make(now + Duration.toMillis(firstWait))
        // Nobody's clock waits for what is nobody's.
        const [found] = yield* paidBy(report)
        const work = { kind: "apply payment", subject: String(id), companyId: found?.companyId } as const
        yield* scheduleFollowing(dueWork, { ...work, clock: "machine", dueAt, waitsSince: now })
      })

      const applyNew = (payment: ReportedPayment) =>
        Effect.tap(applyOne(payment, false), (applied) =>
          applied.standing === "waiting" ? applySoon(applied) : Effect.void
        )

      return ReceivePayments.of({
        receive: Effect.fn("ReceivePayments.receive")(function* (report, since) {
          const now = yield* machineNow
          const until = MachineTime.make(now + Duration.toMillis(lease))
          const [found, ...others] = yield* paidBy(report)
          const companyId = others.length === 0 ? found?.companyId : undefined
          const kept = yield* payments.keep(report, { now, owner, until, companyId, ...since })
          const { isNew, payment } = kept
          if (payment.differing !== undefined) {
            yield* Effect.logWarning(`Payment ${report.id} (${report.method}) was reported in two ways: see both`)
          }
          if (payment.standing !== "waiting") return kept
          // It is kept: what goes wrong now is put right by due work, and the provider need not know.
          return yield* (isNew ? applyNew(payment) : applyOne(payment, false)).pipe(
            Effect.map((applied) => ({ payment: applied, isNew })),
            Effect.catchCause((cause) => Effect.as(logCause(`Payment ${report.id} is applied later`, cause), kept))
          )
        }, Effect.uninterruptible),
        apply: Effect.fn("ReceivePayments.apply")(function* (id, { isLast = false } = {}) {
          const payment = Option.getOrUndefined(yield* payments.find(id))
          return payment?.standing === "waiting" ? yield* applyOne(payment, isLast) : payment
        }, Effect.uninterruptible)
      })
    })
  )
}

/** What becomes of a report, given what has its reference. */
const makeMark = Effect.gen(function* () {
  const commands = yield* Commands
  const { zone } = yield* Settings

  const record = (report: IncomingReport, { companyId, id }: TransactionState) =>
    withoutKey(
      commands.run({
        load: "payment",
        args: { companyId, transaction: bySvcPayId(id) },
        decide: Decisions.record(report, zone),
        missing: () => noTransaction({ typeId: "svcPayId" })
      })
    )

  return Effect.fnUntraced(function* (
    report: IncomingReport,
    [transaction, ...others]: ReadonlyArray<TransactionState>,
    isLast: boolean
  ): Effect.fn.Return<PaymentMark, StoreError> {
    const { kind, value } = report.reference
    if (transaction === undefined) {
      return { standing: isLast ? "unmatched" : "waiting", problem: `No payment has the ${kind} ${value}` }
    }
    if (others.length > 0) return { standing: "unmatched", problem: `Several payments have the ${kind} ${value}` }
    const about = { companyId: transaction.companyId, transactionId: transaction.id }
    return yield* record(report, transaction).pipe(
      Effect.map((): PaymentMark => ({ standing: "applied", ...about })),
      Effect.catchTag("BillingError", (error) =>
        Effect.succeed<PaymentMark>({ ...Decisions.markOfRefusal(error), ...about })
      )
    )
  })
})
