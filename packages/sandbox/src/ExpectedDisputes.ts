/**
 * Schedules a job for each charge that the simulated card operator will report as disputed.
 *
 * @since 0.1.0
 */
import { DueWork } from "@parcela/engine/ports/DueWork"
import { DisputeNotices } from "@parcela/provider-simulator/SimulatedChargebacks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never, never, DueWork> = Layer.effect(
  DisputeNotices,
  Effect.map(DueWork, (dueWork) => ({
    expect: ({ companyId, tid }, dueAt) =>
      dueWork.ensure({ kind: "fetch chargeback", subject: tid, companyId, clock: "business", dueAt })
  }))
)
