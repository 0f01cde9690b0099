/**
 * One try of a delivery: it is sent, recorded, and shows the health of its endpoint.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/MachineTime"
import { validAt } from "@parcela/core/webhooks/SecretVersion"
import * as Endpoint from "@parcela/core/webhooks/WebhookEndpointDecider"
import { randomBackoff } from "@parcela/webhooks/RandomBackoff"
import { nextTry } from "@parcela/webhooks/DeliverySchedule"
import { encodeMessage } from "@parcela/webhooks/WebhookMessage"
import { type SendResult, WebhookSender } from "@parcela/webhooks/WebhookSender"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands } from "../commands/Command.ts"
import { machineNow } from "../commands/Times.ts"
import { type Delivery, type DeliveryResult, type DeliveryTry, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { changeEndpoint } from "../usecases/EndpointChanges.ts"
import { failedDelivery } from "./FailedDelivery.ts"

const firstPause = Duration.seconds(5)
const longestPause = Duration.minutes(10)

/** A receiver may ask for a longer pause, but for no longer than this. */
const longestRetryAfter = Duration.hours(1)

/** An endpoint that could not be reached for so long is switched off. */
const longestFailing = Duration.days(5)

/** What a try shows of the endpoint, beside the delivery. */
type Health = "reachable" | "gone" | "pause"

/** How a try ended here: the sender's result, or not even sent. */
type Sent = SendResult | { readonly _tag: "Defect"; readonly problem: string }

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryTries extends Context.Service<
  DeliveryTries,
  {
    /**
     * Sends one delivery and records the try. The endpoint is left alone, or switched off, when the try shows that and
     * `isFirst` is true: several tries that fail together are one failure of the endpoint.
     */
    readonly make: (
      delivery: Delivery,
      endpoint: WebhookEndpoint,
      isFirst: () => boolean
    ) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/workers/DeliveryTries") {
  static readonly layer: Layer.Layer<
    DeliveryTries,
    never,
    Commands | Outbox | Secrets | WebhookEndpoints | WebhookSender
  > = Layer.effect(
    DeliveryTries,
    Effect.gen(function* () {
      const parts: Parts = {
        commands: yield* Commands,
        endpoints: yield* WebhookEndpoints,
        outbox: yield* Outbox,
        secrets: yield* Secrets,
        sender: yield* WebhookSender
      }
      return DeliveryTries.of({ make: (...about) => make(parts, ...about) })
    })
  )
}

interface Parts {
  readonly commands: Commands["Service"]
  readonly endpoints: WebhookEndpoints["Service"]
  readonly outbox: Outbox["Service"]
  readonly secrets: Secrets["Service"]
  readonly sender: WebhookSender["Service"]
}

const make = Effect.fnUntraced(function* (
  parts: Parts,
  delivery: Delivery,
  endpoint: WebhookEndpoint,
  isFirst: () => boolean
) {
  const startedAt = yield* machineNow
  const sent = yield* sendOrDefect(parts, delivery, endpoint)
  const now = yield* machineNow
  const result = resultOf(delivery, sent, now)
  const made: DeliveryTry = {
    startedAt,
    // A clock that was set back meanwhile makes no try take less than no time.
    duration: Math.max(0, now - startedAt),
    status: "status" in sent ? sent.status : undefined,
    problem: sent._tag === "Accepted" ? undefined : sent.problem
  }
  if (!(yield* parts.outbox.record(delivery, result, made))) {
    yield* Effect.logWarning(`Delivery ${delivery.webhookId}: the lease was lost, and the result of this try with it`)
    return
  }
  // A crash before this leaves it to the next try, to which the endpoint will respond the same.
  yield* react(parts, endpoint, sent, now, isFirst)
  if (result._tag !== "Delivered") yield* Effect.logWarning(failedDelivery(delivery, endpoint.url, result, made))
})

const send = Effect.fnUntraced(function* (
  { secrets, sender }: Parts,
  { companyId, event, payload, webhookId }: Delivery,
  endpoint: WebhookEndpoint
) {
  const confirmHash = yield* secrets.confirmHash(companyId)
  const signing = yield* Effect.forEach(validAt(endpoint.secrets, yield* machineNow), ({ salt }) =>
    secrets.signingSecret(companyId, salt)
  )
  // The outbox numbers from 1 and holds what a command encoded, so this cannot be unwritable.
  const body = Result.getOrThrow(encodeMessage({ event, webhookId, confirmHash, payload }))
  return yield* sender.send({ url: endpoint.url, body, webhookId, secrets: signing })
})

/** A defect shows nothing of the endpoint; its delivery is tried again by its schedule, and ends as a dead letter. */
const sendOrDefect = (parts: Parts, delivery: Delivery, endpoint: WebhookEndpoint): Effect.Effect<Sent> =>
  Effect.catchDefect(send(parts, delivery, endpoint), (defect) =>
    Effect.as(Effect.logError(`Delivery ${delivery.webhookId} could not be made`, defect), {
      _tag: "Defect",
      problem: "The delivery could not be made: a defect of this service"
    } as const)
  )

const react = (
  parts: Parts,
  endpoint: WebhookEndpoint,
  sent: Sent,
  now: MachineTime,
  isFirst: () => boolean
): Effect.Effect<void, StoreError> => {
  const health = healthOf(sent)
  if (health !== "reachable") {
    if (!isFirst()) return Effect.void
    return health === "gone" ? switchOff(parts, endpoint, "It returned 410 Gone") : pause(parts, endpoint, sent, now)
  }
  return sent._tag !== "Defect" && endpoint.failures > 0 ? parts.endpoints.recover(endpoint.id) : Effect.void
}

const pause = Effect.fnUntraced(function* (parts: Parts, endpoint: WebhookEndpoint, sent: Sent, now: MachineTime) {
  if (now - (endpoint.failingSince ?? now) >= Duration.toMillis(longestFailing)) {
    return yield* switchOff(parts, endpoint, `It could not be reached for ${Duration.format(longestFailing)}`)
  }
  const own = yield* randomBackoff(endpoint.failures, firstPause, longestPause)
  const asked = sent._tag === "Refused" ? (sent.retryAfter ?? Duration.zero) : Duration.zero
  const wait = Duration.max(own, Duration.min(asked, longestRetryAfter))
  yield* parts.endpoints.fail(endpoint.id, now, MachineTime.make(now + Duration.toMillis(wait)))
})

const switchOff = ({ commands }: Parts, endpoint: WebhookEndpoint, reason: string) =>
  changeEndpoint(commands, endpoint, (before, now) => Result.succeed(Endpoint.switchOff(before, reason, now))).pipe(
    Effect.flatMap(({ id }) => Effect.logWarning(`Webhook endpoint ${id} is switched off: ${reason}`)),
    // It was deleted meanwhile.
    Effect.catchTag("EndpointNotFound", () => Effect.void)
  )

const healthOf = (sent: Sent): Health => {
  if (sent._tag === "Defect") return "reachable"
  if (sent._tag === "NoResponse") return "pause"
  if (sent.status === 410) return "gone"
  return sent.status === 429 || sent.status === 503 ? "pause" : "reachable"
}

const resultOf = (delivery: Delivery, sent: Sent, now: MachineTime): DeliveryResult => {
  if (sent._tag === "Accepted") return { _tag: "Delivered", at: now }
  const { problem } = sent
  const next = nextTry(delivery.tries + 1, now)
  return next._tag === "TryAt" ? { _tag: "TryAgain", at: next.at, problem } : { _tag: "GivenUp", at: now, problem }
}
