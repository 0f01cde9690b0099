/**
 * The timeout of a request to a provider: a response that comes later counts as lost.
 *
 * @since 0.1.0
 */
import * as Deadlines from "@parcela/webhooks/Deadlines"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { ProviderError } from "../ports/ProviderError.ts"
import { Settings } from "../Settings.ts"

/** A request without a response. */
interface Waiting {
  readonly expire: () => void
}

/**
 * Gives up waiting for a provider after the attempt timeout, and ends the request, also where the caller does not let itself be
 * interrupted. What the provider did is unknown then, as with every `ProviderError`.
 *
 * @category models
 * @since 0.1.0
 */
export type ProviderTimeout = <A>(
  provider: ProviderError["provider"],
  request: Effect.Effect<A, ProviderError>
) => Effect.Effect<A, ProviderError>

/**
 * One timer serves all requests of the returned function.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<ProviderTimeout, never, Scope.Scope> = Effect.gen(function* () {
  const { attemptTimeout } = yield* Settings
  const deadlines = yield* Deadlines.make<Waiting>(attemptTimeout, ({ expire }) => expire())
  const cause = `no response within ${Duration.format(attemptTimeout)}`

  return <A>(provider: ProviderError["provider"], request: Effect.Effect<A, ProviderError>) =>
    Effect.withFiber((caller) =>
      Effect.callback<A, ProviderError>((resume) => {
        let isLate = false
        const fiber = Effect.runForkWith(caller.context)(request)
        const begun = deadlines.begin({
          expire: () => {
            isLate = true
            fiber.interruptUnsafe(caller.id)
          }
        })
        fiber.addObserver((exit) => {
          begun.end()
          // What it does in spite of its interruption comes too late.
          resume(isLate ? Effect.fail(new ProviderError({ provider, cause })) : exit)
        })
        return Fiber.interrupt(fiber)
      })
    )
})
