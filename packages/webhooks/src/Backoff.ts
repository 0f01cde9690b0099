/**
 * How long work that failed waits.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/**
 * Between half and the whole of `base` doubled for each failed try before this one, and of `longest` at most. The
 * random part keeps what failed together from coming back together.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const backoff = (
  failedBefore: number,
  base: Duration.Duration,
  longest: Duration.Duration
): Effect.Effect<Duration.Duration> => {
  // 2^40 milliseconds are 35 years: no `longest` is beyond that.
  const doubled = Duration.toMillis(base) * 2 ** Math.min(failedBefore, 40)
  const whole = Math.min(doubled, Duration.toMillis(longest))
  return Effect.map(Random.nextBetween(whole / 2, whole), (millis) => Duration.millis(Math.ceil(millis)))
}
