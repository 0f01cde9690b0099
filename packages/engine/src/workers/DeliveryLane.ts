/**
 * The deliveries of one endpoint.
 *
 * **Details**
 *
 * A failed delivery waits by its own schedule and delays no later one. The endpoint itself is left alone after a
 * timeout, a failed connection, 429 and 503, longer each time, and is then asked with one try before there are several.
 * 410, and five days of that, switch it off.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/MachineTime"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { machineNow } from "../commands/Times.ts"
import { type Delivery, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { Settings } from "../Settings.ts"
import { DeliveryTries, type Target } from "./DeliveryTries.ts"
import { LeaseOwner } from "./LeaseOwner.ts"
import { logCause } from "./StoreOutage.ts"
import { reportUnwanted, unwanted } from "./UnwantedDeliveries.ts"

/** How many tries an endpoint gets at once. */
const width = 32

/** How many tries an endpoint gets until its turn is over, so that others come to theirs. */
const longestTurn = 400

/** How many tries a process makes at once: each holds a connection. */
const mostTries = 512

/**
 * How a turn of an endpoint ended.
 *
 * @category models
 * @since 0.1.0
 */
export interface Turn {
  readonly tried: number
  /** The turn was over before all that is due was tried. */
  readonly isCut: boolean
}

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryLane extends Context.Service<
  DeliveryLane,
  {
    /** Makes deliveries of an endpoint until none is due, it is to be left alone, or its turn is over. */
    readonly drive: (endpointId: number) => Effect.Effect<Turn, StoreError>
  }
>()("@parcela/engine/workers/DeliveryLane") {
  static readonly layer: Layer.Layer<DeliveryLane, never, DeliveryTries | LeaseOwner | Outbox | WebhookEndpoints> =
    Layer.effect(
      DeliveryLane,
      Effect.gen(function* () {
        const parts: Parts = {
          endpoints: yield* WebhookEndpoints,
          outbox: yield* Outbox,
          owner: yield* LeaseOwner,
          places: yield* Semaphore.make(mostTries),
          tries: yield* DeliveryTries,
          leaseTime: (yield* Settings).lease
        }
        return DeliveryLane.of({ drive: (endpointId) => drive(parts, endpointId) })
      })
    )
}

interface Parts {
  readonly endpoints: WebhookEndpoints["Service"]
  readonly outbox: Outbox["Service"]
  readonly owner: string
  readonly places: Semaphore.Semaphore
  readonly tries: DeliveryTries["Service"]
  readonly leaseTime: Duration.Duration
}

/** One turn of an endpoint, under way. */
interface Lane {
  readonly endpointId: number
  readonly fibers: FiberSet.FiberSet<void>
  /** A request has ended, or a try is recorded. */
  readonly changed: Queue.Queue<void>
  /** Tries that have no response yet. */
  sending: number
  /** Tries that are not recorded yet; those that have no response are among them. */
  open: number
  begun: number
  tried: number
  /** The last lease left nothing, and no try was recorded since, behind which another of its transaction may wait. */
  isEmpty: boolean
  /** A try found that the endpoint is to be paused. */
  isStopped: boolean
}

const drive = Effect.fn("DeliveryLane.drive")(function* (parts: Parts, endpointId: number) {
  const lane: Lane = {
    endpointId,
    fibers: yield* FiberSet.make<void>(),
    changed: yield* Queue.sliding<void>(1),
    sending: 0,
    open: 0,
    begun: 0,
    tried: 0,
    isEmpty: false,
    isStopped: false
  }
  while (true) {
    const isOver = lane.isStopped || lane.begun >= longestTurn
    // Half of the places at a time: a commit for each single delivery would cost as much as the delivery.
    const mayFill = !isOver && !lane.isEmpty && lane.sending <= width / 2
    const hasBegun = mayFill ? yield* fill(parts, lane) : false
    if (lane.open === 0 && !hasBegun) return { tried: lane.tried, isCut: isOver && !lane.isStopped }
    yield* Queue.take(lane.changed)
  }
}, Effect.scoped)

/** Leases what there is room for; false when nothing can be begun now. */
const fill = Effect.fnUntraced(function* (parts: Parts, lane: Lane) {
  const { endpoints, leaseTime, outbox, owner, tries } = parts
  const endpoint = Option.getOrUndefined(yield* endpoints.find(lane.endpointId))
  const now = yield* machineNow
  if (endpoint === undefined || !endpoint.isOn || (endpoint.nextAt ?? now) > now) return false
  const room = (endpoint.failures > 0 ? 1 : width) - lane.sending
  if (room <= 0) return false
  const target = yield* tries.target(endpoint)
  const until = MachineTime.make(now + Duration.toMillis(leaseTime))
  // What is not wanted any more stands before what is: it is given up, and makes room for the next.
  while (true) {
    const leased = yield* outbox.lease(lane.endpointId, { owner, now, until, limit: room })
    lane.isEmpty = leased.length < room
    const [due, others] = Arr.partition(leased, (delivery) =>
      endpoint.events.includes(delivery.event) ? Result.succeed(delivery) : Result.fail(delivery)
    )
    if (others.length > 0) {
      yield* outbox.giveUp(others, now, unwanted)
      yield* reportUnwanted(others.length, endpoint.companyId)
    }
    yield* Effect.forEach(due, (delivery) => start(parts, lane, delivery, target, until), { discard: true })
    if (due.length > 0 || leased.length === 0) return due.length > 0
  }
})

const start = Effect.fnUntraced(function* (
  parts: Parts,
  lane: Lane,
  delivery: Delivery,
  target: Target,
  until: MachineTime
) {
  lane.sending += 1
  lane.open += 1
  lane.begun += 1
  const one = Effect.gen(function* () {
    const tried = yield* send(parts, lane, delivery, target, until)
    if (tried === undefined) return
    const isFirst = tried.isStop && !lane.isStopped
    lane.isStopped ||= tried.isStop
    yield* parts.tries.settle(tried, isFirst)
  }).pipe(
    // A defect of one delivery keeps no other waiting: it is due again when its lease ends.
    Effect.catchCause((cause) => logCause(`Delivery ${delivery.webhookId} could not be handled`, cause)),
    Effect.ensuring(
      Effect.sync(() => {
        lane.open -= 1
        lane.isEmpty = false
        Queue.offerUnsafe(lane.changed, undefined)
      })
    )
  )
  yield* FiberSet.run(lane.fibers, one)
})

/** Sends it, unless that comes too late. Others may be sent while it is recorded. */
const send = ({ places, tries }: Parts, lane: Lane, delivery: Delivery, target: Target, until: MachineTime) =>
  Effect.gen(function* () {
    // Waited or paused longer than the lease runs: it is another process's, or will be.
    if ((yield* Clock.currentTimeMillis) >= until) return undefined
    lane.tried += 1
    return yield* tries.send(delivery, target)
  }).pipe(
    places.withPermits(1),
    Effect.ensuring(
      Effect.sync(() => {
        lane.sending -= 1
        Queue.offerUnsafe(lane.changed, undefined)
      })
    )
  )
