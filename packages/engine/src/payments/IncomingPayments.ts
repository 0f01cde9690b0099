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

/** How many reports are asked for at once. */
const batch = 100

/**
 * @category services
 * @since 0.1.0
 */
export class FetchPayments extends Context.Service<
  FetchPayments,
  {
    /**
     * Takes in all that is to be reported now, and acknowledges each report once it is kept; returns when the next one is
     * to be reported. What a crash leaves without its acknowledgement is reported again.
     */
    readonly fetch: (companyId: CompanyId) => Effect.Effect<BusinessTime | undefined, ProviderError | StoreError>
    /**
     * Runs what gives a provider something to report, takes in what it reports at once, and sees to it that the rest is
     * asked for when it is to be reported, wherever a crash hits.
     */
    readonly expecting: <A, E, R>(
      companyId: CompanyId,
      payment: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ProviderError | StoreError, R>
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
          // A row of its own: another payment of the company that ends meanwhile does not take it away.
          const own = { ...work, subject: `${companyId} ${owner} ${++made}` }
          const waitsSince = yield* machineNow
          const dueAt = MachineTime.make(waitsSince + Duration.toMillis(lease))
          // Before there is anything to report: after a crash it is asked for once this ends.
          yield* dueWork.schedule([{ ...own, clock: "machine", dueAt, waitsSince, leasedBy: owner }])
          const forget = dueWork.cancel(own.kind, [own.subject])
          // What a provider refuses gives it nothing to report; what became of anything else is unknown.
          const paid = yield* Effect.tapError(payment, (error) =>
            error instanceof ProviderError ? Effect.void : Effect.ignore(forget)
          )
          const again = Effect.flatMap(machineNow, (now) => dueWork.schedule([{ ...work, ...atOnce(now) }]))
          // Another process may have scheduled an earlier one since this one looked: who writes last looks once more.
          const later = Effect.fnUntraced(function* (first: BusinessTime | undefined) {
            let next = first
            let scheduled = Infinity
            while (next !== undefined && next < scheduled) {
              scheduled = next
              yield* dueWork.schedule([{ ...work, clock: "business", dueAt: next }])
              next = Option.getOrUndefined(yield* reports.next(companyId))
            }
          })
          yield* Effect.tapError(Effect.flatMap(fetch(companyId), later), () => Effect.ignore(again))
          yield* forget
          return paid
        }, Effect.uninterruptible)

        return FetchPayments.of({ fetch, expecting })
      })
    )
}
