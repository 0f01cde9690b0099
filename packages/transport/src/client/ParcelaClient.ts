/**
 * The typed client of the service. It logs in once, retries reads, and retries writes only under their
 * `Idempotency-Key`.
 *
 * @since 0.1.0
 */
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import { Operations } from "../Contract.ts"
import type { TokenRequest } from "../contract/Token.ts"
import type { TokenError } from "./ClientError.ts"
import { type ClientOptions, config } from "./ClientOptions.ts"
import { deriveClient } from "./DeriveClient.ts"
import type { ParcelaOperations } from "./ParcelaOperations.ts"
import { type Token, TokenManager } from "./TokenManager.ts"

/**
 * The operations of the contract. Bodies have their wire format and are validated before they are sent.
 *
 * @category services
 * @since 0.1.0
 */
export class ParcelaClient extends Context.Service<
  ParcelaClient,
  ParcelaOperations & {
    /** Requests a token for the caller. The other operations request their own tokens. */
    readonly token: (request?: TokenRequest) => Effect.Effect<Token, TokenError>
  }
>()("@parcela/transport/client/ParcelaClient") {
  /** The client over any `HttpClient` and any source of randomness. */
  static readonly layerNoDeps = (
    options: ClientOptions
  ): Layer.Layer<ParcelaClient, never, HttpClient.HttpClient | SecureRandom.SecureRandom> =>
    Layer.effect(ParcelaClient, make(options)).pipe(Layer.provide(TokenManager.layer(options)))

  /** The client over `fetch`. It does not follow redirects, because they could send the credentials to another host. */
  static readonly layer = (options: ClientOptions): Layer.Layer<ParcelaClient> =>
    ParcelaClient.layerNoDeps(options).pipe(
      Layer.provide([
        FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))),
        SecureRandom.layerWebCrypto
      ])
    )

  /**
   * The client over `fetch`, configured by `PARCELA_BASE_URL`, `PARCELA_CLIENT_ID`, `PARCELA_CLIENT_SECRET` and the
   * rest of `config`.
   */
  static readonly layerConfig: Layer.Layer<ParcelaClient, Config.ConfigError> = Layer.unwrap(
    Effect.map(config, (options) => ParcelaClient.layer(options))
  )
}

const make = Effect.fnUntraced(function* (options: ClientOptions) {
  const tokens = yield* TokenManager
  const random = yield* SecureRandom.SecureRandom
  const operations: ParcelaOperations = yield* deriveClient(Operations, {
    ...options,
    name: "ParcelaClient",
    reading: "lenient",
    newKey: random.uuidV4(),
    tokens
  })
  const token = Effect.fn("ParcelaClient.token")((request?: TokenRequest) =>
    tokens.request(request ?? { grant_type: "client_credentials", ...(options.scope ? { scope: options.scope } : {}) })
  )
  return ParcelaClient.of({ ...operations, token })
})
