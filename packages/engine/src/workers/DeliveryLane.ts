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
import { MachineTime } from "@parcela/core/time/Instant"
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
import { machineNow } from "../ports/WriteContext.ts"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import { Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { Settings } from "../Settings.ts"
import { DeliveryTries } from "./DeliveryTries.ts"
import { LaneTurn, type Rest } from "./LaneTurn.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import { SendingPlaces } from "./SendingPlaces.ts"
import { logCause } from "../Supervised.ts"
import { reportUnwanted, unwanted } from "../webhooks/UnwantedDeliveries.ts"

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
    /** How many tries this process makes now. */
    readonly underWay: Effect.Effect<number>
  }
>()("@parcela/engine/workers/DeliveryLane") {
  static readonly layer: Layer.Layer<
    DeliveryLane,
    never,
    DeliverySignal | DeliveryTries | LeaseOwner | Outbox | WebhookEndpoints
  > = Layer.effect(
    DeliveryLane,
    Effect.gen(function* () {
      const parts: Parts = {
        clock: yield* Clock.Clock,
        endpoints: yield* WebhookEndpoints,
        outbox: yield* Outbox,
        owner: yield* LeaseOwner,
        places: new SendingPlaces(mostTries),
        signal: yield* DeliverySignal,
        tries: yield* DeliveryTries,
        leaseTime: (yield* Settings).lease
      }
      return DeliveryLane.of({
        drive: (endpointId) => drive(parts, endpointId),
        underWay: Effect.sync(() => parts.places.taken)
      })
    })
  )
}

interface Parts {
  readonly clock: Clock.Clock
  readonly endpoints: WebhookEndpoints["Service"]
  readonly outbox: Outbox["Service"]
  readonly owner: string
  readonly places: SendingPlaces
  readonly signal: DeliverySignal["Service"]
  readonly tries: DeliveryTries["Service"]
  readonly leaseTime: Duration.Duration
}

const drive = Effect.fn("DeliveryLane.drive")(function* (parts: Parts, endpointId: number) {
  const { clock, outbox, places, signal, tries } = parts
  const changed = yield* Queue.sliding<void>(1)
  const fibers = yield* FiberSet.make<void>()
  const turn = new LaneTurn({
    tries,
    places,
    now: () => clock.currentTimeMillisUnsafe(),
    wake: () => void Queue.offerUnsafe(changed, undefined)
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => turn.close()))
  const endListening = signal.onEndpointChange(endpointId, () => turn.endpointChanged())
  yield* Effect.addFinalizer(() => Effect.sync(endListening))
  while (true) {
    for (const rest of turn.takeRests()) yield* FiberSet.run(fibers, finish(turn, rest))
    const back = turn.takeBack()
    if (back.length > 0) yield* outbox.giveBack(back)
    if (turn.mayLease) yield* fill(parts, endpointId, turn)
    turn.begin()
    if (turn.isIdle) return { tried: turn.tried, isCut: turn.isCut }
    yield* Queue.take(changed)
  }
}, Effect.scoped)

const finish = (turn: LaneTurn, { effect, webhookId }: Rest): Effect.Effect<void> =>
  effect.pipe(
    // A defect of one delivery keeps no other waiting: it is due again when its lease ends.
    Effect.catchCause((cause) => logCause(`Delivery ${webhookId} could not be handled`, cause)),
    Effect.ensuring(Effect.sync(turn.end))
  )

/** Leases as many as the turn takes. */
const fill = Effect.fnUntraced(function* (parts: Parts, endpointId: number, turn: LaneTurn) {
  const { endpoints, leaseTime, outbox, owner, tries } = parts
  // Read before the endpoint: a change while it is loaded makes what is leased stale.
  const { endpointChanges } = turn
  const endpoint = Option.getOrUndefined(yield* endpoints.find(endpointId))
  const now = yield* machineNow
  if (endpoint === undefined || !endpoint.isOn || (endpoint.nextAt ?? now) > now) return turn.stop()
  const limit = turn.leaseLimit(endpoint.failures > 0)
  if (limit <= 0) return
  const target = yield* tries.target(endpoint)
  const until = MachineTime.make(now + Duration.toMillis(leaseTime))
  // What is not wanted any more stands before what is: it is given up, and makes room for the next.
  while (true) {
    const ended = turn.lease()
    const leased = yield* outbox.lease(endpointId, { owner, now, until, limit })
    ended(leased.length < limit)
    const [due, others] = Arr.partition(leased, (delivery) =>
      endpoint.events.includes(delivery.event) ? Result.succeed(delivery) : Result.fail(delivery)
    )
    if (others.length > 0) {
      yield* outbox.giveUp(others, now, unwanted)
      yield* reportUnwanted(others.length, endpoint.companyId)
    }
    turn.add({ deliveries: due, target, endpointChanges, at: now, until })
    if (due.length > 0 || leased.length === 0) return
  }
})
