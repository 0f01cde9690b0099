/**
 * Exponential backoff with jitter.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"

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
