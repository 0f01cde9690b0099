/**
 * What the sandbox does without being asked: it resolves what the last run left behind, then sends what falls due and
 * makes deliveries, for as long as it runs.
 *
 * @since 0.1.0
 */
import { DeliverySignal } from "@parcela/engine/DeliverySignal"
import { DeliveryWorker } from "@parcela/engine/DeliveryWorker"
import type { StoreError } from "@parcela/engine/StoreError"
import { Sweeper } from "@parcela/engine/Sweeper"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How long a worker rests when there is nothing to do. */
const rest = "1 second"

/** A worker that fails says so, and goes on: what it did not do is still due. */
const undeterred = (effect: Effect.Effect<number, StoreError>) =>
  Effect.catchCause(effect, (cause) => Effect.as(Effect.logError("A worker failed and goes on", cause), 0))

/**
 * Recovery is over when the layer is built: no request is taken before.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never, StoreError, DeliverySignal | DeliveryWorker | Sweeper> = Layer.effectDiscard(
  Effect.gen(function* () {
    const signal = yield* DeliverySignal
    const deliveries = yield* DeliveryWorker
    const sweeper = yield* Sweeper
    const recovered = yield* sweeper.recover
    if (recovered > 0) yield* Effect.logInfo(`Resolved ${recovered} attempts that the last run left under way`)

    const sweepForever = undeterred(sweeper.sweep).pipe(Effect.tap(Effect.sleep(rest)), Effect.forever)
    const deliverForever = undeterred(deliveries.deliverDue).pipe(
      Effect.tap((tried) => (tried > 0 ? Effect.void : Effect.raceFirst(signal.wait, Effect.sleep(rest)))),
      Effect.forever
    )
    yield* Effect.forkScoped(sweepForever)
    yield* Effect.forkScoped(deliverForever)
  })
)
