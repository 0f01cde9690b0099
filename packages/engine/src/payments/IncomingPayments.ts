/**
 * Use case: receive reports of payments from banks and Pix providers. A provider adapter calls `receive` for every
 * report, in any order and any number of times. For disputes see `ReceiveChargebacks`.
 *
 * **Details**
 *
 * The report is committed first, so the adapter may acknowledge it. Then it is applied. If that fails or the process
 * ends, a job applies it later. The transaction stores each payment by the provider's id, so a payment counts only
 * once.
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
import { Commands, withoutKey } from "../command/Command.ts"
import { machineNow } from "../ports/Times.ts"
import { scheduleFollowing } from "../command/ScheduledWork.ts"
import { DueWork, atOnce } from "../ports/DueWork.ts"
import { IncomingPayments, type PaymentMark, type ReportedPayment } from "../ports/IncomingPayments.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Transactions } from "../ports/Transactions.ts"
import { Settings } from "../Settings.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import { logCause } from "../Supervised.ts"
import { noTransaction } from "../command/Missing.ts"
import * as Decisions from "./PaymentDecisions.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type BusinessTime, businessTimeOf } from "@parcela/core/time/BusinessTime"
import { CompanyClocks } from "../ports/CompanyClocks.ts"
import { PaymentReports } from "../ports/PaymentReports.ts"
import { ProviderError } from "../ports/ProviderError.ts"

/** First delay before a report that cannot be applied yet is tried again. */
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
     * Stores a report. After success it cannot be lost: acknowledge it to the provider then, not before. A failed call
     * may be repeated.
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
        receive: Effect.fn("ReceivePayments.receive")(function* (report, since) {
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
        apply: Effect.fn("ReceivePayments.apply")(function* (id, { isLast = false } = {}) {
          const payment = Option.getOrUndefined(yield* payments.find(id))
          return payment?.standing === "waiting" ? yield* applyOne(payment, isLast) : payment
        }, Effect.uninterruptible)
      })
    })
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

/** Maximum number of reports per query. */
const batch = 100

/**
 * @category services
 * @since 0.1.0
 */
export class FetchPayments extends Context.Service<
  FetchPayments,
  {
    /**
     * Receives all reports that are ready and acknowledges each after it is stored. Returns the time of the next
     * report. Reports that a crash left without an acknowledgement are returned again by the provider.
     */
    readonly fetch: (companyId: CompanyId) => Effect.Effect<BusinessTime | undefined, ProviderError | StoreError>
    /**
     * Runs an effect that makes a provider report payments, then fetches the reports. A job fetches later reports, also
     * after a crash. After the payment nothing fails: if its reports cannot be fetched, a job fetches them.
     */
    readonly expecting: <A, E, R>(
      companyId: CompanyId,
      payment: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StoreError, R>
  }
>()("@parcela/engine/payments/FetchPayments") {
  static readonly layer: Layer.Layer<FetchPayments, never, CompanyClocks | DueWork | LeaseOwner | ReceivePayments> =
    Layer.effect(
      FetchPayments,
      Effect.gen(function* () {
        const clocks = yield* CompanyClocks
        const dueWork = yield* DueWork
        const owner = yield* LeaseOwner
        const receipts = yield* ReceivePayments
        const reports = yield* PaymentReports
        const { lease } = yield* Settings
        let made = 0

        const fetch = Effect.fn("FetchPayments.fetch")(function* (companyId: CompanyId) {
          const clock = Option.getOrUndefined(yield* clocks.find(companyId))
          if (clock === undefined) return undefined
          let count = batch
          while (count === batch) {
            const now = businessTimeOf(yield* machineNow, clock.offset)
            const payments = yield* reports.list(companyId, now, batch)
            for (const payment of payments) {
              yield* receipts.receive(payment, clock)
              yield* reports.acknowledge(payment, clock)
            }
            count = payments.length
          }
          return Option.getOrUndefined(yield* reports.next(companyId))
        })

        const expecting = Effect.fn("FetchPayments.expecting")(function* <A, E, R>(
          companyId: CompanyId,
          payment: Effect.Effect<A, E, R>
        ) {
          const work = { kind: "fetch payments", subject: String(companyId), companyId } as const
          // A row of its own, so that another call for the same company does not delete it.
          const own = { ...work, subject: `${companyId} ${owner} ${++made}` }
          const waitsSince = yield* machineNow
          const dueAt = MachineTime.make(waitsSince + Duration.toMillis(lease))
          // Scheduled before the payment: after a crash the job fetches its report when the lease ends.
          yield* dueWork.schedule([{ ...own, clock: "machine", dueAt, waitsSince, leasedBy: owner }])
          const forget = dueWork.cancel(own.kind, [own.subject])
          // After a ProviderError the outcome is unknown, so the job stays. Any other error is a refusal: nothing was paid.
          const paid = yield* Effect.tapError(payment, (error) =>
            error instanceof ProviderError ? Effect.void : Effect.ignore(forget)
          )
          const again = Effect.flatMap(machineNow, (now) => dueWork.schedule([{ ...work, ...atOnce(now) }]))
          // Another process may have scheduled an earlier time, which this write replaces. The loop therefore reads
          // again after each write.
          const later = Effect.fnUntraced(function* (first: BusinessTime | undefined) {
            let next = first
            let scheduled = Infinity
            while (next !== undefined && next < scheduled) {
              scheduled = next
              yield* dueWork.schedule([{ ...work, clock: "business", dueAt: next }])
              next = Option.getOrUndefined(yield* reports.next(companyId))
            }
          })
          yield* Effect.flatMap(fetch(companyId), later).pipe(
            Effect.andThen(forget),
            Effect.catchCause((cause) =>
              Effect.andThen(
                logCause(`Payments of company ${companyId} are fetched later`, cause),
                Effect.ignore(again)
              )
            )
          )
          return paid
        }, Effect.uninterruptible)

        return FetchPayments.of({ fetch, expecting })
      })
    )
}
