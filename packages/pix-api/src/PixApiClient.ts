/**
 * The HTTP client of API Pix: adds the token and a timeout, and converts network and server errors to `ProviderError`.
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
  /** Relative to the account's `baseUrl`, with a leading slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>> | undefined
  /** Sent as JSON. */
  readonly body?: unknown
}

/**
 * A success, or a refusal of this request. `body` is undefined if it is not JSON.
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
     * Sends one request with a cached or new token. After a 401 the token is renewed once.
     *
     * **Details**
     *
     * Succeeds with a 2xx, 400, 404, 409 or 422. Any other status, and a timeout, is a `ProviderError`: the outcome of the
     * request is unknown. The error contains no URL, body, token or secret.
     */
    readonly send: (account: PixAccount, request: PixApiRequest) => Effect.Effect<PixApiResponse, ProviderError>
  }
>()("@parcela/pix-api/PixApiClient") {}

/**
 * @category options
 * @since 0.1.0
 */
export interface PixApiOptions {
  /** Timeout of one HTTP request. Defaults to 8 seconds. */
  readonly timeout?: Duration.Input | undefined
}

/**
 * A client over the current `HttpClient`. For mTLS provide an `HttpClient` whose agent has the client's certificate.
 *
 * **Gotchas**
 *
 * An `HttpClient` with `retry` or `followRedirects` would repeat writes.
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
      // The error of the HTTP client is dropped, because it contains the request with its headers.
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
    if (isOutcome(response.status)) return response
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

/** False for a status that is not about the request itself: 401, 403, 408, 429, 3xx and 5xx. */
const isOutcome = (status: number): boolean => (status >= 200 && status < 300) || [400, 404, 409, 422].includes(status)

/** `expires_in` is in seconds, and optional in RFC 6749. */
const Token = Schema.Struct({
  access_token: Schema.NonEmptyString,
  expires_in: Schema.optionalKey(Schema.Natural)
})

/** Lifetime in seconds of a token without `expires_in`. */
const defaultLifetime = 300

/** Tokens are renewed this long before they expire, because a request takes time. */
const renewEarly = Duration.seconds(30)

/** Maximum number of cached tokens. An evicted account only needs a new login. */
const capacity = 10_000

/**
 * Access tokens of all accounts (OAuth 2, client credentials). Concurrent calls for one account share a login. A failed login
 * is not cached.
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
        lifetime: token.expires_in ?? defaultLifetime,
        token: Redacted.make(token.access_token)
      })),
      // The error contains no part of the body, which may be a token.
      Effect.mapError(
        () =>
          new ProviderError({ provider: "Pix provider", cause: `token: the provider returned no token (${status})` })
      )
    )
  })
  const cache = yield* Cache.makeWith(login, {
    capacity,
    timeToLive: (exit) =>
      Exit.isSuccess(exit)
        ? Duration.max(Duration.zero, Duration.subtract(Duration.seconds(exit.value.lifetime), renewEarly))
        : Duration.zero
  })
  const get = (account: PixAccount) => Effect.map(Cache.get(cache, account), ({ token }) => token)
  return {
    get,
    /** Returns a token other than the refused one. */
    renew: (account: PixAccount, refused: Redacted.Redacted) =>
      Effect.andThen(
        Cache.invalidateWhen(cache, account, ({ token }) => token === refused),
        get(account)
      )
  }
})

const decode = Schema.decodeUnknownEffect(Token)

const tokenRequestOf = ({ clientId, clientSecret, scope, tokenRequest, tokenUrl }: PixAccount) => {
  const grant = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }
  const request = HttpClientRequest.post(tokenUrl, { headers: { accept: "application/json" } }).pipe(
    HttpClientRequest.basicAuth(clientId, clientSecret)
  )
  return tokenRequest === "json"
    ? HttpClientRequest.bodyText(request, JSON.stringify(grant), "application/json")
    : HttpClientRequest.bodyUrlParams(request, grant)
}
