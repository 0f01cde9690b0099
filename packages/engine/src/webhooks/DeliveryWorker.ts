/**
 * Sends the due deliveries of all webhook endpoints. The delivery queue of each endpoint runs in a fiber of its own, so
 * that no endpoint delays another. If more endpoints have due deliveries than queues may run, the worker starts
 * their queues in rotation.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import { Leases } from "../ports/Leases.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { logCause, supervised } from "../Supervised.ts"
import { DeliveryQueues } from "./DeliveryQueues.ts"

/** Maximum number of queues that run at once. */
const maxQueues = 256

/** Time between two polls. Other processes write deliveries too, without a signal to this one. */
const pollInterval = Duration.seconds(1)

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryWorker extends Context.Service<
  DeliveryWorker,
  {
    /** Sends deliveries until it is interrupted. It logs failures of the store and continues. */
    readonly run: Effect.Effect<never>
    /** Sends all due deliveries and returns the number of attempts. */
    readonly deliverDue: Effect.Effect<number, StoreError>
    /** The current number of attempts of this process. */
    readonly pending: Effect.Effect<number>
  }
>()("@parcela/engine/webhooks/DeliveryWorker") {
  static readonly layer: Layer.Layer<
    DeliveryWorker,
    never,
    DeliveryQueues | DeliverySignal | Leases | WebhookEndpoints
  > = Layer.effect(
    DeliveryWorker,
    Effect.gen(function* () {
      const parts: Parts = {
        endpoints: yield* WebhookEndpoints,
        leases: yield* Leases,
        queues: yield* DeliveryQueues,
        signal: yield* DeliverySignal
      }
      return DeliveryWorker.of({
        run: run(parts),
        deliverDue: deliverDue(parts),
        pending: parts.queues.pending
      })
    })
  )
}

interface Parts {
  readonly endpoints: WebhookEndpoints["Service"]
  readonly leases: Leases["Service"]
  readonly queues: DeliveryQueues["Service"]
  readonly signal: DeliverySignal["Service"]
}

interface Rotation {
  readonly running: Set<number>
  /** The number of the last endpoint whose queue was started. */
  after: number
}

/** Returns the endpoints whose queues start next, in the order of their numbers. No queue starts twice before all others. */
const next = Effect.fnUntraced(function* ({ endpoints }: Parts, rotation: Rotation) {
  const limit = maxQueues - rotation.running.size
  if (limit === 0) return []
  const now = yield* machineNow
  const due = yield* endpoints.listDue({ now, except: [...rotation.running], after: rotation.after, limit })
  rotation.after = due.at(-1) ?? rotation.after
  return due
})

const run = Effect.fnUntraced(function* (parts: Parts) {
  const { leases, queues, signal } = parts
  const fibers = yield* FiberMap.make<number, void>()
  const rotation: Rotation = { running: new Set(), after: 0 }
  let lastSeen = Number.POSITIVE_INFINITY

  const start = (id: number) => {
    rotation.running.add(id)
    const queue = queues.run(id).pipe(
      Effect.map(({ isCut }) => isCut),
      // Leased deliveries are due again when their leases end.
      Effect.catchCause((cause) => Effect.as(logCause(`The deliveries of endpoint ${id} stopped`, cause), false)),
      Effect.map((isCut) => {
        // Wakes the worker: another queue can start, or this queue must continue.
        if (isCut || rotation.running.size === maxQueues) signal.notify()
        rotation.running.delete(id)
      })
    )
    return FiberMap.run(fibers, id, queue)
  }

  const step = Effect.gen(function* () {
    const now = yield* machineNow
    if (now < lastSeen) yield* leases.shortenWaits(now)
    lastSeen = now
    yield* Effect.forEach(yield* next(parts, rotation), start, { discard: true })
    yield* Effect.raceFirst(signal.wait, Effect.sleep(pollInterval))
  })

  return yield* supervised("delivery worker", step, (delay) => Effect.raceFirst(signal.wait, Effect.sleep(delay)))
}, Effect.scoped)

const deliverDue = Effect.fnUntraced(function* (parts: Parts) {
  const rotation: Rotation = { running: new Set(), after: 0 }
  let total = 0
  while (true) {
    const runs = yield* Effect.forEach(yield* next(parts, rotation), parts.queues.run, { concurrency: "unbounded" })
    const attempts = runs.reduce((sum, run) => sum + run.attempts, 0)
    if (attempts === 0) return total
    total += attempts
  }
})
