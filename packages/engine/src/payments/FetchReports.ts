/**
 * Use cases: fetch reports from providers that do not send them: payments of a company, and the dispute of a charge.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type BusinessTime, businessTimeOf, MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import { ChargebackReports, type DisputableCharge } from "../ports/ChargebackReports.ts"
import { CompanyClocks } from "../ports/CompanyClocks.ts"
import { DueWork, atOnce } from "../ports/DueWork.ts"
import { PaymentReports } from "../ports/PaymentReports.ts"
import { ProviderError } from "../ports/ProviderError.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { Settings } from "../Settings.ts"
import { logCause } from "../Supervised.ts"
import { ReceiveChargebacks, ReceivePayments } from "./IncomingPayments.ts"
import * as Spans from "../Spans.ts"

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
     * Runs a payment that a provider will report, then fetches the report. If the fetch fails or the process crashes, a
     * job fetches the report later. The effect fails only if the payment fails.
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

        const fetch = Spans.fn("FetchPayments.fetch")(function* (companyId: CompanyId) {
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

        const expecting = Spans.fn("FetchPayments.expecting")(function* <A, E, R>(
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

/**
 * @category services
 * @since 0.1.0
 */
export class FetchChargebacks extends Context.Service<
  FetchChargebacks,
  {
    /** Fetches the dispute of a charge and stores it. Returns true if the operator has a dispute. */
    readonly fetch: (charge: DisputableCharge) => Effect.Effect<boolean, ProviderError | StoreError>
  }
>()("@parcela/engine/payments/FetchChargebacks") {
  static readonly layer: Layer.Layer<FetchChargebacks, never, CompanyClocks | ReceiveChargebacks> = Layer.effect(
    FetchChargebacks,
    Effect.gen(function* () {
      const clocks = yield* CompanyClocks
      const receipts = yield* ReceiveChargebacks
      const reports = yield* ChargebackReports

      return FetchChargebacks.of({
        fetch: Spans.fn("FetchChargebacks.fetch")(function* (charge: DisputableCharge) {
          const clock = Option.getOrUndefined(yield* clocks.find(charge.companyId))
          if (clock === undefined) return false
          const now = businessTimeOf(yield* machineNow, clock.offset)
          const dispute = Option.getOrUndefined(yield* reports.find(charge, now))
          if (dispute === undefined) return false
          yield* receipts.receive(dispute, clock)
          return true
        })
      })
    })
  )
}
