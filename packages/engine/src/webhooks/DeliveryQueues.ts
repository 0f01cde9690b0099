/**
 * The delivery queue of one webhook endpoint.
 *
 * **Details**
 *
 * Deliveries of one transaction are sent one at a time, deliveries of different transactions concurrently. A failed
 * delivery is repeated by its own schedule and blocks no later one. After a timeout, a failed connection, 429 or 503 the
 * endpoint is paused, longer after each failure; then one attempt decides whether the pause ends. 410, or five days
 * without a connection, switch the endpoint off.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
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
import type { Commands } from "../command/Command.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import { type Delivery, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { machineNow } from "../ports/WriteContext.ts"
import { WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { Settings } from "../Settings.ts"
import { logCause } from "../Supervised.ts"
import type { WebhookSender } from "@parcela/webhooks/WebhookSender"
import * as DeliveryAttempt from "./DeliveryAttempt.ts"
import { reportUnwanted, unwanted } from "./UnwantedDeliveries.ts"
import * as Spans from "../Spans.ts"

/** Maximum number of concurrent attempts of a process. Each attempt holds a connection. */
const maxAttempts = 512

/** Maximum number of concurrent attempts of an endpoint. */
const maxOfEndpoint = 32

/** Maximum number of deliveries that an endpoint leases in one run. Then other endpoints get a run. */
const maxOfRun = 400

/** Maximum number of deliveries that one commit leases. */
const maxLeased = 256

/** Maximum time in milliseconds between a lease and the attempt. A later attempt might use an outdated URL or secret. */
const maxWait = 5_000

/**
 * The result of one run of a queue.
 *
 * @category models
 * @since 0.1.0
 */
export interface QueueRun {
  readonly attempts: number
  /** True if the run ended at its limit and more deliveries may be due. */
  readonly isCut: boolean
}

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryQueues extends Context.Service<
  DeliveryQueues,
  {
    /** Sends the due deliveries of an endpoint until none is due, the endpoint is paused, or the limit of a run is reached. */
    readonly run: (endpointId: number) => Effect.Effect<QueueRun, StoreError>
    /** The current number of attempts of this process. */
    readonly pending: Effect.Effect<number>
  }
>()("@parcela/engine/webhooks/DeliveryQueues") {
  static readonly layer: Layer.Layer<
    DeliveryQueues,
    never,
    Commands | DeliverySignal | LeaseOwner | Outbox | Secrets | WebhookEndpoints | WebhookSender
  > = Layer.effect(
    DeliveryQueues,
    Effect.gen(function* () {
      const parts: Parts = {
        attempts: yield* DeliveryAttempt.make,
        clock: yield* Clock.Clock,
        endpoints: yield* WebhookEndpoints,
        leaseTime: (yield* Settings).lease,
        outbox: yield* Outbox,
        owner: yield* LeaseOwner,
        permits: yield* Semaphore.make(maxAttempts),
        signal: yield* DeliverySignal,
        pending: { count: 0 }
      }
      return DeliveryQueues.of({
        run: (endpointId) => run(parts, endpointId),
        pending: Effect.sync(() => parts.pending.count)
      })
    })
  )
}

interface Parts {
  readonly attempts: Effect.Success<typeof DeliveryAttempt.make>
  readonly clock: Clock.Clock
  readonly endpoints: WebhookEndpoints["Service"]
  readonly leaseTime: Duration.Duration
  readonly outbox: Outbox["Service"]
  readonly owner: string
  readonly permits: Semaphore.Semaphore
  readonly signal: DeliverySignal["Service"]
  readonly pending: { count: number }
}

/** The state of a run. */
interface State {
  /** Limits the attempts of the endpoint. */
  readonly slots: Semaphore.Semaphore
  readonly fibers: FiberSet.FiberSet
  /** Signals that a leased delivery has ended: recorded, or not sent. */
  readonly ended: Queue.Queue<void>
  endedCount: number
  leasedCount: number
  /** The number of attempts. */
  sent: number
  /** The number of changes of the endpoint during the run. */
  changes: number
  /** True if an attempt showed that the endpoint must be paused or switched off. */
  isStopped: boolean
  /** Leased deliveries that were not sent. Their leases must be released. */
  unsent: Array<Delivery>
}

/** Deliveries that one commit leased. */
interface Batch {
  readonly deliveries: ReadonlyArray<Delivery>
  readonly target: DeliveryAttempt.Target
  readonly leasedAt: number
  /** Deliveries that are not sent before this time are released. */
  readonly until: number
  /** The value of `State.changes` before the target was loaded. */
  readonly changes: number
  /** True if no other delivery was due. */
  readonly isLast: boolean
}

const run = Spans.fn("DeliveryQueues.run")(function* (parts: Parts, endpointId: number) {
  const state: State = {
    slots: yield* Semaphore.make(maxOfEndpoint),
    fibers: yield* FiberSet.make(),
    ended: yield* Queue.sliding<void>(1),
    endedCount: 0,
    leasedCount: 0,
    sent: 0,
    changes: 0,
    isStopped: false,
    unsent: []
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => parts.signal.onEndpointChange(endpointId, () => void (state.changes += 1))),
    (endListening) => Effect.sync(endListening)
  )
  let limit = maxOfEndpoint
  while (!state.isStopped && state.leasedCount < maxOfRun) {
    const endedBefore = state.endedCount
    const batch = yield* lease(parts, state, endpointId, Math.min(limit, maxOfRun - state.leasedCount))
    if (batch === undefined) break
    yield* sendBatch(parts, state, batch)
    if (batch.target.endpoint.failures > 0) yield* FiberSet.awaitEmpty(state.fibers)
    // Waits until half of the slots are free: leasing single deliveries would cost as much as sending them.
    yield* state.slots.withPermits(maxOfEndpoint / 2)(Effect.void)
    yield* releaseUnsent(parts, state)
    if (batch.isLast && !(yield* waitForEnd(state, endedBefore))) break
    limit = deliveriesPerSecond(batch, parts.clock.currentTimeMillisUnsafe())
  }
  yield* FiberSet.awaitEmpty(state.fibers)
  yield* releaseUnsent(parts, state)
  return { attempts: state.sent, isCut: state.leasedCount >= maxOfRun && !state.isStopped }
}, Effect.scoped)

/** Waits until a delivery has ended: the next one of its transaction may be due. Returns false if all had ended. */
const waitForEnd = Effect.fnUntraced(function* (state: State, endedBefore: number) {
  while (state.endedCount === endedBefore && state.endedCount < state.leasedCount) yield* Queue.take(state.ended)
  return state.endedCount > endedBefore
})

/** The size of the next batch: the deliveries that take about a second. */
const deliveriesPerSecond = ({ deliveries, leasedAt }: Batch, now: number): number => {
  const perSecond = (deliveries.length * 1_000) / Math.max(1, now - leasedAt)
  return Math.max(maxOfEndpoint, Math.min(maxLeased, Math.floor(perSecond)))
}

/** Leases due deliveries. Returns undefined if the endpoint is deleted, switched off or paused. */
const lease = Effect.fnUntraced(function* (
  parts: Parts,
  state: State,
  endpointId: number,
  maxDeliveries: number
): Effect.fn.Return<Batch | undefined, StoreError> {
  const { attempts, endpoints, leaseTime, outbox, owner } = parts
  // Read before the endpoint: a change while it is loaded makes the batch outdated.
  const { changes } = state
  const endpoint = Option.getOrUndefined(yield* endpoints.find(endpointId))
  const now = yield* machineNow
  if (endpoint === undefined || !endpoint.isOn || (endpoint.nextAt ?? now) > now) return undefined
  const limit = endpoint.failures > 0 ? 1 : maxDeliveries
  const target = yield* attempts.targetOf(endpoint)
  const leaseEnd = MachineTime.make(now + Duration.toMillis(leaseTime))
  // Unwanted deliveries at the head of the queue are abandoned, until wanted ones are leased.
  while (true) {
    const leased = yield* outbox.lease(endpointId, { owner, now, until: leaseEnd, limit })
    const [deliveries, others] = Arr.partition(leased, (delivery) =>
      endpoint.events.includes(delivery.event) ? Result.succeed(delivery) : Result.fail(delivery)
    )
    if (others.length > 0) {
      yield* outbox.abandon(others, now, unwanted)
      yield* reportUnwanted(others.length, endpoint.companyId)
    }
    if (deliveries.length === 0 && others.length > 0) continue
    state.leasedCount += deliveries.length
    const isLast = leased.length < limit
    return { deliveries, target, leasedAt: now, until: Math.min(leaseEnd, now + maxWait), changes, isLast }
  }
})

/** Starts a fiber for each delivery as soon as a slot is free. */
const sendBatch = Effect.fnUntraced(function* (parts: Parts, state: State, batch: Batch) {
  for (const delivery of batch.deliveries) {
    yield* state.slots.take(1)
    yield* FiberSet.run(state.fibers, attempt(parts, state, batch, delivery))
  }
})

/** Sends and records one delivery. Interruption stops the request, but a received response is always recorded. */
const attempt = (parts: Parts, state: State, batch: Batch, delivery: Delivery): Effect.Effect<void> =>
  Effect.uninterruptibleMask((restore) =>
    restore(parts.permits.withPermit(send(parts, state, batch, delivery))).pipe(
      Effect.ensuring(state.slots.release(1)),
      Effect.flatMap((sent) => {
        if (sent === undefined) return Effect.void
        const mayStop = sent.stopsEndpoint && !state.isStopped
        if (mayStop) state.isStopped = true
        return parts.attempts.finish(sent, mayStop)
      }),
      // The delivery is due again when its lease ends.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : logCause(`Delivery ${delivery.webhookId} could not be handled`, cause)
      ),
      Effect.ensuring(
        Effect.sync(() => {
          state.endedCount += 1
          Queue.offerUnsafe(state.ended, undefined)
        })
      )
    )
  )

/** Sends a delivery. Returns undefined if the endpoint is stopped or the batch is outdated. */
const send = (parts: Parts, state: State, batch: Batch, delivery: Delivery) =>
  Effect.suspend(() => {
    if (state.isStopped || batch.changes !== state.changes || parts.clock.currentTimeMillisUnsafe() >= batch.until) {
      state.unsent.push(delivery)
      return Effect.undefined
    }
    state.sent += 1
    parts.pending.count += 1
    return Effect.ensuring(
      parts.attempts.send(delivery, batch.target),
      Effect.sync(() => void (parts.pending.count -= 1))
    )
  })

const releaseUnsent = ({ outbox }: Parts, state: State) =>
  Effect.suspend(() => {
    const { unsent } = state
    state.unsent = []
    return unsent.length === 0 ? Effect.void : outbox.release(unsent)
  })
