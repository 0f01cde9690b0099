/**
 * Wakes the delivery worker when there are new deliveries. Only a hint: the outbox has them, and is read regularly even
 * when no hint comes.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"

/**
 * @category services
 * @since 0.1.0
 */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    readonly notify: () => void
    /** Waits for the next hint; several that came meanwhile are one. */
    readonly wait: Effect.Effect<void>
  }
>()("@parcela/engine/ports/DeliverySignal") {
  static readonly layer: Layer.Layer<DeliverySignal> = Layer.effect(
    DeliverySignal,
    Effect.gen(function* () {
      const queue = yield* Queue.sliding<void>(1)
      return DeliverySignal.of({
        notify: () => void Queue.offerUnsafe(queue, undefined),
        wait: Effect.asVoid(Queue.take(queue))
      })
    })
  )
}
