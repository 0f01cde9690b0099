/**
 * The error of a provider (card operator, boleto bank, Pix provider) that did not respond in time, and the timeout of
 * requests. The outcome of such a request is unknown.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Settings } from "../Settings.ts"

/**
 * @category errors
 * @since 0.1.0
 */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  provider: Schema.Literals(["card operator", "boleto bank", "Pix provider", "boleto bank or Pix provider"]),
  cause: Schema.Defect()
}) {
  override get message() {
    return `The ${this.provider} did not respond: the outcome of the request is unknown`
  }
}

/**
 * Interrupts a request after the attempt timeout, even in an uninterruptible caller. The outcome is then unknown, as
 * with every `ProviderError`.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderTimeout = <A>(
  provider: ProviderError["provider"],
  request: Effect.Effect<A, ProviderError>
) => Effect.Effect<A, ProviderError>

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeProviderTimeout: Effect.Effect<ProviderTimeout> = Effect.map(
  Settings,
  ({ attemptTimeout: duration }): ProviderTimeout => {
    const cause = `no response within ${Duration.format(duration)}`
    return (provider, request) =>
      Effect.timeoutOrElse(request, { duration, orElse: () => Effect.fail(new ProviderError({ provider, cause })) })
  }
)
