/**
 * Things that take so long at most: one timer for all of them.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/**
 * @category models
 * @since 0.1.0
 */
export interface Deadlines<A> {
  /** From now on it has so long. */
  readonly begin: (one: A) => void
  /** It is over, in time or not. */
  readonly end: (one: A) => void
}

/**
 * `expired` is called for each that was begun and has not ended within `limit`.
 *
 * **Details**
 *
 * All have the same time, so they run out in the order they began in.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* <A>(
  limit: Duration.Duration,
  expired: (one: A) => void
): Effect.fn.Return<Deadlines<A>, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  /** When each began, by a clock that nobody sets. */
  const begun = new Map<A, bigint>()
  const most = Duration.toNanosUnsafe(limit)
  let isTimed = false
  let timer: Fiber.Fiber<void> | undefined

  const expire = Effect.gen(function* () {
    for (let [first] = begun; first !== undefined; [first] = begun) {
      const [one, since] = first
      const left = since + most - clock.monotonicTimeNanosUnsafe()
      if (left > 0n) {
        yield* clock.sleep(Duration.nanos(left))
        continue
      }
      begun.delete(one)
      // One that throws takes nobody else's time.
      yield* Effect.ignoreCause(
        Effect.sync(() => expired(one)),
        { log: "Error" }
      )
    }
    isTimed = false
  })
  yield* Effect.addFinalizer(() => (timer === undefined ? Effect.void : Fiber.interrupt(timer)))

  return {
    begin: (one) => {
      begun.set(one, clock.monotonicTimeNanosUnsafe())
      if (isTimed) return
      isTimed = true
      timer = fork(expire)
    },
    end: (one) => void begun.delete(one)
  }
})
