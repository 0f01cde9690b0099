/**
 * What a store's failures say.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"

/** The constraint that an effect is in conflict with; fails the test when it succeeds or fails otherwise. */
export const conflictOf = <A, R>(effect: Effect.Effect<A, StoreError, R>): Effect.Effect<string, unknown, R> =>
  Effect.flatMap(Effect.flip(effect), ({ reason }) =>
    reason._tag === "Conflict" ? Effect.succeed(reason.constraint) : Effect.fail(reason)
  )
