/**
 * Use case: ask providers for the payments that came in, and take them in.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type BusinessTime, businessTimeOf } from "@parcela/core/time/BusinessTime"
import { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { machineNow } from "../commands/Times.ts"
import { CompanyClocks } from "../ports/CompanyClocks.ts"
import { atOnce, DueWork } from "../ports/DueWork.ts"
import { PaymentReports } from "../ports/PaymentReports.ts"
import { ProviderError } from "../ports/ProviderError.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import { LeaseOwner } from "../workers/LeaseOwner.ts"
import { ReceivePayments } from "./ReceivePayments.ts"

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
>()("@parcela/engine/usecases/FetchPayments") {
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
