/**
 * Work on one row of many.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { logCause } from "./StoreOutage.ts"

/**
 * One row that cannot be handled is reported and does not keep the others waiting: it is still due, and tried again.
 *
 * @category combinators
 * @since 0.1.0
 */
export const attended = <E>(effect: Effect.Effect<void, E>): Effect.Effect<void> =>
  Effect.catchCause(effect, (cause) => logCause("A row could not be handled; it is tried again", cause))
