/**
 * How long the outside may take: an answer that is later counts as lost.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { OutsideError } from "../ports/OutsideError.ts"

/**
 * Gives up waiting after `limit`. What the other side did is unknown then, as with every `OutsideError`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const inTime =
  (party: OutsideError["party"], limit: Duration.Duration) =>
  <A>(effect: Effect.Effect<A, OutsideError>): Effect.Effect<A, OutsideError> =>
    Effect.timeoutOrElse(effect, {
      duration: limit,
      orElse: () => Effect.fail(new OutsideError({ party, cause: `no answer within ${Duration.format(limit)}` }))
    })
