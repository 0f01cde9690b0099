/**
 * How long work that failed waits, at random within its bounds.
 *
 * @since 0.1.0
 */
import { backoff } from "@parcela/core/attempts/Attempt"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/**
 * `backoff` of `@parcela/core`, at random.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const randomBackoff = (
  failedBefore: number,
  base: Duration.Duration,
  longest: Duration.Duration
): Effect.Effect<Duration.Duration> => Effect.map(Random.next, (random) => backoff(failedBefore, base, longest, random))
