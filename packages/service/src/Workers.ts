/**
 * The workers of a service. Recovery of the last run comes first; then jobs and deliveries run while the process lives.
 *
 * @since 0.1.0
 */
import { machineNow } from "@parcela/engine/ports/WriteContext"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { workKinds } from "@parcela/engine/ports/DueWork"
import { Leases } from "@parcela/engine/ports/Leases"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Recovery } from "@parcela/engine/work/Recovery"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { LeaseOwner } from "@parcela/engine/command/LeaseOwner"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * The layer. Recovery is finished when it is built, before requests are accepted. There is one worker for each kind of
 * work.
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

      // Finalizers run last to first, so the workers have ended: other processes can take the released leases at once.
      yield* Effect.addFinalizer(() =>
        machineNow.pipe(
          Effect.flatMap((now) => leases.releaseOwned(owner, now)),
          // Leases that are not released expire.
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
