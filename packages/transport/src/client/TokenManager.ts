/**
 * One access token for all requests and fibers of a client.
 *
 * @since 0.1.0
 */
import { type Decoded, decoder } from "@parcela/core/json/Reading"
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
import { unreachable } from "./ConnectionLoss.ts"
import { attempt } from "./RequestAttempt.ts"

/**
 * How long before its end a token is no longer used: a request may take a while to arrive. A token that lasts less
 * than a minute is used for half of its time.
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
 * A token, redacted from the line that reads it.
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
     * A token that is good for at least the margin. However many ask at once, one request is made; a failure is
     * returned to those who asked and not remembered.
     */
    readonly get: Effect.Effect<Redacted.Redacted, TokenError>
    /** Forgets `token`, which the service did not take. A newer one stays. */
    readonly drop: (token: Redacted.Redacted) => Effect.Effect<void>
    /** Asks for a token that nobody shares. */
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
        // Without a token nothing is sent, so a fault of the service here leaves no doubt behind.
        ApiFailure: (failure) =>
          Effect.fail(failure.status >= 500 ? unreachable(options.baseUrl, failure.message) : failure)
      })
    )
  })

  const scope = options.scope === undefined ? {} : { scope: options.scope }
  // The token that is shared passes no observer: it is nobody's business.
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

/** How long a token that lasts `lifetime` is used. */
const usableFor = (lifetime: Duration.Duration): Duration.Duration =>
  Duration.max(Duration.subtract(lifetime, margin), Duration.divideUnsafe(lifetime, 2))

/**
 * Sends with a token. A 401 was not executed, so it is repeated, exactly once, with a fresh token.
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
