/**
 * In-process wake-up of the delivery worker for new deliveries, and of its queues for changed endpoints. The signal
 * only reduces latency: the worker also polls, because other processes write deliveries too.
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
    /** Waits for the next signal. Several signals before the call count as one. */
    readonly wait: Effect.Effect<void>
    readonly endpointChanged: (endpointId: number) => void
    /** Calls `listener` after each change of the endpoint, until the returned function is called. */
    readonly onEndpointChange: (endpointId: number, listener: () => void) => () => void
  }
>()("@parcela/engine/ports/DeliverySignal") {
  static readonly layer: Layer.Layer<DeliverySignal> = Layer.effect(
    DeliverySignal,
    Effect.gen(function* () {
      const queue = yield* Queue.sliding<void>(1)
      const listeners = new Map<number, Set<() => void>>()
      return DeliverySignal.of({
        notify: () => void Queue.offerUnsafe(queue, undefined),
        wait: Effect.asVoid(Queue.take(queue)),
        endpointChanged: (endpointId) => {
          for (const listener of listeners.get(endpointId) ?? []) listener()
        },
        onEndpointChange: (endpointId, listener) => {
          const own = listeners.get(endpointId) ?? new Set()
          listeners.set(endpointId, own.add(listener))
          return () => {
            own.delete(listener)
            if (own.size === 0) listeners.delete(endpointId)
          }
        }
      })
    })
  )
}
