/**
 * Use case: ask a card operator whether a charge is disputed, and take that in.
 *
 * @since 0.1.0
 */
import { businessTimeOf } from "@parcela/core/time/BusinessTime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { machineNow } from "../commands/Times.ts"
import { ChargebackReports, type DisputableCharge } from "../ports/ChargebackReports.ts"
import { CompanyClocks } from "../ports/CompanyClocks.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { ReceiveChargebacks } from "./ReceiveChargebacks.ts"

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
>()("@parcela/engine/usecases/FetchChargebacks") {
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
