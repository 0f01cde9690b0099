/**
 * Sends deliveries from Node: signed POSTs over connections that are kept, to addresses that they may go to.
 *
 * **Details**
 *
 * It speaks to undici's dispatcher directly, which costs a quarter of what Effect's `HttpClient` costs over it.
 *
 * @since 0.1.0
 */
import { WebhookUrl } from "@parcela/core/webhooks/EditWebhooks"
import * as Clock from "effect/Clock"
import * as Mac from "effect/crypto/Mac"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { Dispatcher } from "undici"
import { version } from "../internal/version.ts"
import { noResponse, ofError, ofStatus } from "../internal/SendOutcome.ts"
import * as Signature from "../Signature.ts"
import { type SendOptions, type SendResult, WebhookSender } from "../WebhookSender.ts"
import * as GuardedAgent from "./GuardedAgent.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface NodeWebhookSenderOptions {
  /** Where deliveries may go; by default to public addresses alone. */
  readonly destinations?: GuardedAgent.DestinationPolicy | undefined
  /** How long a try may take until its status is there; default 5 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** Default `Parcela/<version>`. */
  readonly userAgent?: string | undefined
}

/**
 * The sender over connections of its own, which are closed with the layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: NodeWebhookSenderOptions = {}): Layer.Layer<WebhookSender, never, Mac.Mac> =>
  Layer.effect(WebhookSender, make(options))

const make = Effect.fnUntraced(function* (options: NodeWebhookSenderOptions) {
  const scope = yield* Effect.scope
  const mac = yield* Mac.Mac
  const timeout = Duration.fromInputUnsafe(options.timeout ?? Duration.seconds(5))
  const userAgent = options.userAgent ?? `Parcela/${version}`
  const agentOf = yield* Effect.cached(
    Effect.provideService(GuardedAgent.make(options.destinations), Scope.Scope, scope)
  )
  const tooLate = Effect.succeed(noResponse(`The receiver did not respond within ${Duration.toSeconds(timeout)} s`))

  const send = Effect.fnUntraced(function* (delivery: SendOptions) {
    const destination = destinationOf(delivery.url)
    if (destination === undefined) return noResponse("The address is not an http or https URL without a user name")
    const headers = yield* headersOf(delivery, userAgent)
    const agent = yield* agentOf
    return yield* statusOf(agent, { ...destination, method: "POST", headers, body: delivery.body })
  })
  return WebhookSender.of({
    send: (delivery) =>
      send(delivery).pipe(
        Effect.timeoutOrElse({ duration: timeout, orElse: () => tooLate }),
        Effect.provideService(Mac.Mac, mac)
      )
  })
})

interface Destination {
  readonly origin: string
  readonly path: string
}

const isWebhookUrl = Schema.is(WebhookUrl)

/** Addresses that were read before, as what they say never changes; forgotten when there are so many. */
const known = new Map<string, Destination | undefined>()
const mostKnown = 1_000

const destinationOf = (url: string): Destination | undefined => {
  if (known.has(url)) return known.get(url)
  const parsed = isWebhookUrl(url) ? new URL(url) : undefined
  const destination = parsed && { origin: parsed.origin, path: parsed.pathname + parsed.search }
  if (known.size >= mostKnown) known.clear()
  known.set(url, destination)
  return destination
}

const headersOf = Effect.fnUntraced(function* ({ body, secrets, webhookId }: SendOptions, userAgent: string) {
  const id = String(webhookId)
  const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const signatures = yield* Effect.forEach(secrets, (secret) => Signature.sign({ id, timestamp, body, secret }))
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
    "user-agent": userAgent
  }
})

/** How long a body may take, and how long it may be, that is read only to keep the connection. */
const longestBody = Duration.seconds(1)
const maximumDiscarded = 4096

/** A request under way. The status decides; what follows it is read and dropped beside. */
class Exchange implements Dispatcher.DispatchHandler {
  isOver = false
  private controller: Dispatcher.DispatchController | undefined
  private isDropped = false
  private hasStatus = false
  private discarded = 0
  private readonly onStatus: (status: number, retryAfter: string | undefined) => void
  private readonly onError: (error: unknown) => void

  constructor(onStatus: Exchange["onStatus"], onError: Exchange["onError"]) {
    this.onStatus = onStatus
    this.onError = onError
  }

  /** Closes the connection, now or when there is one. */
  drop(): void {
    this.isDropped = true
    this.controller?.abort(new Error("The delivery was dropped"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.isDropped) this.drop()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) return
    this.hasStatus = true
    const retryAfter = headers["retry-after"]
    // What came with the status is read first: most responses are over then.
    queueMicrotask(() => this.onStatus(status, retryAfter === undefined ? undefined : String(retryAfter)))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.discarded += chunk.length
    if (this.discarded >= maximumDiscarded) this.drop()
  }

  onResponseEnd(): void {
    this.isOver = true
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.isOver = true
    if (!this.hasStatus) this.onError(error)
  }
}

const statusOf = (
  agent: GuardedAgent.GuardedAgent,
  request: Parameters<GuardedAgent.GuardedAgent["dispatch"]>[0]
): Effect.Effect<SendResult> =>
  Effect.callback((resume) => {
    const exchange = new Exchange(
      (status, retryAfter) =>
        resume(
          Effect.andThen(
            endOf(exchange),
            Effect.map(Clock.currentTimeMillis, (now) => ofStatus(status, retryAfter, now))
          )
        ),
      (error) => resume(Effect.succeed(ofError(error)))
    )
    try {
      agent.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, exchange)
    } catch {
      // A client may throw at an address that it cannot use; one delivery must not stop the others.
      resume(Effect.succeed(noResponse("The request could not be made")))
    }
    return Effect.sync(() => exchange.drop())
  })

/** Most responses are whole with their status. A body that drips has a while, in which nobody waits for it. */
const endOf = (exchange: Exchange): Effect.Effect<void> =>
  Effect.suspend(() =>
    exchange.isOver
      ? Effect.void
      : Effect.asVoid(
          Effect.forkDetach(
            Effect.andThen(
              Effect.sleep(longestBody),
              Effect.sync(() => exchange.drop())
            )
          )
        )
  )
