/**
 * Tokens of clients: the access token that all requests and fibers of a client share, and the one fixed token of a
 * sandbox or an administration.
 *
 * @since 0.1.0
 */
import { type Decoded, decoder } from "@parcela/core/json/LenientDecoder"
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type TokenRequest, TokenResponse } from "../contract/Token.ts"
import type { TokenError } from "./ClientError.ts"
import { type ClientOptions, withoutSlash } from "./ClientOptions.ts"
import { unreachable, attempt } from "./RequestAttempt.ts"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

/**
 * Safety margin before a token expires, because a request needs time to arrive. A token with a lifetime below one
 * minute is used for half of its lifetime.
 */
const margin: Duration.Duration = Duration.seconds(30)

const readToken = decoder(
  Schema.Struct({
    ...TokenResponse.fields,
    access_token: Schema.RedactedFromValue(Schema.NonEmptyString, { label: "access token" })
  }),
  { access_token: true, expires_in: true },
  "Token"
)

/**
 * A token, redacted during decoding.
 *
 * @category models
 * @since 0.1.0
 */
export type Token = typeof readToken extends (json: unknown) => Result.Result<Decoded<infer A>, infer _> ? A : never

/**
 * @category services
 * @since 0.1.0
 */
export class TokenManager extends Context.Service<
  TokenManager,
  {
    /**
     * Returns a token that is valid for at least the margin. Concurrent calls share one request. A failure is returned
     * to these calls and not cached.
     */
    readonly get: Effect.Effect<Redacted.Redacted, TokenError>
    /** Drops `token` from the cache after the service refused it. A newer token stays. */
    readonly drop: (token: Redacted.Redacted) => Effect.Effect<void>
    /** Requests a token that is not shared. */
    readonly request: (request: TokenRequest) => Effect.Effect<Token, TokenError>
  }
>()("@parcela/transport/client/TokenManager") {
  static readonly layer = (options: ClientOptions): Layer.Layer<TokenManager, never, HttpClient.HttpClient> =>
    Layer.effect(TokenManager, make(options))
}

const make = Effect.fnUntraced(function* (options: ClientOptions) {
  const client = yield* HttpClient.HttpClient

  const ask = Effect.fn("TokenManager.request")(function* (
    request: TokenRequest,
    seen: Pick<ClientOptions, "onResponse" | "timeout">
  ) {
    const sent = HttpClientRequest.post(`${withoutSlash(options.baseUrl)}/token`).pipe(
      HttpClientRequest.basicAuth(options.clientId, options.clientSecret),
      HttpClientRequest.acceptJson,
      HttpClientRequest.bodyJsonUnsafe(request)
    )
    const send = (onSent: () => void) => Effect.suspend(() => (onSent(), client.execute(sent)))
    return yield* attempt(seen, { operation: "token", decode: readToken, send }).pipe(
      Effect.catchTags({
        ConnectionLost: (lost) => Effect.fail(unreachable(options.baseUrl, lost.reason)),
        // Without a token the operation is not sent, so nothing has happened.
        ApiFailure: (failure) =>
          Effect.fail(failure.status >= 500 ? unreachable(options.baseUrl, failure.message) : failure)
      })
    )
  })

  const scope = options.scope === undefined ? {} : { scope: options.scope }
  // The shared token is an internal secret, so `onResponse` does not receive its response.
  const cache = yield* Cache.makeWith<"token", Token, TokenError>(
    () => ask({ grant_type: "client_credentials", ...scope }, { timeout: options.timeout, onResponse: undefined }),
    {
      capacity: 1,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) ? usableFor(Duration.seconds(Math.max(0, exit.value.expires_in))) : Duration.zero
    }
  )

  return TokenManager.of({
    get: Effect.map(Cache.get(cache, "token"), (token) => token.access_token),
    drop: (token) =>
      Effect.asVoid(
        Cache.invalidateWhen(cache, "token", (held) => Redacted.value(held.access_token) === Redacted.value(token))
      ),
    request: (request) => ask(request, options)
  })
})

/** Returns how long a token with this lifetime is used. */
const usableFor = (lifetime: Duration.Duration): Duration.Duration =>
  Duration.max(Duration.subtract(lifetime, margin), Duration.divideUnsafe(lifetime, 2))

/**
 * Sends with a token. A 401 means that the request was not executed, so it is repeated once with a new token.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withToken = <A extends { readonly status: number }, E, R>(
  tokens: TokenManager["Service"],
  send: (token: Redacted.Redacted) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | TokenError, R> =>
  Effect.gen(function* () {
    const token = yield* tokens.get
    const response = yield* send(token)
    if (response.status !== 401) return response
    yield* tokens.drop(token)
    return yield* send(yield* tokens.get)
  })

/**
 * `fetch` without redirects, which could send the token to another host.
 *
 * @category layers
 * @since 0.1.0
 */
export const overFetch: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/**
 * Returns a client that sends the token, if there is one.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withFixedToken = <A, E>(
  token: Redacted.Redacted | undefined,
  client: Effect.Effect<A, E, HttpClient.HttpClient>
): Effect.Effect<A, E, HttpClient.HttpClient> =>
  token === undefined
    ? client
    : Effect.updateService(client, HttpClient.HttpClient, HttpClient.mapRequest(HttpClientRequest.bearerToken(token)))

/**
 * The groups of a contract.
 *
 * @category models
 * @since 0.1.0
 */
export type GroupsOf<Api> = Api extends { readonly groups: { readonly [name: string]: infer Group } } ? Group : never
