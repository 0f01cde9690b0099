/**
 * The attempts that this process runs, so that whoever needs one of them waits for it, and those that it gave up.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/AttemptId"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { LeasedAttempt } from "../Attempts.ts"

/** The oldest is forgotten beyond it: a request for that attempt then waits for its lease like any other process. */
const mostAbandoned = 10_000

/**
 * @category models
 * @since 0.1.0
 */
export interface AttemptRegistry {
  /** Runs an effect as the one that is at this attempt. */
  readonly register: <A, E, R>(id: AttemptId, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The end of the run that is at this attempt, to wait for. */
  readonly running: (id: AttemptId) => Option.Option<Effect.Effect<void>>
  /** Says that nobody is at this attempt any more, although this process holds its lease. */
  readonly abandon: (attempt: LeasedAttempt) => void
  /** Whether this process gave the attempt up and nobody took it over since. */
  readonly isAbandoned: (attempt: LeasedAttempt) => boolean
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeRegistry: Effect.Effect<AttemptRegistry> = Effect.sync(() => {
  const running = new Map<AttemptId, Deferred.Deferred<void>>()
  const abandoned = new Map<AttemptId, number>()
  return {
    register: (id, effect) =>
      Effect.suspend(() => {
        const ended = Deferred.makeUnsafe<void>()
        running.set(id, ended)
        abandoned.delete(id)
        return Effect.ensuring(
          effect,
          Effect.suspend(() => {
            running.delete(id)
            return Deferred.succeed(ended, undefined)
          })
        )
      }),
    running: (id) => Option.map(Option.fromUndefinedOr(running.get(id)), Deferred.await),
    abandon: ({ claimedUntil, id }) => {
      abandoned.set(id, claimedUntil)
      const [oldest] = abandoned.keys()
      if (abandoned.size > mostAbandoned && oldest !== undefined) abandoned.delete(oldest)
    },
    // A lease that moved on is somebody else's.
    isAbandoned: ({ claimedUntil, id }) => abandoned.get(id) === claimedUntil
  }
})
