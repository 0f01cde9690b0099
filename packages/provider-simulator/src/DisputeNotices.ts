/**
 * Where the simulated card operator says that a charge will be disputed, so that it is asked for the dispute in time. Without
 * it nobody asks.
 *
 * @since 0.1.0
 */
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { DisputableCharge } from "@parcela/engine/ports/ChargebackReports"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * @category references
 * @since 0.1.0
 */
export const DisputeNotices = Context.Reference<{
  /**
   * Called before the response to what captured a charge, after its commit, and again with each repeat. Where it fails the
   * response is lost, and the notice comes with the look-up that follows.
   */
  readonly expect: (charge: DisputableCharge, at: BusinessTime) => Effect.Effect<void, unknown>
}>("@parcela/provider-simulator/DisputeNotices", { defaultValue: () => ({ expect: () => Effect.void }) })
