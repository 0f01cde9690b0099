/**
 * How long to wait before something that failed is tried again.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"

/**
 * Between half and the whole of `base` doubled for each failed try before this one, and of `longest` at most. `random`, from 0 to below 1, says
 * where between: it keeps what failed together from coming back together.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const backoff = (
  failedBefore: number,
  base: Duration.Duration,
  longest: Duration.Duration,
  random: number
): Duration.Duration => {
  // 2^40 milliseconds are 35 years: no `longest` is beyond that.
  const doubled = Duration.toMillis(base) * 2 ** Math.min(failedBefore, 40)
  const whole = Math.min(doubled, Duration.toMillis(longest))
  return Duration.millis(Math.ceil((whole / 2) * (1 + random)))
}
