/**
 * Work that goes on for ever, whatever one step of it meets.
 *
 * @since 0.1.0
 */
import { randomBackoff } from "@parcela/webhooks/RandomBackoff"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { StoreError } from "./ports/StoreError.ts"

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

/** Drivers wrap the system's error several times; nothing wraps it without end. */
const deepest = 10

/** As much of a driver's words as a line has room for. */
const longest = 200

/**
 * The message of the innermost error, on one line: "connect ECONNREFUSED ..", "database or disk is full".
 *
 * @category conversions
 * @since 0.1.0
 */
export const problemOf = (error: unknown): string => {
  let inner = error
  for (let depth = 0; depth < deepest && inner instanceof Error && inner.cause !== undefined; depth++)
    inner = inner.cause
  const words = inner instanceof Error ? inner.message : typeof inner === "string" ? inner : "for an unknown reason"
  return words.replace(/\s+/gu, " ").slice(0, longest)
}

/**
 * The failure of a store that cannot be used, or that did not say whether it committed; undefined where anything else went
 * wrong as well.
 *
 * @category guards
 * @since 0.1.0
 */
const outageOf = <E>(cause: Cause.Cause<E>): StoreError | undefined => {
  const reasons = cause.reasons.filter((reason) => !Cause.isInterruptReason(reason))
  const [first] = reasons
  const error = reasons.length === 1 && first !== undefined && Cause.isFailReason(first) ? first.error : undefined
  return error instanceof StoreError && (error.reason._tag === "Unavailable" || error.reason._tag === "CommitUnknown")
    ? error
    : undefined
}

/**
 * Logs what failed: on one line where the store cannot be used, with its causes otherwise. The error of an outage, with
 * its traces, is there at the level for debugging.
 *
 * @category logs
 * @since 0.1.0
 */
export const logCause = <E>(message: string, cause: Cause.Cause<E>): Effect.Effect<void> => {
  const outage = outageOf(cause)
  if (outage === undefined) return Effect.logError(message, cause)
  return Effect.andThen(
    Effect.logWarning(`${message}: ${problemOf(outage)}`),
    Effect.logDebug("The store failed", outage)
  )
}
