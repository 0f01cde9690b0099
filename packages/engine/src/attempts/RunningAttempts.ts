/**
 * The attempts that this process runs, so that a caller that needs one of them waits for it instead of asking the
 * provider beside it.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * @category models
 * @since 0.1.0
 */
export interface RunningAttempts {
  /** Runs an effect as the one that is at this attempt, and `meanwhile` until it ends. */
  readonly run: <A, E, R>(
    id: AttemptId,
    effect: Effect.Effect<A, E, R>,
    meanwhile: Effect.Effect<never>
  ) => Effect.Effect<A, E, R>
  /** The end of the run that is at this attempt, to wait for. */
  readonly running: (id: AttemptId) => Option.Option<Effect.Effect<void>>
  /** How many run now. */
  readonly count: Effect.Effect<number>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<RunningAttempts> = Effect.sync(() => {
  const running = new Map<AttemptId, Deferred.Deferred<void>>()
  return {
    run: Effect.fnUntraced(function* (id, effect, meanwhile) {
      const ended = Deferred.makeUnsafe<void>()
      running.set(id, ended)
      const fiber = yield* Effect.forkChild(meanwhile)
      return yield* Effect.onExit(effect, () => {
        fiber.interruptUnsafe()
        running.delete(id)
        Deferred.doneUnsafe(ended, Effect.void)
        return Effect.void
      })
    }),
    running: (id) => Option.map(Option.fromUndefinedOr(running.get(id)), Deferred.await),
    count: Effect.sync(() => running.size)
  }
})
