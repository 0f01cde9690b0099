/**
 * The timeout of a request to a provider.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ProviderError } from "./ProviderError.ts"
import { Settings } from "../Settings.ts"

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
export const make: Effect.Effect<ProviderTimeout> = Effect.map(
  Settings,
  ({ attemptTimeout: duration }): ProviderTimeout => {
    const cause = `no response within ${Duration.format(duration)}`
    return (provider, request) =>
      Effect.timeoutOrElse(request, { duration, orElse: () => Effect.fail(new ProviderError({ provider, cause })) })
  }
)
