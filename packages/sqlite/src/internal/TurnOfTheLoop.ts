/**
 * A turn of the event loop, in which others go on.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

export const turnOfTheLoop = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
