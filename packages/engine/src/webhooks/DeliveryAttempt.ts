/**
 * One delivery attempt: sends the delivery, records the result, and updates the health of the endpoint.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import { maskedUrl } from "@parcela/core/webhooks/EditWebhooks"
import { validAt } from "@parcela/core/webhooks/SecretVersion"
import * as Endpoint from "@parcela/core/webhooks/WebhookEndpointDecider"
import { defective, retryAt, type SendOptions, type SendResult, WebhookSender } from "@parcela/webhooks/WebhookSender"
import { randomBackoff } from "@parcela/core/attempts/Backoff"
import { encodeMessage } from "@parcela/webhooks/WebhookMessage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands } from "../command/Command.ts"
import { Origin, machineNow } from "../ports/WriteContext.ts"
import { type Delivery, type DeliveryResult, type DeliveryAttempt, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { type WebhookEndpoint, WebhookEndpoints } from "../ports/WebhookEndpoints.ts"
import * as DeliveryRecorder from "./DeliveryRecorder.ts"
import { changeEndpoint } from "./EndpointChanges.ts"

const firstPause = Duration.seconds(5)
const maxPause = Duration.minutes(10)

/** Maximum pause that a receiver can request with `Retry-After`. */
const maxRetryAfter = Duration.hours(1)

/** An endpoint that is unreachable for this time is switched off. */
const maxFailing = Duration.days(5)

/**
 * An endpoint with the secrets that sign its deliveries.
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
 * An attempt with its result, before it is recorded.
 *
 * @category models
 * @since 0.1.0
 */
export interface SentAttempt {
  readonly delivery: Delivery
  readonly endpoint: WebhookEndpoint
  readonly sent: SendResult
  readonly result: DeliveryResult
  readonly made: DeliveryAttempt
  /** True if the endpoint must be paused or switched off. */
  readonly stopsEndpoint: boolean
}

/**
 * Makes the functions of an attempt. The recorder runs until the scope is closed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const commands = yield* Commands
  const endpoints = yield* WebhookEndpoints
  const outbox = yield* Outbox
  const secrets = yield* Secrets
  const sender = yield* WebhookSender
  const record = yield* DeliveryRecorder.make(outbox)

  const targetOf = Effect.fnUntraced(function* (endpoint: WebhookEndpoint): Effect.fn.Return<Target> {
    const { companyId } = endpoint
    const valid = validAt(endpoint.secrets, yield* machineNow)
    return {
      endpoint,
      confirmHash: yield* secrets.confirmHash(companyId),
      secrets: yield* Effect.forEach(valid, ({ salt }) => secrets.signingSecret(companyId, salt))
    }
  })

  const switchOff = (endpoint: WebhookEndpoint, reason: string) =>
    changeEndpoint(commands, endpoint, (before, now) => Result.succeed(Endpoint.switchOff(before, reason, now))).pipe(
      Effect.flatMap(({ id }) => Effect.logWarning(`Webhook endpoint ${id} is switched off: ${reason}`)),
      // The company deleted the endpoint during the attempt.
      Effect.catchTag("EndpointNotFound", () => Effect.void)
    )

  const pause = Effect.fnUntraced(function* (endpoint: WebhookEndpoint, sent: SendResult, now: MachineTime) {
    if (now - (endpoint.failingSince ?? now) >= Duration.toMillis(maxFailing)) {
      return yield* switchOff(endpoint, `It could not be reached for ${Duration.format(maxFailing)}`)
    }
    const backoff = yield* randomBackoff(endpoint.failures, firstPause, maxPause)
    const requested = sent._tag === "Refused" ? (sent.retryAfter ?? Duration.zero) : Duration.zero
    const delay = Duration.max(backoff, Duration.min(requested, maxRetryAfter))
    yield* endpoints.fail(endpoint.id, now, MachineTime.make(now + Duration.toMillis(delay)))
  })

  const updateHealth = ({ endpoint, made, sent, stopsEndpoint }: SentAttempt, mayStop: boolean) => {
    if (!stopsEndpoint) {
      return sent._tag !== "Defect" && endpoint.failures > 0 ? endpoints.recover(endpoint.id) : Effect.void
    }
    if (!mayStop) return Effect.void
    return isGone(sent)
      ? switchOff(endpoint, "It returned 410 Gone")
      : pause(endpoint, sent, MachineTime.make(made.startedAt + made.duration))
  }

  /**
   * Records an attempt and updates the health of its endpoint. `mayStop` is false if another attempt has already paused
   * the endpoint: concurrent failures count as one failure of the endpoint.
   */
  const finish = Effect.fnUntraced(function* (
    attempt: SentAttempt,
    mayStop: boolean
  ): Effect.fn.Return<void, StoreError> {
    const { delivery, endpoint, made, result, sent } = attempt
    const { token, webhookId } = delivery
    if (!(yield* record({ webhookId, token, result, made }))) {
      return yield* Effect.logWarning(`Delivery ${webhookId}: the lease was lost, so the result is not recorded`)
    }
    if (result._tag === "Delivered" && endpoint.failures === 0) return
    if (sent._tag === "Defect") yield* Effect.logError(`Delivery ${webhookId} could not be made`, sent.defect)
    // After a crash here the next attempt updates the health: the endpoint responds the same way.
    yield* Effect.provideService(updateHealth(attempt, mayStop), Origin, {
      actor: { _tag: "Worker", kind: "deliveries" },
      cause: { _tag: "Delivery", webhookId }
    })
    if (result._tag !== "Delivered") yield* Effect.logWarning(failureLine(delivery, endpoint.url, result, made))
  })

  return { finish, send: (delivery: Delivery, target: Target) => send(sender, delivery, target), targetOf }
})

/** Sends a delivery. A defect does not pause the endpoint: the delivery is retried and ends as a dead letter. */
const send = Effect.fnUntraced(function* (
  sender: WebhookSender["Service"],
  delivery: Delivery,
  { confirmHash, endpoint, secrets }: Target
): Effect.fn.Return<SentAttempt> {
  const { attempts, event, payload, webhookId } = delivery
  const startedAt = yield* machineNow
  const sent = yield* Effect.suspend(() => {
    // The outbox assigns positive numbers and stores encoded payloads, so the message is valid.
    const body = Result.getOrThrow(encodeMessage({ event, webhookId, confirmHash, payload }))
    return sender.send({ url: endpoint.url, body, webhookId, secrets })
  }).pipe(Effect.catchDefect((defect) => Effect.succeed(defective(defect))))
  const now = yield* machineNow
  const made: DeliveryAttempt = {
    startedAt,
    // Not negative if the clock was set back during the attempt.
    duration: Math.max(0, now - startedAt),
    status: "status" in sent ? sent.status : undefined,
    problem: sent._tag === "Accepted" ? undefined : sent.problem
  }
  const result = resultOf(sent, attempts + 1, now)
  return { delivery, endpoint, sent, result, made, stopsEndpoint: isGone(sent) || isUnavailable(sent) }
})

const resultOf = (sent: SendResult, attempts: number, now: MachineTime): DeliveryResult => {
  if (sent._tag === "Accepted") return { _tag: "Delivered", at: now }
  const { problem } = sent
  const next = retryAt(attempts, now)
  return next === undefined ? { _tag: "Abandoned", at: now, problem } : { _tag: "Retry", at: next, problem }
}

const isGone = (sent: SendResult): boolean => sent._tag === "Refused" && sent.status === 410

const isUnavailable = (sent: SendResult): boolean =>
  sent._tag === "NoResponse" || (sent._tag === "Refused" && (sent.status === 429 || sent.status === 503))

/** Maximum length of a URL in a log line. */
const maxUrl = 120

const unauthenticated = 401

/** The log line of a failed attempt. The next attempt may be later than the line says if the endpoint is paused. */
const failureLine = (
  { event, transactionId, webhookId }: Delivery,
  url: string,
  result: Exclude<DeliveryResult, { readonly _tag: "Delivered" }>,
  { duration, startedAt, status }: DeliveryAttempt
): string => {
  const masked = maskedUrl(url)
  const address = masked.length <= maxUrl ? masked : `${masked.slice(0, maxUrl - 1)}…`
  const advice =
    status === unauthenticated ? " (check the receiver's PARCELA_WEBHOOK_SECRET and PARCELA_CONFIRM_HASH)" : ""
  const next =
    result._tag === "Abandoned"
      ? "no attempts are left"
      : `next attempt in ${Duration.format(Duration.millis(result.at - startedAt - duration))} at the earliest`
  return `Delivery ${webhookId} (${event}, transaction ${transactionId}) to ${address} failed: ${result.problem}${advice}; ${next}`
}
