/**
 * Port: sends one try of a delivery. Its adapter works over any `HttpClient`.
 *
 * @since 0.1.0
 */
import { WebhookUrl } from "@parcela/core/webhooks/EditWebhooks"
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Mac from "effect/crypto/Mac"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { version } from "./internal/version.ts"
import * as Signature from "./Signature.ts"
import type { WebhookSecret } from "./WebhookSecret.ts"

/**
 * How a try ended. `problem` is one short sentence without address, body or secret, to be kept with the delivery.
 *
 * - `Accepted`: a 2xx came in time
 * - `Refused`: another status came in time; a redirect is one, since it is not followed
 * - `NoResponse`: no status came; whether the receiver got the delivery is unknown
 *
 * @category models
 * @since 0.1.0
 */
export type SendResult =
  | { readonly _tag: "Accepted"; readonly status: number }
  | {
      readonly _tag: "Refused"
      readonly status: number
      readonly problem: string
      /** The pause that the receiver asks for. */
      readonly retryAfter?: Duration.Duration
    }
  | { readonly _tag: "NoResponse"; readonly problem: string }

/**
 * @category models
 * @since 0.1.0
 */
export interface SendOptions {
  readonly url: string
  readonly body: string
  readonly webhookId: number
  /** It is signed with each of them: during a rotation, the new one and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
}

/**
 * @category ports
 * @since 0.1.0
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** One POST, signed at this moment. It never fails; interrupting it drops the connection. */
    readonly send: (options: SendOptions) => Effect.Effect<SendResult>
  }
>()("@parcela/webhooks/WebhookSender") {}

/**
 * @category options
 * @since 0.1.0
 */
export interface WebhookSenderOptions {
  /** How long a try may take until its status is there; default 5 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** Default `Parcela/<version>`. */
  readonly userAgent?: string | undefined
}

/**
 * The sender over the current `HttpClient`.
 *
 * **Gotchas**
 *
 * It goes to any address it is given: where strangers choose the address, give it a client that cannot reach your
 * own network, such as Node's over the agents of `node/GuardedAgents`. A client wrapped in `HttpClient.followRedirects` or `HttpClient.retry` breaks the promises above.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  options?: WebhookSenderOptions
): Layer.Layer<WebhookSender, never, HttpClient.HttpClient | Mac.Mac> => Layer.effect(WebhookSender, make(options))

const make = Effect.fnUntraced(function* (options: WebhookSenderOptions = {}) {
  const client = HttpClient.withScope(yield* HttpClient.HttpClient)
  const mac = yield* Mac.Mac
  const timeout = Duration.fromInputUnsafe(options.timeout ?? Duration.seconds(5))
  const userAgent = options.userAgent ?? `Parcela/${version}`

  const send = Effect.fn("WebhookSender.send")(function* (options: SendOptions) {
    if (!isWebhookUrl(options.url)) return noResponse(badAddress)
    const request = yield* Effect.provideService(requestOf(options, userAgent), Mac.Mac, mac)
    return yield* statusOf(client, request).pipe(
      Effect.flatMap(({ headers, status }) =>
        Effect.map(Clock.currentTimeMillis, (now) => judge(status, headers["retry-after"], now))
      ),
      Effect.catch((error) => Effect.succeed(noResponse(describe(error)))),
      // A client may throw at an address that it cannot use; one delivery must not stop the others.
      Effect.catchDefect(() => Effect.succeed(noResponse("The request could not be made"))),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.succeed(noResponse(`The receiver did not respond within ${Duration.toSeconds(timeout)} s`))
      }),
      // `fetch` follows redirects by default; the other clients ignore this.
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      // Whose trace it is does not concern the receiver.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false)
    )
  })
  return WebhookSender.of({ send })
})

const requestOf = Effect.fnUntraced(function* ({ body, secrets, url, webhookId }: SendOptions, userAgent: string) {
  const id = String(webhookId)
  const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const signatures = yield* Effect.forEach(secrets, (secret) => Signature.sign({ id, timestamp, body, secret }))
  return HttpClientRequest.post(url).pipe(
    HttpClientRequest.bodyText(body, "application/json"),
    HttpClientRequest.setHeaders({
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures.join(" "),
      "user-agent": userAgent
    })
  )
})

// The status decides. What follows it is read and dropped beside, so that a body that drips holds nothing up.
const statusOf = <E, R>(
  client: HttpClient.HttpClient.With<E, R | Scope.Scope>,
  request: HttpClientRequest.HttpClientRequest
) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const response = yield* restore(Scope.provide(client.execute(request), scope)).pipe(
        Effect.onError(() => Scope.close(scope, Exit.void))
      )
      yield* discard(response).pipe(
        Effect.timeoutOption(longestBody),
        Effect.ensuring(Scope.close(scope, Exit.void)),
        Effect.forkDetach
      )
      return response
    })
  )

const noResponse = (problem: string): SendResult => ({ _tag: "NoResponse", problem })

const judge = (status: number, retryAfter: string | undefined, now: number): SendResult => {
  if (status >= 200 && status < 300) return { _tag: "Accepted", status }
  const isRedirect = status >= 300 && status < 400
  const pause = pauseOf(retryAfter, now)
  return {
    _tag: "Refused",
    status,
    ...(pause === undefined ? {} : { retryAfter: pause }),
    problem: isRedirect
      ? `The receiver redirects (${status}), and redirects are not followed`
      : `The receiver responded with ${status}`
  }
}

// RFC 9110, 10.2.3: seconds, or a date.
const pauseOf = (header: string | undefined, now: number): Duration.Duration | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/u.test(header)) return Duration.seconds(Number(header))
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
}

// How long a body may take that is read only to keep the connection.
const longestBody = Duration.seconds(1)

// Reading a short body to its end leaves the connection usable; a long one is cut off with the scope.
const maximumDiscarded = 4096

const discard = (response: HttpClientResponse): Effect.Effect<void> => {
  let bytes = 0
  return response.stream.pipe(
    Stream.takeUntil((chunk) => (bytes += chunk.length) >= maximumDiscarded),
    Stream.runDrain,
    Effect.ignore
  )
}

// Messages of HTTP clients may quote the address, so only the error's code is looked at.
const describe = (error: HttpClientError): string => {
  if (error.reason._tag === "InvalidUrlError") return badAddress
  const code = codeOf(error.reason)
  if (code === undefined) return "The connection failed"
  const known = knownCodes.get(code)
  if (known !== undefined) return known
  return /CERT|SSL|TLS/.test(code)
    ? `The receiver's TLS certificate was not accepted (${code})`
    : `The connection failed (${code})`
}

const isWebhookUrl = Schema.is(WebhookUrl)
const badAddress = "The address is not an http or https URL without a user name"

const knownCodes: ReadonlyMap<string, string> = new Map([
  ["ERR_ADDRESS_NOT_ALLOWED", "The address leads to a network that deliveries may not go to"],
  ["ECONNREFUSED", "Nothing listens at the address (the connection was refused)"],
  ["ENOTFOUND", "The host name is unknown"],
  ["EAI_AGAIN", "The host name could not be looked up"],
  ["ECONNRESET", "The receiver closed the connection without a response"],
  ["UND_ERR_SOCKET", "The receiver closed the connection without a response"],
  ["ETIMEDOUT", "The receiver could not be reached in time"],
  ["UND_ERR_CONNECT_TIMEOUT", "The receiver could not be reached in time"],
  ["EHOSTUNREACH", "There is no route to the receiver"],
  ["ENETUNREACH", "There is no route to the receiver"]
])

// Clients wrap the system's error, some more than once.
const codeOf = (error: unknown): string | undefined => {
  let current = error
  for (let depth = 0; depth < 6 && Predicate.isObject(current); depth++) {
    if ("code" in current && typeof current.code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(current.code)) {
      return current.code
    }
    current = "cause" in current ? current.cause : undefined
  }
  return undefined
}
