/**
 * The timeout of a request to a provider: a response that comes later counts as lost.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { ProviderError } from "../ports/ProviderError.ts"

/**
 * Gives up waiting after `limit`. What the provider did is unknown then, as with every `ProviderError`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withProviderTimeout =
  (provider: ProviderError["provider"], limit: Duration.Duration) =>
  <A>(effect: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
    Effect.timeoutOrElse(effect, {
      duration: limit,
      orElse: () => Effect.fail(new ProviderError({ provider, cause: `no response within ${Duration.format(limit)}` }))
    })
