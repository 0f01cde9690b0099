/**
 * Use case: receive reports of disputes from a card operator. A provider adapter calls `receive` for every report, in
 * any order and any number of times.
 *
 * **Details**
 *
 * Reports are stored and applied like reports of payments: see `ReceivePayments`.
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
     * Stores a dispute. Its payment gets the status `chargeback` at once, or after the open attempt has ended.
     *
     * After success the report cannot be lost: acknowledge it to the operator then, not before. A report about an
     * uncaptured payment becomes `unmatched`. `since` is the number of restores at the time of the query: a report from
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
