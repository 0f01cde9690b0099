/**
 * Makes the deliveries that are due. Each endpoint is a lane of its own: several tries at once, one of each transaction,
 * and nothing of one endpoint delays another. Where more endpoints have deliveries than there are lanes, they take turns.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { machineNow } from "../ports/WriteContext.ts"
import { Leases } from "../ports/Leases.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { DeliveryLane } from "./DeliveryLane.ts"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import { logCause, supervised } from "../Supervised.ts"

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
    /** How many tries this process makes now. */
    readonly underWay: Effect.Effect<number>
  }
>()("@parcela/engine/workers/DeliveryWorker") {
  static readonly layer: Layer.Layer<DeliveryWorker, never, DeliveryLane | DeliverySignal | Leases | WebhookEndpoints> =
    Layer.effect(
      DeliveryWorker,
      Effect.gen(function* () {
        const parts: Parts = {
          endpoints: yield* WebhookEndpoints,
          lane: yield* DeliveryLane,
          leases: yield* Leases,
          signal: yield* DeliverySignal
        }
        return DeliveryWorker.of({ run: run(parts), deliverDue: deliverDue(parts), underWay: parts.lane.underWay })
      })
    )
}

interface Parts {
  readonly endpoints: WebhookEndpoints["Service"]
  readonly lane: DeliveryLane["Service"]
  readonly leases: Leases["Service"]
  readonly signal: DeliverySignal["Service"]
}

/** Whose turn it is. */
interface Round {
  readonly running: Set<number>
  after: number
}

/** Endpoints take turns by their numbers, so that none comes a second time before all that are due came once. */
const next = Effect.fnUntraced(function* ({ endpoints }: Parts, round: Round) {
  const limit = mostLanes - round.running.size
  if (limit === 0) return []
  const now = yield* machineNow
  const due = yield* endpoints.listDue({ now, except: [...round.running], after: round.after, limit })
  round.after = due.at(-1) ?? round.after
  return due
})

const run = Effect.fnUntraced(function* (parts: Parts) {
  const { lane, leases, signal } = parts
  const lanes = yield* FiberMap.make<number, void>()
  const round: Round = { running: new Set(), after: 0 }
  const wanted = yield* Queue.sliding<void>(1)
  let lastSeen = Number.POSITIVE_INFINITY

  const start = (id: number) => {
    round.running.add(id)
    let isCut = false
    const drive = lane.drive(id).pipe(
      Effect.map((turn) => void (isCut = turn.isCut)),
      // What was leased is due again when its lease ends.
      Effect.catchCause((cause) => logCause(`The deliveries of endpoint ${id} stopped`, cause)),
      Effect.ensuring(
        Effect.suspend(() => {
          const wasFull = round.running.size === mostLanes
          round.running.delete(id)
          // Another lane may be waiting for its place, or this one for its next turn.
          return wasFull || isCut ? Queue.offer(wanted, undefined) : Effect.void
        })
      )
    )
    return FiberMap.run(lanes, id, drive)
  }

  const step = Effect.gen(function* () {
    const now = yield* machineNow
    if (now < lastSeen) yield* leases.shortenWaits(now)
    lastSeen = now
    yield* Effect.forEach(yield* next(parts, round), start, { discard: true })
    // New deliveries wake it, or time does; while all lanes run, only one that ends makes room for another.
    const wake = Queue.take(wanted)
    const isFull = round.running.size === mostLanes
    yield* Effect.raceFirst(isFull ? wake : Effect.raceFirst(wake, signal.wait), Effect.sleep(rest))
  })

  return yield* supervised("delivery worker", step, (wait) => Effect.raceFirst(signal.wait, Effect.sleep(wait)))
}, Effect.scoped)

const deliverDue = Effect.fnUntraced(function* (parts: Parts) {
  const round: Round = { running: new Set(), after: 0 }
  let tried = 0
  while (true) {
    const turns = yield* Effect.forEach(yield* next(parts, round), parts.lane.drive, { concurrency: "unbounded" })
    const made = turns.reduce((sum, turn) => sum + turn.tried, 0)
    if (made === 0) return tried
    tried += made
  }
})
