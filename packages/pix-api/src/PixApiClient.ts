/**
 * Sends requests of API Pix: with a token, with a timeout, and with every loss made the one failure of a provider.
 *
 * @since 0.1.0
 */
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { reasonOf } from "./messages/Problem.ts"
import type { PixAccount } from "./PixAccount.ts"
import * as Cache from "effect/Cache"
import * as Exit from "effect/Exit"

/**
 * @category models
 * @since 0.1.0
 */
export interface PixApiRequest {
  readonly method: "GET" | "PUT" | "PATCH"
  /** Below the account's `baseUrl`, with a slash first. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/**
 * A response that says what became of the request: a success, or a no to this request. `body` is `undefined` when it is not JSON.
 *
 * @category models
 * @since 0.1.0
 */
export interface PixApiResponse {
  readonly status: number
  readonly body: unknown
}

/**
 * @category services
 * @since 0.1.0
 */
export class PixApiClient extends Context.Service<
  PixApiClient,
  {
    /**
     * One request, whose token is asked for when there is none. A token that is not taken (401) is renewed once.
     *
     * **Details**
     *
     * Succeeds with a 2xx, a 400, a 404, a 409 or a 422. Whatever else comes, or nothing in time, is a `ProviderError`:
     * nothing is known of the request then. Its text holds no address, body, token or secret.
     */
    readonly send: (account: PixAccount, request: PixApiRequest) => Effect.Effect<PixApiResponse, ProviderError>
  }
>()("@parcela/pix-api/PixApiClient") {}

/**
 * @category options
 * @since 0.1.0
 */
export interface PixApiOptions {
  /** How long one HTTP request may take; default 8 seconds. */
  readonly timeout?: Duration.Input | undefined
}

/**
 * Over the current `HttpClient`: for mTLS give it one whose agent has the client's certificate.
 *
 * **Gotchas**
 *
 * A client wrapped in `HttpClient.retry` or `followRedirects` repeats what it should not.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options?: PixApiOptions): Layer.Layer<PixApiClient, never, HttpClient.HttpClient> =>
  Layer.effect(PixApiClient, make(options))

const make = Effect.fnUntraced(function* ({ timeout = Duration.seconds(8) }: PixApiOptions = {}) {
  const client = yield* HttpClient.HttpClient

  const exchange = (request: HttpClientRequest.HttpClientRequest, what: string) =>
    client.execute(request).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.text, (text): PixApiResponse => ({
          status: response.status,
          body: Option.getOrUndefined(parse(text))
        }))
      ),
      // Errors of HTTP clients hold the request with its headers.
      Effect.mapError(({ reason }) => lost(`${what}: no response (${reason._tag})`)),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(lost(`${what}: no response within ${Duration.format(Duration.fromInputUnsafe(timeout))}`))
      }),
      // `fetch` follows redirects by default; the other clients ignore this.
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.provideService(HttpClient.TracerPropagationEnabled, false)
    )

  const tokens = yield* makeTokens(exchange)

  const send = Effect.fn("PixApiClient.send")(function* (account: PixAccount, request: PixApiRequest) {
    const what = `${request.method} ${request.path.split("/", 2).join("/")}`
    const attempt = (token: Redacted.Redacted) =>
      exchange(HttpClientRequest.bearerToken(requestOf(account, request), token), what)
    const token = yield* tokens.get(account)
    const first = yield* attempt(token)
    const response = first.status === 401 ? yield* Effect.flatMap(tokens.renew(account, token), attempt) : first
    if (saysWhatBecame(response.status)) return response
    return yield* lost(`${what}: ${reasonOf(response.status, response.body).message} (${response.status})`)
  })

  return PixApiClient.of({ send })
})

const lost = (cause: string) => new ProviderError({ provider: "Pix provider", cause })

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const requestOf = ({ baseUrl }: PixAccount, { body, method, path, query }: PixApiRequest) => {
  const request = HttpClientRequest.make(method)(`${baseUrl.replace(/\/$/u, "")}${path}`, {
    headers: { accept: "application/json, application/problem+json" },
    ...(query === undefined ? {} : { urlParams: query })
  })
  return body === undefined ? request : HttpClientRequest.bodyText(request, JSON.stringify(body), "application/json")
}

/** Others are about the caller (401, 403), the moment (408, 429, 5xx) or the address (3xx), and the request may be repeated. */
const saysWhatBecame = (status: number): boolean =>
  (status >= 200 && status < 300) || [400, 404, 409, 422].includes(status)

/** `expires_in` in seconds. RFC 6749 lets providers leave it out. */
const Token = Schema.Struct({
  access_token: Schema.NonEmptyString,
  expires_in: Schema.optionalKey(Schema.Natural)
})

const withoutLifetime = 300

/** A token that is about to expire would be refused on the way. */
const early = Duration.seconds(30)

/** More accounts than a service has; a login is all that it costs to be beyond. */
const capacity = 10_000

/**
 * The tokens of every account. Calls at once for one account share a login; a failed login is kept by nobody.
 *
 * @category constructors
 * @since 0.1.0
 */
const makeTokens = Effect.fnUntraced(function* (
  exchange: (
    request: HttpClientRequest.HttpClientRequest,
    what: string
  ) => Effect.Effect<{ readonly status: number; readonly body: unknown }, ProviderError>
) {
  const login = Effect.fnUntraced(function* (account: PixAccount) {
    const { body, status } = yield* exchange(tokenRequestOf(account), "token")
    return yield* decode(body).pipe(
      Effect.map((token) => ({
        lifetime: token.expires_in ?? withoutLifetime,
        token: Redacted.make(token.access_token)
      })),
      // What was received may be a token: neither it nor the decoder's view of it is kept.
      Effect.mapError(
        () => new ProviderError({ provider: "Pix provider", cause: `token: the provider gave none (${status})` })
      )
    )
  })
  const cache = yield* Cache.makeWith(login, {
    capacity,
    timeToLive: (exit) =>
      Exit.isSuccess(exit)
        ? Duration.max(Duration.zero, Duration.subtract(Duration.seconds(exit.value.lifetime), early))
        : Duration.zero
  })
  const get = (account: PixAccount) => Effect.map(Cache.get(cache, account), ({ token }) => token)
  return {
    get,
    /** Another token than the one that was not taken. */
    renew: (account: PixAccount, refused: Redacted.Redacted) =>
      Effect.andThen(
        Cache.invalidateWhen(cache, account, ({ token }) => token === refused),
        get(account)
      )
  }
})

const decode = Schema.decodeUnknownEffect(Token)

const tokenRequestOf = ({ clientId, clientSecret, scope, tokenRequest, tokenUrl }: PixAccount) => {
  const asked = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }
  const request = HttpClientRequest.post(tokenUrl, { headers: { accept: "application/json" } }).pipe(
    HttpClientRequest.basicAuth(clientId, clientSecret)
  )
  return tokenRequest === "json"
    ? HttpClientRequest.bodyText(request, JSON.stringify(asked), "application/json")
    : HttpClientRequest.bodyUrlParams(request, asked)
}
