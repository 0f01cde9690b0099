/**
 * Use cases: receive reports of payments from banks and Pix providers, and reports of disputes from card operators. A
 * provider adapter calls `receive` for every report, in any order and any number of times.
 *
 * **Details**
 *
 * Each report is committed first, so that the adapter may acknowledge it. The service then applies the report to its
 * transaction. If this fails or the process ends, a job applies the report later. The transaction stores each payment by
 * the provider's id, so a payment counts only once.
 *
 * @since 0.1.0
 */
import { MachineTime, dateAt } from "@parcela/core/time/Instant"
import type { BillingError } from "@parcela/core/errors/BillingError"
import type { IncomingChargeback, IncomingPayment, IncomingReport } from "@parcela/core/transactions/IncomingReport"
import { dispute as disputed } from "@parcela/core/transactions/TransactionReversal"
import * as Settlement from "@parcela/core/transactions/TransactionSettlement"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as DateTime from "effect/DateTime"
import { Commands, withoutKey } from "../command/Command.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { machineNow, type Times } from "../ports/WriteContext.ts"
import { scheduleFollowing } from "../command/ScheduledWork.ts"
import { DueWork } from "../ports/DueWork.ts"
import { IncomingPayments, type PaymentMark, type ReportedPayment } from "../ports/IncomingPayments.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Transactions } from "../ports/Transactions.ts"
import { Settings } from "../Settings.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import { logCause } from "../Supervised.ts"
import { noTransaction } from "../command/Missing.ts"
import { changing, type PaymentResult, termsOf, unchangedPayment } from "./PaymentDecisions.ts"
import * as Spans from "../Spans.ts"

/** First delay before a report that could not be applied is applied again. */
const firstWait = Duration.seconds(1)

/**
 * A stored report. `isNew` is false for a repeated report.
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
     * Stores a report. Acknowledge the report to the provider after success, not before. A failed call may be repeated.
     *
     * `since` is the number of restores at the time of the query: a report from before a restore fails.
     */
    readonly receive: (
      report: IncomingReport,
      since?: { readonly restores: number }
    ) => Effect.Effect<ReceivedPayment, StoreError>
    /**
     * Applies a waiting report. A report with an unknown reference stays `waiting`, because the attempt that creates
     * the reference may be open. With `isLast` it becomes `unmatched`.
     */
    readonly apply: (
      id: number,
      options?: { readonly isLast?: boolean }
    ) => Effect.Effect<ReportedPayment | undefined, StoreError>
  }
>()("@parcela/engine/payments/ReceivePayments") {
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

      /** Schedules a job for a report that waits for an attempt or for its reference. */
      const applySoon = Effect.fnUntraced(function* ({ id, report }: ReportedPayment) {
        const now = yield* machineNow
        const dueAt = MachineTime.make(now + Duration.toMillis(firstWait))
        // Without a company, no clock advance waits for the job.
        const [found] = yield* paidBy(report)
        const work = { kind: "apply payment", subject: String(id), companyId: found?.companyId } as const
        yield* scheduleFollowing(dueWork, { ...work, clock: "machine", dueAt, waitsSince: now })
      })

      const applyNew = (payment: ReportedPayment) =>
        Effect.tap(applyOne(payment, false), (applied) =>
          applied.standing === "waiting" ? applySoon(applied) : Effect.void
        )

      return ReceivePayments.of({
        receive: Spans.fn("ReceivePayments.receive")(function* (report, since) {
          const now = yield* machineNow
          const until = MachineTime.make(now + Duration.toMillis(lease))
          const [found, ...others] = yield* paidBy(report)
          const companyId = others.length === 0 ? found?.companyId : undefined
          const stored = yield* payments.keep(report, { now, owner, until, companyId, ...since })
          const { isNew, payment } = stored
          if (payment.differing !== undefined) {
            yield* Effect.logWarning(
              `Payment ${report.id} (${report.method}) was reported with different amounts or fees: compare both reports`
            )
          }
          if (payment.standing !== "waiting") return stored
          // The report is stored: a job repeats a failed application, and the provider receives no error.
          return yield* (isNew ? applyNew(payment) : applyOne(payment, false)).pipe(
            Effect.map((applied) => ({ payment: applied, isNew })),
            Effect.catchCause((cause) => Effect.as(logCause(`Payment ${report.id} is applied later`, cause), stored))
          )
        }, Effect.uninterruptible),
        apply: Spans.fn("ReceivePayments.apply")(function* (id, { isLast = false } = {}) {
          const payment = Option.getOrUndefined(yield* payments.find(id))
          return payment?.standing === "waiting" ? yield* applyOne(payment, isLast) : payment
        }, Effect.uninterruptible)
      })
    })
  )
}

/**
 * @category services
 * @since 0.1.0
 */
export class ReceiveChargebacks extends Context.Service<
  ReceiveChargebacks,
  {
    /**
     * Stores a dispute. Its payment gets the status `chargeback` at once, or after the open attempt has ended.
     *
     * Acknowledge the report to the operator after success, not before. A report about an uncaptured payment becomes
     * `unmatched`. `since` is the number of restores at the time of the query: a report from
     * before a restore fails.
     */
    readonly receive: (
      report: Omit<IncomingChargeback, "method">,
      since?: { readonly restores: number }
    ) => Effect.Effect<ReceivedPayment, StoreError>
  }
>()("@parcela/engine/payments/ReceiveChargebacks") {
  static readonly layer: Layer.Layer<ReceiveChargebacks, never, ReceivePayments> = Layer.effect(
    ReceiveChargebacks,
    Effect.map(ReceivePayments, ({ receive }) =>
      ReceiveChargebacks.of({
        receive: Spans.fn("ReceiveChargebacks.receive")((report, since) =>
          receive({ ...report, method: "creditcard" }, since)
        )
      })
    )
  )
}

/** Returns the mark of a report, given the transactions with its reference. */
const makeMark = Effect.gen(function* () {
  const commands = yield* Commands
  const { zone } = yield* Settings

  const record = (report: IncomingReport, { companyId, id }: TransactionState) =>
    withoutKey(
      commands.run({
        load: "payment",
        args: { companyId, transaction: bySvcPayId(id) },
        decide: recorded(report, zone),
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
      Effect.catchTag("BillingError", (error) => Effect.succeed<PaymentMark>({ ...markOfRefusal(error), ...about }))
    )
  })
})

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

/** Records a report on its transaction. Writes nothing if the report is already recorded. */
const recorded = (report: IncomingReport, zone: DateTime.TimeZone) =>
  report.method === "creditcard" ? dispute(report) : settle(report, zone)

/**
 * Returns the mark of a report that its transaction refused. A refusal because of an open attempt is temporary: the
 * report stays `waiting`. All other refusals are final.
 */
const markOfRefusal = ({ message, refusal }: BillingError): Pick<PaymentMark, "problem" | "standing"> => ({
  standing: refusal._tag === "AttemptPending" ? "waiting" : "unmatched",
  problem: message
})
