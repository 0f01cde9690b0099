/**
 * Use case: take in what a card operator reports of disputes. This is what an adapter calls: for each dispute that its
 * operator reports, once or often, in any order.
 *
 * **Details**
 *
 * A report is kept and applied as one of a payment is, see `ReceivePayments`.
 *
 * @since 0.1.0
 */
import type { IncomingChargeback } from "@parcela/core/transactions/IncomingChargeback"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoreError } from "../ports/StoreError.ts"
import { ReceivePayments, type ReceivedPayment } from "./IncomingPayments.ts"
import { businessTimeOf } from "@parcela/core/time/BusinessTime"
import * as Option from "effect/Option"
import { machineNow } from "../ports/Times.ts"
import { ChargebackReports, type DisputableCharge } from "../ports/ChargebackReports.ts"
import { CompanyClocks } from "../ports/CompanyClocks.ts"
import type { ProviderError } from "../ports/ProviderError.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class ReceiveChargebacks extends Context.Service<
  ReceiveChargebacks,
  {
    /**
     * Takes a report in: its payment is `chargeback` then, or once the attempt has ended that is under way. Once it succeeds
     * nothing of it is lost, whatever became of it: acknowledge it to the operator then, and not before. What nothing is
     * captured of is `unmatched`. One that was asked for `since` the company was restored as often as that is refused once
     * it was restored again.
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
        receive: Effect.fn("ReceiveChargebacks.receive")((report, since) =>
          receive({ ...report, method: "creditcard" }, since)
        )
      })
    )
  )
}

/**
 * @category services
 * @since 0.1.0
 */
export class FetchChargebacks extends Context.Service<
  FetchChargebacks,
  {
    /** Takes in the dispute of a charge that there is by now; returns whether there is one. */
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
        fetch: Effect.fn("FetchChargebacks.fetch")(function* (charge: DisputableCharge) {
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
