/**
 * Makes the deliveries that are due. Each endpoint is a lane of its own: several tries at once, one of each transaction,
 * and nothing of one endpoint delays another.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { machineNow } from "../commands/Times.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { Leases } from "../ports/Leases.ts"
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { logCause } from "./StoreOutage.ts"
import { DeliveryLane } from "./DeliveryLane.ts"
import { supervised } from "./Supervised.ts"

/** How many lanes run at once. One that hangs ends with its timeout and is left alone then. */
const mostLanes = 256

/** How long the worker rests when nothing is due. */
const rest = Duration.seconds(1)

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryWorker extends Context.Service<
  DeliveryWorker,
  {
    /** Makes deliveries until it is interrupted. A failure of the store is reported, and it goes on. */
    readonly run: Effect.Effect<never>
    /** Makes all deliveries that are due, lane by lane at once; returns how many tries that took. */
    readonly deliverDue: Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/workers/DeliveryWorker") {
  static readonly layer: Layer.Layer<DeliveryWorker, never, DeliveryLane | DeliverySignal | Leases | WebhookEndpoints> =
    Layer.effect(
      DeliveryWorker,
      Effect.gen(function* () {
        const endpoints = yield* WebhookEndpoints
        const lane = yield* DeliveryLane
        const leases = yield* Leases
        const signal = yield* DeliverySignal

        const listDue = Effect.fnUntraced(function* (except: ReadonlyArray<number>) {
          const now = EpochMillis.make(yield* Clock.currentTimeMillis)
          return yield* endpoints.listDue(now, except, mostLanes - except.length)
        })

        const run = Effect.gen(function* () {
          const lanes = yield* FiberMap.make<number, void>()
          const running = new Set<number>()
          const ended = yield* Queue.sliding<void>(1)
          let lastSeen = Number.POSITIVE_INFINITY

          const start = (id: number) => {
            running.add(id)
            const drive = lane.drive(id).pipe(
              Effect.asVoid,
              // What was leased is due again when its lease ends.
              Effect.catchCause((cause) => logCause(`The deliveries of endpoint ${id} stopped`, cause)),
              Effect.ensuring(
                Effect.andThen(
                  Effect.sync(() => running.delete(id)),
                  Queue.offer(ended, undefined)
                )
              )
            )
            return FiberMap.run(lanes, id, drive)
          }

          const step = Effect.gen(function* () {
            const now = yield* machineNow
            if (now < lastSeen) yield* leases.shortenWaits(now)
            lastSeen = now
            const due = running.size < mostLanes ? yield* listDue([...running]) : []
            yield* Effect.forEach(due, start, { discard: true })
            // A lane that ends makes room where there was none; otherwise what is new says so, or time does.
            const wake = running.size < mostLanes ? signal.wait : Queue.take(ended)
            yield* Effect.raceFirst(wake, Effect.sleep(rest))
          })

          return yield* supervised("delivery worker", step, (wait) => Effect.raceFirst(signal.wait, Effect.sleep(wait)))
        }).pipe(Effect.scoped)

        const deliverDue = Effect.gen(function* () {
          const tried = yield* Effect.forEach(yield* listDue([]), lane.drive, { concurrency: "unbounded" })
          return tried.reduce((sum, count) => sum + count, 0)
        })

        return DeliveryWorker.of({ run, deliverDue })
      })
    )
}
