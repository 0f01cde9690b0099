/**
 * What a client needs to know.
 *
 * @since 0.1.0
 */
import type { Unread } from "@parcela/core/json/Reading"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/**
 * An answer as it came, before it is read.
 *
 * @category models
 * @since 0.1.0
 */
export interface Answer {
  readonly operation: string
  readonly status: number
  /** The body's JSON, with everything in it; `undefined` when it was no JSON. */
  readonly body: unknown
  /** Where something in a successful response could not be read and was left out. */
  readonly unread: ReadonlyArray<Unread>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ClientOptions {
  /** With the version segment: `https://api.example.com/v2`. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /**
   * Scopes to ask for, separated by spaces; absent asks for all that the credentials allow but `balance.write` and
   * `pos.write`.
   */
  readonly scope?: string | undefined
  /** How long one try may take: 30 seconds when absent. */
  readonly timeout?: Duration.Input | undefined
  /** Sees every answer of an operation, as it came. Answers of `token` hold the token. */
  readonly onAnswer?: ((answer: Answer) => Effect.Effect<void>) | undefined
}

/**
 * How long one try may take when nothing else is said.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultTimeout: Duration.Duration = Duration.seconds(30)

/**
 * Options from the configuration: `PARCELA_BASE_URL`, `PARCELA_CLIENT_ID`, `PARCELA_CLIENT_SECRET`, and where they are
 * given `PARCELA_SCOPE` and `PARCELA_TIMEOUT` (such as `10 seconds`).
 *
 * @category configuration
 * @since 0.1.0
 */
export const config: Config.Config<ClientOptions> = Config.all({
  baseUrl: Config.URL("PARCELA_BASE_URL").pipe(Config.map((url) => url.href)),
  clientId: Config.NonEmptyString("PARCELA_CLIENT_ID"),
  clientSecret: Config.Redacted("PARCELA_CLIENT_SECRET"),
  scope: Config.NonEmptyString("PARCELA_SCOPE").pipe(Config.withDefault(undefined)),
  timeout: Config.Duration("PARCELA_TIMEOUT").pipe(Config.withDefault(defaultTimeout))
})

/**
 * A base URL without the slash at its end, as paths begin with one.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withoutSlash = (baseUrl: string): string => baseUrl.replace(/\/+$/u, "")
