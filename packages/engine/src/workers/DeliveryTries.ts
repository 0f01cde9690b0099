/**
 * One try of a delivery: it is sent, then recorded, and shows the health of its endpoint.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import { validAt } from "@parcela/core/webhooks/SecretVersion"
import * as Endpoint from "@parcela/core/webhooks/WebhookEndpointDecider"
import { randomBackoff } from "@parcela/webhooks/RandomBackoff"
import { nextTry } from "@parcela/webhooks/DeliverySchedule"
import { encodeMessage } from "@parcela/webhooks/WebhookMessage"
import { defective, type SendOptions, type SendResult, WebhookSender } from "@parcela/webhooks/WebhookSender"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands } from "../command/Command.ts"
import { Origin, machineNow } from "../ports/WriteContext.ts"
import type { Delivery, DeliveryResult, DeliveryTry } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import { changeEndpoint } from "../webhooks/EndpointChanges.ts"
import { DeliveryRecords } from "./DeliveryRecords.ts"
import { failedDelivery } from "./FailedDelivery.ts"

const firstPause = Duration.seconds(5)
const longestPause = Duration.minutes(10)

/** A receiver may ask for a longer pause, but for no longer than this. */
const longestRetryAfter = Duration.hours(1)

/** An endpoint that could not be reached for so long is switched off. */
const longestFailing = Duration.days(5)

/** What a try shows of the endpoint, beside the delivery. */
type Health = "reachable" | "gone" | "pause"

/**
 * An endpoint, and what its deliveries are signed with at the moment.
 *
 * @category models
 * @since 0.1.0
 */
export interface Target {
  readonly endpoint: WebhookEndpoint
  readonly confirmHash: Redacted.Redacted
  readonly secrets: SendOptions["secrets"]
}

/**
 * A try that is over, and not recorded yet.
 *
 * @category models
 * @since 0.1.0
 */
export interface SentTry {
  readonly delivery: Delivery
  readonly endpoint: WebhookEndpoint
  readonly sent: SendResult
  readonly result: DeliveryResult
  readonly made: DeliveryTry
  /** The endpoint is to be left alone, or switched off. */
  readonly isStop: boolean
}

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryTries extends Context.Service<
  DeliveryTries,
  {
    readonly target: (endpoint: WebhookEndpoint) => Effect.Effect<Target>
    /** Begins a try. `ended` is called after this has returned, and not after what is returned: that drops the request. */
    readonly send: (delivery: Delivery, target: Target, ended: (tried: SentTry) => void) => () => void
    /**
     * Records a try. `settled` is called once that is done, with what is to be done besides, if anything is. The endpoint is
     * left alone, or switched off, when the try shows that and `isFirst` says so: several tries that fail together are one
     * failure of the endpoint.
     */
    readonly settle: (
      tried: SentTry,
      isFirst: boolean,
      settled: (rest: Effect.Effect<void, StoreError> | undefined) => void
    ) => void
  }
>()("@parcela/engine/workers/DeliveryTries") {
  static readonly layer: Layer.Layer<
    DeliveryTries,
    never,
    Commands | DeliveryRecords | Secrets | WebhookEndpoints | WebhookSender
  > = Layer.effect(
    DeliveryTries,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const parts: Parts = {
        commands: yield* Commands,
        endpoints: yield* WebhookEndpoints,
        // A clock shows nothing else.
        now: () => clock.currentTimeMillisUnsafe() as MachineTime,
        records: yield* DeliveryRecords,
        secrets: yield* Secrets,
        sender: yield* WebhookSender
      }
      return DeliveryTries.of({
        target: (endpoint) => targetOf(parts, endpoint),
        send: (delivery, target, ended) => send(parts, delivery, target, ended),
        settle: (tried, isFirst, settled) => settle(parts, tried, isFirst, settled)
      })
    })
  )
}

interface Parts {
  readonly commands: Commands["Service"]
  readonly endpoints: WebhookEndpoints["Service"]
  readonly now: () => MachineTime
  readonly records: DeliveryRecords["Service"]
  readonly secrets: Secrets["Service"]
  readonly sender: WebhookSender["Service"]
}

const targetOf = Effect.fnUntraced(function* ({ secrets }: Parts, endpoint: WebhookEndpoint) {
  const { companyId } = endpoint
  const valid = validAt(endpoint.secrets, yield* machineNow)
  return {
    endpoint,
    confirmHash: yield* secrets.confirmHash(companyId),
    secrets: yield* Effect.forEach(valid, ({ salt }) => secrets.signingSecret(companyId, salt))
  }
})

const send = (parts: Parts, delivery: Delivery, target: Target, ended: (tried: SentTry) => void): (() => void) => {
  const startedAt = parts.now()
  return sendOrDefect(parts, delivery, target, (sent) => {
    const now = parts.now()
    const made: DeliveryTry = {
      startedAt,
      // A clock that was set back meanwhile makes no try take less than no time.
      duration: Math.max(0, now - startedAt),
      status: "status" in sent ? sent.status : undefined,
      problem: sent._tag === "Accepted" ? undefined : sent.problem
    }
    const isStop = healthOf(sent) !== "reachable"
    ended({ delivery, endpoint: target.endpoint, sent, result: resultOf(delivery, sent, now), made, isStop })
  })
}

/** A defect shows nothing of the endpoint; its delivery is tried again by its schedule, and ends as a dead letter. */
const sendOrDefect = (
  { sender }: Parts,
  { event, payload, webhookId }: Delivery,
  { confirmHash, endpoint, secrets }: Target,
  ended: (sent: SendResult) => void
): (() => void) => {
  try {
    // The outbox numbers from 1 and holds what a command encoded, so this cannot be unwritable.
    const body = Result.getOrThrow(encodeMessage({ event, webhookId, confirmHash, payload }))
    return sender.send({ url: endpoint.url, body, webhookId, secrets }, ended)
  } catch (defect) {
    let isWanted = true
    queueMicrotask(() => isWanted && ended(defective(defect)))
    return () => void (isWanted = false)
  }
}

const settle = (
  parts: Parts,
  tried: SentTry,
  isFirst: boolean,
  settled: (rest: Effect.Effect<void, StoreError> | undefined) => void
): void => {
  const { delivery, endpoint, made, result } = tried
  const { token, webhookId } = delivery
  parts.records.record({ webhookId, token, result, made }, (exit) => {
    if (Exit.isFailure(exit)) return settled(Effect.failCause(exit.cause))
    if (!exit.value) {
      const lost = `Delivery ${webhookId}: the lease was lost, and the result of this try with it`
      return settled(Effect.logWarning(lost))
    }
    const isAll = result._tag === "Delivered" && endpoint.failures === 0
    settled(isAll ? undefined : follow(parts, tried, isFirst))
  })
}

/** What follows a try that is recorded. */
const follow = Effect.fnUntraced(function* (parts: Parts, tried: SentTry, isFirst: boolean) {
  const { delivery, endpoint, made, result, sent } = tried
  const { webhookId } = delivery
  if (sent._tag === "Defect") yield* Effect.logError(`Delivery ${webhookId} could not be made`, sent.defect)
  // A crash before this leaves it to the next try, to which the endpoint will respond the same.
  yield* Effect.provideService(react(parts, tried, isFirst), Origin, {
    actor: { _tag: "Worker", kind: "deliveries" },
    cause: { _tag: "Delivery", webhookId }
  })
  if (result._tag !== "Delivered") yield* Effect.logWarning(failedDelivery(delivery, endpoint.url, result, made))
})

const react = (
  parts: Parts,
  { endpoint, isStop, made, sent }: SentTry,
  isFirst: boolean
): Effect.Effect<void, StoreError> => {
  if (isStop) {
    if (!isFirst) return Effect.void
    const isGone = healthOf(sent) === "gone"
    return isGone
      ? switchOff(parts, endpoint, "It returned 410 Gone")
      : pause(parts, endpoint, sent, MachineTime.make(made.startedAt + made.duration))
  }
  return sent._tag !== "Defect" && endpoint.failures > 0 ? parts.endpoints.recover(endpoint.id) : Effect.void
}

const pause = Effect.fnUntraced(function* (
  parts: Parts,
  endpoint: WebhookEndpoint,
  sent: SendResult,
  now: MachineTime
) {
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

const healthOf = (sent: SendResult): Health => {
  if (sent._tag === "Defect") return "reachable"
  if (sent._tag === "NoResponse") return "pause"
  if (sent.status === 410) return "gone"
  return sent.status === 429 || sent.status === 503 ? "pause" : "reachable"
}

const resultOf = (delivery: Delivery, sent: SendResult, now: MachineTime): DeliveryResult => {
  if (sent._tag === "Accepted") return { _tag: "Delivered", at: now }
  const { problem } = sent
  const next = nextTry(delivery.tries + 1, now)
  return next._tag === "TryAt" ? { _tag: "TryAgain", at: next.at, problem } : { _tag: "GivenUp", at: now, problem }
}
