/**
 * The workers of a service: what the last run left behind is taken up first; then what falls due is sent and deliveries are
 * made, for as long as the process runs.
 *
 * @since 0.1.0
 */
import { machineNow } from "@parcela/engine/ports/Times"
import { DeliveryWorker } from "@parcela/engine/workers/DeliveryWorker"
import { workKinds } from "@parcela/engine/ports/DueWork"
import { Leases } from "@parcela/engine/ports/Leases"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Recovery } from "@parcela/engine/work/Recovery"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { LeaseOwner } from "@parcela/engine/command/LeaseOwner"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Recovery is over when the layer is built: no request is taken before. One worker for each kind of work.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never, StoreError, DeliveryWorker | DueWorker | LeaseOwner | Leases | Recovery> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const deliveries = yield* DeliveryWorker
      const leases = yield* Leases
      const owner = yield* LeaseOwner
      const recovery = yield* Recovery
      const worker = yield* DueWorker
      const recovered = yield* recovery.recover
      if (recovered > 0) {
        const attempts = recovered === 1 ? "1 attempt" : `${recovered} attempts`
        yield* Effect.logInfo(`Resolved ${attempts} that the last run left under way`)
      }

      // After the workers have ended, since finalizers run last to first: what they held is free for another process.
      yield* Effect.addFinalizer(() =>
        machineNow.pipe(
          Effect.flatMap((now) => leases.releaseOwned(owner, now)),
          // They run out by themselves.
          Effect.catch(({ message }) =>
            Effect.logWarning(`The leases of this process could not be released and end with their time: ${message}`)
          )
        )
      )
      for (const kind of workKinds) {
        yield* Effect.forkScoped(worker.run(kind))
      }
      yield* Effect.forkScoped(deliveries.run)
    })
  )
