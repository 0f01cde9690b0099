/**
 * Work that goes on for ever, whatever one step of it meets.
 *
 * @since 0.1.0
 */
import { randomBackoff } from "@parcela/webhooks/RandomBackoff"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { logCause, outageOf } from "./StoreOutage.ts"

const firstWait = Duration.seconds(1)

/** A store that is back is used again after so long at most. */
const longestWait = Duration.seconds(15)

/**
 * Takes step after step until it is interrupted; after one that failed, `pause` with a time that doubles.
 *
 * **Details**
 *
 * A store that cannot be used is logged on one line when that begins, and on one when it is over: neither its traces nor
 * its repetitions say more. Every other failure is logged with its causes each time.
 *
 * @category combinators
 * @since 0.1.0
 */
export const supervised = <E, R, R2>(
  name: string,
  step: Effect.Effect<void, E, R>,
  pause: (wait: Duration.Duration) => Effect.Effect<void, never, R2>
): Effect.Effect<never, never, R | R2> =>
  Effect.suspend(() => {
    let failures = 0
    let isOut = false

    const succeeded = Effect.suspend(() => {
      failures = 0
      if (!isOut) return Effect.void
      isOut = false
      return Effect.logInfo(`The ${name} can use the store again`)
    })

    const failed = Effect.fnUntraced(function* (cause: Cause.Cause<E>) {
      const isOutage = outageOf(cause) !== undefined
      if (!isOutage) yield* logCause(`The ${name} failed and goes on`, cause)
      else if (!isOut) yield* logCause(`The ${name} waits for the store and goes on by itself`, cause)
      isOut = isOutage
      const wait = yield* randomBackoff(failures, firstWait, longestWait)
      failures += 1
      yield* pause(wait)
    })

    return Effect.forever(
      Effect.matchCauseEffect(step, {
        onSuccess: () => succeeded,
        onFailure: (cause) =>
          // It has interruptions only, so there is no error in it.
          Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause as Cause.Cause<never>) : failed(cause)
      })
    )
  })
