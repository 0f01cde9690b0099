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
 * What was begun and has so long.
 *
 * @category models
 * @since 0.1.0
 */
export interface StartedAttempt {
  /** It is over, in time or not; without effect after the first time. */
  readonly end: () => void
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Deadlines<A> {
  /** From now on it has so long. */
  readonly begin: (one: A) => StartedAttempt
}

/**
 * What was begun, between what was begun before and after it. A Map would leave a table behind now and then, with a reference to the
 * next one and to all that was in it, so that what has ended is copied by the collector of young garbage again and again.
 */
class Link<A> implements StartedAttempt {
  previous: Link<A> = this
  next: Link<A> = this
  readonly one: A | undefined
  readonly since: bigint

  constructor(one: A | undefined, since: bigint) {
    this.one = one
    this.since = since
  }

  /** As the one before another. */
  place(next: Link<A>): void {
    this.previous = next.previous
    this.next = next
    next.previous.next = this
    next.previous = this
  }

  end(): void {
    this.previous.next = this.next
    this.next.previous = this.previous
    this.previous = this
    this.next = this
  }
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
export const make = Effect.fnUntraced(function* <A extends {}>(
  limit: Duration.Duration,
  expired: (one: A) => void
): Effect.fn.Return<Deadlines<A>, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  /** Stands before the first that was begun and after the last, in a ring. Times are by a clock that nobody sets. */
  const ring = new Link<A>(undefined, 0n)
  const most = Duration.toNanosUnsafe(limit)
  let isTimed = false
  let timer: Fiber.Fiber<void> | undefined

  const expire = Effect.gen(function* () {
    for (let first = ring.next; first.one !== undefined; first = ring.next) {
      const { one, since } = first
      const left = since + most - clock.monotonicTimeNanosUnsafe()
      if (left > 0n) {
        yield* clock.sleep(Duration.nanos(left))
        continue
      }
      first.end()
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
      const begun = new Link<A>(one, clock.monotonicTimeNanosUnsafe())
      begun.place(ring)
      if (!isTimed) {
        isTimed = true
        timer = fork(expire)
      }
      return begun
    }
  }
})
