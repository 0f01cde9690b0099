/**
 * Delays between the attempts of a failing operation, and loops that continue after failures.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/**
 * Returns a random delay between half and all of `base` * 2^`failedBefore`, limited to `maxDelay`. The jitter spreads
 * the retries of operations that failed together. `random` is at least 0 and below 1.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const backoff = (
  failedBefore: number,
  base: Duration.Duration,
  maxDelay: Duration.Duration,
  random: number
): Duration.Duration => {
  // 2^40 milliseconds are 35 years, longer than any `maxDelay`.
  const doubled = Duration.toMillis(base) * 2 ** Math.min(failedBefore, 40)
  const whole = Math.min(doubled, Duration.toMillis(maxDelay))
  return Duration.millis(Math.ceil((whole / 2) * (1 + random)))
}

/**
 * Returns `backoff` with a random number of the `Random` service.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const randomBackoff = (
  failedBefore: number,
  base: Duration.Duration,
  maxDelay: Duration.Duration
): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (random) => backoff(failedBefore, base, maxDelay, random))

const firstDelay = Duration.seconds(1)

/** Maximum delay of a loop after failures. */
const maxLoopDelay = Duration.seconds(15)

/**
 * @category options
 * @since 0.1.0
 */
export interface LoopOptions<E, R> {
  /** Logs a failure of a step, including a defect. */
  readonly onFailure: (cause: Cause.Cause<E>) => Effect.Effect<void>
  readonly onSuccess?: Effect.Effect<void>
  /** Waits before the next step after a failure. */
  readonly pause: (delay: Duration.Duration) => Effect.Effect<void, never, R>
}

/**
 * Repeats a step until interrupted. After a failed step, runs `pause` with an exponentially growing delay.
 *
 * @category combinators
 * @since 0.1.0
 */
export const repeatForever = <E, R, R2>(
  step: Effect.Effect<void, E, R>,
  { onFailure, onSuccess = Effect.void, pause }: LoopOptions<E, R2>
): Effect.Effect<never, never, R | R2> =>
  Effect.suspend(() => {
    let failures = 0
    const failed = Effect.fnUntraced(function* (cause: Cause.Cause<E>) {
      yield* onFailure(cause)
      const delay = yield* randomBackoff(failures, firstDelay, maxLoopDelay)
      failures += 1
      yield* pause(delay)
    })
    return Effect.forever(
      Effect.matchCauseEffect(step, {
        onSuccess: () => {
          failures = 0
          return onSuccess
        },
        onFailure: (cause) =>
          // The cause contains only interruptions, so it has no error.
          Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause as Cause.Cause<never>) : failed(cause)
      })
    )
  })
