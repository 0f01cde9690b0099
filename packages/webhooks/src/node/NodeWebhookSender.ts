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
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Dispatcher } from "undici"
import { version } from "../internal/version.ts"
import { noResponse, ofError, ofStatus } from "../internal/SendOutcome.ts"
import { type SendOptions, type SendResult, WebhookSender } from "../WebhookSender.ts"
import { headOf, writtenAs } from "../internal/SignatureFormat.ts"
import * as Deadlines from "../Deadlines.ts"
import * as GuardedAgent from "./GuardedAgent.ts"
import { hmacSha256Of } from "./HmacKeys.ts"

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

/** How long a body may take, and how long it may be, that is read only to keep the connection. */
const longestBody = Duration.seconds(1)
const maximumDiscarded = 4096

/**
 * The sender over connections of its own, which are closed with the layer.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: NodeWebhookSenderOptions = {}): Layer.Layer<WebhookSender> =>
  Layer.effect(WebhookSender, make(options))

const make = Effect.fnUntraced(function* (options: NodeWebhookSenderOptions) {
  const clock = yield* Clock.Clock
  const timeout = Duration.fromInputUnsafe(options.timeout ?? Duration.seconds(5))
  const userAgent = options.userAgent ?? `Parcela/${version}`
  const agent = yield* GuardedAgent.make(options.destinations)
  const parts: Parts = {
    now: () => clock.currentTimeMillisUnsafe(),
    statuses: yield* Deadlines.make<Exchange>(timeout, (exchange) => exchange.expire(tooLate)),
    bodies: yield* Deadlines.make<Exchange>(longestBody, (exchange) => exchange.drop())
  }
  const tooLate = noResponse(`The receiver did not respond within ${Duration.toSeconds(timeout)} s`)

  return WebhookSender.of({
    send: (delivery, ended) => {
      const exchange = new Exchange(parts, ended)
      const destination = destinationOf(delivery.url)
      if (destination === undefined) {
        exchange.fail(noResponse("The address is not an http or https URL without a user name"))
        return () => exchange.cancel()
      }
      const body = Buffer.from(delivery.body)
      const headers = headersOf(delivery, body, Math.floor(parts.now() / 1000), userAgent)
      exchange.waitForStatus()
      agent.dispatch({ ...destination, method: "POST", headers, body, headersTimeout: 0, bodyTimeout: 0 }, exchange)
      return () => exchange.cancel()
    }
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

const headersOf = ({ secrets, webhookId }: SendOptions, body: Buffer, timestamp: number, userAgent: string) => ({
  "content-type": "application/json",
  "webhook-id": String(webhookId),
  "webhook-timestamp": String(timestamp),
  "webhook-signature": secrets
    .map((secret) =>
      writtenAs(hmacSha256Of(Redacted.value(secret), headOf(String(webhookId), String(timestamp)), body))
    )
    .join(" "),
  "user-agent": userAgent
})

interface Parts {
  readonly now: () => number
  /** Those that wait for a status. */
  readonly statuses: Deadlines.Deadlines<Exchange>
  /** Those whose body is still to come. */
  readonly bodies: Deadlines.Deadlines<Exchange>
}

/** A request under way. The status decides; what follows it is read and dropped beside. */
class Exchange implements GuardedAgent.Handler {
  private controller: Dispatcher.DispatchController | undefined
  private isDropped = false
  private hasStatus = false
  private isOver = false
  private discarded = 0
  private status: Deadlines.Begun | undefined
  private body: Deadlines.Begun | undefined
  private readonly parts: Parts
  private ended: ((result: SendResult) => void) | undefined

  constructor(parts: Parts, ended: (result: SendResult) => void) {
    this.parts = parts
    this.ended = ended
  }

  waitForStatus(): void {
    this.status = this.parts.statuses.begin(this)
  }

  /** Nobody asks for the result any more. */
  cancel(): void {
    this.ended = undefined
    this.status?.end()
    this.drop()
  }

  expire(result: SendResult): void {
    this.end(result)
    this.drop()
  }

  /** No status will come. */
  fail(result: SendResult): void {
    queueMicrotask(() => this.end(result))
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
    queueMicrotask(() => {
      if (!this.isOver) this.body = this.parts.bodies.begin(this)
      this.end(ofStatus(status, retryAfter === undefined ? undefined : String(retryAfter), this.parts.now()))
    })
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.discarded += chunk.length
    if (this.discarded >= maximumDiscarded) this.drop()
  }

  onResponseEnd(): void {
    this.isOver = true
    this.body?.end()
  }

  onResponseError(_: unknown, error: Error): void {
    this.isOver = true
    this.body?.end()
    if (!this.hasStatus) this.fail(ofError(error))
  }

  private end(result: SendResult): void {
    const { ended } = this
    this.ended = undefined
    this.status?.end()
    ended?.(result)
  }
}
