/**
 * What a client needs to know.
 *
 * @since 0.1.0
 */
import { profile, ServiceName, type NamingProfile } from "@parcela/core/json/NamingProfile"
import type { Unread } from "@parcela/core/json/Reading"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/**
 * A response as it came, before it is decoded.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedResponse {
  /** Such as `transactions.add`. */
  readonly operation: string
  readonly status: number
  /** `X-Request-Id` of the response. */
  readonly requestId: string | undefined
  /** From the first byte sent to the last one received, in milliseconds; the time for a token is included. */
  readonly duration: number
  /** The body's JSON as it came, with everything in it; `undefined` when it was no JSON. */
  readonly body: unknown
  /** Where something in a successful response could not be read and was left out. */
  readonly unread: ReadonlyArray<Unread>
}

/**
 * What every client takes, with credentials or without.
 *
 * @category models
 * @since 0.1.0
 */
export interface CommonOptions {
  /** With the version segment: `https://api.example.com/v2`. */
  readonly baseUrl: string
  /** How long one try may take: 30 seconds when absent. */
  readonly timeout?: Duration.Input | undefined
  /** How often a request is sent again at most: 2 when absent. What is sent again, and when, is the retry policy's. */
  readonly retries?: number | undefined
  /** The names that the service uses on the wire, such as `galaxPay`; the client's own names stay the same. */
  readonly naming?: NamingProfile | undefined
  /** Sees every response of an operation, as it came. Responses of `token` hold the token. */
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
   * Scopes to ask for, separated by spaces; absent asks for all that the credentials allow but `balance.write` and
   * `pos.write`.
   */
  readonly scope?: string | undefined
}

/**
 * How long one try may take when nothing else is said.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultTimeout: Duration.Duration = Duration.seconds(30)

/**
 * How often a request is sent again at most when nothing else is said.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultRetries = 2

/**
 * Options from the configuration: `PARCELA_BASE_URL`, `PARCELA_CLIENT_ID`, `PARCELA_CLIENT_SECRET`, and where they are
 * given `PARCELA_SCOPE`, `PARCELA_TIMEOUT` (such as `10 seconds`), `PARCELA_RETRIES` and `PARCELA_NAMING` (such as
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
 * A base URL without the slash at its end, as paths begin with one.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withoutSlash = (baseUrl: string): string => baseUrl.replace(/\/+$/u, "")
