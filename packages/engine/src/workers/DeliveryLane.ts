/**
 * The deliveries of one endpoint.
 *
 * **Details**
 *
 * A failed delivery waits by its own schedule and holds no later one back. The endpoint itself is left alone after a
 * timeout, a failed connection, 429 and 503, longer each time, and is then asked with one try before there are several.
 * 410, and five days of that, switch it off.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import { validAt } from "@parcela/core/webhooks/SecretVersion"
import { nextTry } from "@parcela/webhooks/DeliverySchedule"
import { encodeMessage } from "@parcela/webhooks/WebhookMessage"
import { type SendResult, WebhookSender } from "@parcela/webhooks/WebhookSender"
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
import { entriesOf } from "../commands/JournalEntries.ts"
import { Journal } from "../ports/Journal.ts"
import { Origin } from "../commands/Origin.ts"
import { type Delivery, type DeliveryResult, type DeliveryTry, Outbox } from "../ports/Outbox.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { logCause } from "./StoreOutage.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { backoff } from "@parcela/webhooks/Backoff"
import { failedDelivery } from "./FailedDelivery.ts"
import { LeaseOwner } from "./LeaseOwner.ts"
import { reportUnwanted, unwanted } from "./UnwantedDeliveries.ts"

/** How many tries an endpoint gets at once. */
const width = 8

const firstPause = Duration.seconds(5)
const longestPause = Duration.minutes(10)

/** A receiver may ask for a longer pause, but for no longer than this. */
const longestRetryAfter = Duration.hours(1)

/** An endpoint that could not be reached for so long is switched off. */
const longestFailing = Duration.days(5)

/** What a try says about the endpoint, beside the delivery. */
type Health = "reachable" | "gone" | "pause"

/** How a try ended here: as the sender says, or not even sent. */
type Sent = SendResult | { readonly _tag: "Defect"; readonly problem: string }

const healthOf = (sent: Sent): Health => {
  if (sent._tag === "Defect") return "reachable"
  if (sent._tag === "NoResponse") return "pause"
  if (sent.status === 410) return "gone"
  return sent.status === 429 || sent.status === 503 ? "pause" : "reachable"
}

const resultOf = (delivery: Delivery, sent: Sent, now: EpochMillis): DeliveryResult => {
  if (sent._tag === "Accepted") return { _tag: "Delivered", at: now }
  const { problem } = sent
  const next = nextTry(delivery.tries + 1, now)
  return next._tag === "TryAt" ? { _tag: "TryAgain", at: next.at, problem } : { _tag: "GivenUp", at: now, problem }
}

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryLane extends Context.Service<
  DeliveryLane,
  {
    /** Makes deliveries of an endpoint until none is due, or it is to be left alone; returns how many tries it made. */
    readonly drive: (endpointId: number) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/workers/DeliveryLane") {
  static readonly layer: Layer.Layer<
    DeliveryLane,
    never,
    Journal | LeaseOwner | Outbox | Secrets | UnitOfWork | WebhookEndpoints | WebhookSender
  > = Layer.effect(
    DeliveryLane,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const journal = yield* Journal
      const outbox = yield* Outbox
      const owner = yield* LeaseOwner
      const secrets = yield* Secrets
      const sender = yield* WebhookSender
      const unitOfWork = yield* UnitOfWork
      const { lease: leaseTime } = yield* Settings

      const send = Effect.fnUntraced(function* (delivery: Delivery, endpoint: WebhookEndpoint) {
        const { companyId, event, payload, webhookId } = delivery
        const { url } = endpoint
        const confirmHash = yield* secrets.confirmHash(companyId)
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const signing = yield* Effect.forEach(validAt(endpoint.secrets, now), ({ salt }) =>
          secrets.signingSecret(companyId, salt)
        )
        // The outbox numbers from 1 and holds what the recorder encoded, so this cannot be unwritable.
        const body = Result.getOrThrow(encodeMessage({ event, webhookId, confirmHash, payload }))
        return yield* sender.send({ url, body, webhookId, secrets: signing })
      })

      // A defect says nothing about the endpoint; its delivery is tried again by its schedule, and ends as a dead letter.
      const sendOrDefect = (delivery: Delivery, endpoint: WebhookEndpoint) =>
        Effect.catchDefect(send(delivery, endpoint), (defect) =>
          Effect.as(Effect.logError(`Delivery ${delivery.webhookId} could not be made`, defect), {
            _tag: "Defect",
            problem: "The delivery could not be made: a defect of this service"
          } as const)
        )

      const switchOff = Effect.fnUntraced(function* (endpoint: WebhookEndpoint, reason: string, now: EpochMillis) {
        const { companyId, id: endpointId } = endpoint
        if (!(yield* endpoints.switchOff(endpointId, reason, now))) return
        const event = { _tag: "WebhookEndpointSwitchedOff", endpointId, reason } as const
        yield* journal.append(
          entriesOf({ changes: [], events: [event] }, { companyId, at: now, origin: yield* Origin })
        )
        yield* Effect.logWarning(`Webhook endpoint ${endpointId} is switched off: ${reason}`)
      })

      const pause = Effect.fnUntraced(function* (endpoint: WebhookEndpoint, sent: Sent, now: EpochMillis) {
        if (now - (endpoint.failingSince ?? now) >= Duration.toMillis(longestFailing)) {
          return yield* switchOff(endpoint, `It could not be reached for ${Duration.format(longestFailing)}`, now)
        }
        const own = yield* backoff(endpoint.failures, firstPause, longestPause)
        const asked = sent._tag === "Refused" ? (sent.retryAfter ?? Duration.zero) : Duration.zero
        const wait = Duration.max(own, Duration.min(asked, longestRetryAfter))
        yield* endpoints.fail(endpoint.id, now, EpochMillis.make(now + Duration.toMillis(wait)))
      })

      const report = (delivery: Delivery, url: string, result: DeliveryResult, made: DeliveryTry) =>
        result._tag === "Delivered" ? Effect.void : Effect.logWarning(failedDelivery(delivery, url, result, made))

      /** Sends one delivery and records the try. `isFirst` is true for the first that stops the lane. */
      const attempt = Effect.fnUntraced(function* (
        delivery: Delivery,
        endpoint: WebhookEndpoint,
        isFirst: () => boolean
      ) {
        const startedAt = EpochMillis.make(yield* Clock.currentTimeMillis)
        const sent = yield* sendOrDefect(delivery, endpoint)
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const result = resultOf(delivery, sent, now)
        const health = healthOf(sent)
        const made: DeliveryTry = {
          startedAt,
          // A clock that was set back meanwhile makes no try take less than no time.
          duration: Math.max(0, now - startedAt),
          status: "status" in sent ? sent.status : undefined,
          problem: sent._tag === "Accepted" ? undefined : sent.problem
        }
        // The unit may run again, and the reaction that its first run decided on was undone with it.
        let reacts: boolean | undefined
        const isRecorded = yield* unitOfWork.transact(
          Effect.gen(function* () {
            if (!(yield* outbox.record(delivery, result, made))) return false
            // Several tries that fail together are one failure of the endpoint.
            if (health !== "reachable" && (reacts ??= isFirst())) {
              yield* health === "gone" ? switchOff(endpoint, "It returned 410 Gone", now) : pause(endpoint, sent, now)
            }
            if (health === "reachable" && sent._tag !== "Defect" && endpoint.failures > 0)
              yield* endpoints.recover(endpoint.id)
            return true
          })
        )
        yield* isRecorded
          ? report(delivery, endpoint.url, result, made)
          : Effect.logWarning(`Delivery ${delivery.webhookId}: the lease was lost, and the result of this try with it`)
      })

      const drive = Effect.fn("DeliveryLane.drive")(function* (endpointId: number) {
        const fibers = yield* FiberSet.make<void>()
        const finished = yield* Queue.sliding<void>(1)
        let active = 0
        let isStopped = false
        let tried = 0

        const start = Effect.fnUntraced(function* (delivery: Delivery, endpoint: WebhookEndpoint, until: number) {
          active += 1
          const first = () => !isStopped && (isStopped = true)
          const one = Effect.gen(function* () {
            // Paused longer than the lease runs: it is somebody else's, or will be.
            if ((yield* Clock.currentTimeMillis) >= until) return
            tried += 1
            yield* Effect.provideService(attempt(delivery, endpoint, first), Origin, {
              actor: { _tag: "Worker", kind: "deliveries" },
              cause: { _tag: "Delivery", webhookId: delivery.webhookId }
            })
          }).pipe(
            // A defect of one delivery keeps no other waiting: it is due again when its lease ends.
            Effect.catchCause((cause) => logCause(`Delivery ${delivery.webhookId} could not be handled`, cause)),
            Effect.ensuring(
              Effect.suspend(() => {
                active -= 1
                return Queue.offer(finished, undefined)
              })
            )
          )
          yield* FiberSet.run(fibers, one)
        })

        /** Leases what there is room for; false when nothing can be begun now. */
        const fill = Effect.gen(function* () {
          const endpoint = Option.getOrUndefined(yield* endpoints.find(endpointId))
          const now = EpochMillis.make(yield* Clock.currentTimeMillis)
          if (endpoint === undefined || !endpoint.isOn || (endpoint.nextAt ?? now) > now) return false
          const room = (endpoint.failures > 0 ? 1 : width) - active
          if (room <= 0) return false
          const until = EpochMillis.make(now + Duration.toMillis(leaseTime))
          // What is not wanted any more stands before what is: it is given up, and makes room for the next.
          while (true) {
            const leased = yield* outbox.lease(endpointId, { owner, now, until, limit: room })
            const [due, others] = Arr.partition(leased, (delivery) =>
              endpoint.events.includes(delivery.event) ? Result.succeed(delivery) : Result.fail(delivery)
            )
            yield* outbox.giveUp(others, now, unwanted)
            yield* reportUnwanted(others.length, endpoint.companyId)
            yield* Effect.forEach(due, (delivery) => start(delivery, endpoint, until), { discard: true })
            if (due.length > 0 || leased.length === 0) return due.length > 0
          }
        })

        while (true) {
          // Half of the places at a time: a commit for each single delivery would cost as much as the delivery.
          const begun = !isStopped && active <= width / 2 ? yield* fill : false
          if (active === 0 && !begun) return tried
          yield* Queue.take(finished)
        }
      }, Effect.scoped)

      return DeliveryLane.of({ drive })
    })
  )
}
