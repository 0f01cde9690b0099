/**
 * Sends deliveries from Node: signed POST requests over reused connections, to permitted addresses only.
 *
 * **Details**
 *
 * Uses undici's dispatcher directly, because Effect's `HttpClient` over the same dispatcher needs four times its CPU
 * time.
 *
 * @since 0.1.0
 */
import { memoize } from "@parcela/core/values/Memoize"
import { WebhookUrl } from "@parcela/core/webhooks/EditWebhooks"
import * as Clock from "effect/Clock"
import * as Mac from "effect/crypto/Mac"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Dispatcher } from "undici"
import { version } from "../internal/version.ts"
import { noResponse, ofError, ofStatus, type SendOptions, type SendResult, WebhookSender } from "../WebhookSender.ts"
import * as Signature from "../Signature.ts"
import * as GuardedAgent from "./GuardedAgent.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface NodeWebhookSenderOptions {
  /** The permitted destinations. Default: public addresses. */
  readonly destinations?: GuardedAgent.DestinationPolicy | undefined
  /** Maximum time until the response status. Default: 5 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** Default: `Parcela/<version>`. */
  readonly userAgent?: string | undefined
}

/** Maximum time and size in bytes of a response body. It is read only to keep the connection open. */
const maxBodyTime = Duration.seconds(1)
const maxBody = 4096

/**
 * The layer. It closes its connections with its scope.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: NodeWebhookSenderOptions = {}): Layer.Layer<WebhookSender, never, Mac.Mac> =>
  Layer.effect(WebhookSender, make(options))

const make = Effect.fnUntraced(function* (options: NodeWebhookSenderOptions) {
  const clock = yield* Clock.Clock
  const timeout = Duration.fromInputUnsafe(options.timeout ?? Duration.seconds(5))
  const mac = yield* Mac.Mac
  const userAgent = options.userAgent ?? `Parcela/${version}`
  const agent = yield* GuardedAgent.make(options.destinations)
  const fork = yield* FiberSet.makeRuntime<never, void>()
  const tooLate = noResponse(`The receiver did not respond within ${Duration.toSeconds(timeout)} s`)

  return WebhookSender.of({
    send: Effect.fnUntraced(function* (delivery) {
      const destination = destinationOf(delivery.url)
      if (destination === undefined) return noResponse("The address is not an http or https URL without a user name")
      const body = Buffer.from(delivery.body)
      const timestamp = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
      const headers = {
        "content-type": "application/json",
        "webhook-id": String(delivery.webhookId),
        "webhook-timestamp": String(timestamp),
        "webhook-signature": yield* Effect.provideService(signatures(delivery, timestamp, body), Mac.Mac, mac),
        "user-agent": userAgent
      }
      const request = { ...destination, method: "POST", headers, body, headersTimeout: 0, bodyTimeout: 0 } as const
      return yield* Effect.timeoutOrElse(exchange(agent, request, clock, fork), {
        duration: timeout,
        orElse: () => Effect.succeed(tooLate)
      })
    })
  })
})

/** The signatures with all secrets, separated by spaces. */
const signatures = ({ secrets, webhookId }: SendOptions, timestamp: number, body: Uint8Array) =>
  Effect.map(
    Effect.forEach(secrets, (secret) => Signature.sign({ id: String(webhookId), timestamp, body, secret })),
    (signed) => signed.join(" ")
  )

interface Destination {
  readonly origin: string
  readonly path: string
}

const isWebhookUrl = Schema.is(WebhookUrl)

const maxDestinations = 1_000

/** Parsing a URL takes longer than signing a delivery. */
const destinationOf = memoize(maxDestinations, (url: string): Destination | undefined => {
  const parsed = isWebhookUrl(url) ? new URL(url) : undefined
  return parsed && { origin: parsed.origin, path: parsed.pathname + parsed.search }
})

/**
 * Sends one request and returns the result as soon as the status is received. The body is then read and discarded.
 * Interruption closes the connection.
 */
const exchange = (
  agent: GuardedAgent.GuardedAgent,
  request: Parameters<GuardedAgent.GuardedAgent["dispatch"]>[0],
  clock: Clock.Clock,
  fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
): Effect.Effect<SendResult> =>
  Effect.callback((resume) => {
    let controller: Dispatcher.DispatchController | undefined
    let isDropped = false
    let hasStatus = false
    let isOver = false
    let discarded = 0
    let bodyTimeout: Fiber.Fiber<void> | undefined

    const drop = (): void => {
      isDropped = true
      controller?.abort(new Error("The delivery was dropped"))
    }
    const end = (): void => {
      isOver = true
      bodyTimeout?.interruptUnsafe()
    }
    agent.dispatch(request, {
      onRequestStart: (started) => {
        controller = started
        if (isDropped) drop()
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) return
        hasStatus = true
        const retryAfter = headers["retry-after"]
        const result = ofStatus(
          status,
          retryAfter === undefined ? undefined : String(retryAfter),
          clock.currentTimeMillisUnsafe()
        )
        // Most bodies are received together with the status and need no timeout.
        queueMicrotask(() => {
          if (!isOver) bodyTimeout = fork(Effect.delay(Effect.sync(drop), maxBodyTime))
          resume(Effect.succeed(result))
        })
      },
      onResponseData: (_, chunk) => {
        discarded += chunk.length
        if (discarded >= maxBody) drop()
      },
      onResponseEnd: end,
      onResponseError: (_, error) => {
        end()
        if (!hasStatus) resume(Effect.succeed(ofError(error)))
      }
    })
    return Effect.sync(drop)
  })
