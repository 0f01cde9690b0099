/**
 * Options of clients.
 *
 * @since 0.1.0
 */
import { profile, ServiceName, type NamingProfile } from "@parcela/core/json/NamingProfile"
import type { Unread } from "@parcela/core/json/LenientDecoder"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/**
 * A raw response, before decoding.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedResponse {
  /** The operation's name, such as `transactions.add`. */
  readonly operation: string
  readonly status: number
  /** `X-Request-Id` of the response. */
  readonly requestId: string | undefined
  /** Milliseconds from the first byte sent to the last byte received, including the time for a token. */
  readonly duration: number
  /** The raw JSON of the body, with unknown fields; `undefined` if the body is not JSON. */
  readonly body: unknown
  /** Parts of a successful response that could not be decoded and were left out. */
  readonly unread: ReadonlyArray<Unread>
}

/**
 * Options of every client, with or without credentials.
 *
 * @category models
 * @since 0.1.0
 */
export interface CommonOptions {
  /** The base URL with the version segment: `https://api.example.com/v2`. */
  readonly baseUrl: string
  /** Timeout of one attempt; 30 seconds by default. */
  readonly timeout?: Duration.Input | undefined
  /** Maximum number of retries; 2 by default. The retry policy decides which requests are retried. */
  readonly retries?: number | undefined
  /** The naming profile of the service, such as `galaxPay`. The client's own names stay the same. */
  readonly naming?: NamingProfile | undefined
  /** Called with every raw response of an operation. Responses of `token` contain the token. */
  readonly onResponse?: ((response: ReceivedResponse) => Effect.Effect<void>) | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ClientOptions extends CommonOptions {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * Requested scopes, separated by spaces. By default all scopes of the credentials except `balance.write` and
   * `pos.write`.
   */
  readonly scope?: string | undefined
}

/**
 * The default timeout of one attempt.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultTimeout: Duration.Duration = Duration.seconds(30)

/**
 * The default maximum number of retries.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultRetries = 2

/**
 * Reads options from the configuration: `PARCELA_BASE_URL`, `PARCELA_CLIENT_ID`, `PARCELA_CLIENT_SECRET`, and the
 * optional `PARCELA_SCOPE`, `PARCELA_TIMEOUT` (such as `10 seconds`), `PARCELA_RETRIES` and `PARCELA_NAMING` (such as
 * `galaxPay`).
 *
 * @category configuration
 * @since 0.1.0
 */
export const config: Config.Config<ClientOptions> = Config.all({
  baseUrl: Config.URL("PARCELA_BASE_URL").pipe(Config.map((url) => url.href)),
  clientId: Config.NonEmptyString("PARCELA_CLIENT_ID"),
  clientSecret: Config.Redacted("PARCELA_CLIENT_SECRET"),
  scope: Config.NonEmptyString("PARCELA_SCOPE").pipe(Config.withDefault(undefined)),
  timeout: Config.Duration("PARCELA_TIMEOUT").pipe(Config.withDefault(defaultTimeout)),
  retries: Config.Int("PARCELA_RETRIES").pipe(Config.withDefault(defaultRetries)),
  naming: Config.schema(ServiceName, "PARCELA_NAMING").pipe(Config.map(profile), Config.withDefault(undefined))
})

/**
 * Returns a base URL without its final slash, because paths start with a slash.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withoutSlash = (baseUrl: string): string => baseUrl.replace(/\/+$/u, "")
