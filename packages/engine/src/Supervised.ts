/**
 * Supervision of loops that must not end, and the logging of store outages.
 *
 * @since 0.1.0
 */
import { repeatForever } from "@parcela/core/attempts/Backoff"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { StoreError } from "./ports/StoreError.ts"

/**
 * Repeats a step until interrupted. After a failed step, runs `pause` with an exponentially growing delay.
 *
 * **Details**
 *
 * An outage of the store is logged with one line at its start and one at its end, without stack traces. Every other
 * failure is logged each time with its cause.
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
    let isOut = false
    return repeatForever(step, {
      pause,
      onSuccess: Effect.suspend(() => {
        if (!isOut) return Effect.void
        isOut = false
        return Effect.logInfo(`The ${name} can use the store again`)
      }),
      onFailure: (cause) => {
        const wasOut = isOut
        isOut = outageOf(cause) !== undefined
        if (!isOut) return logCause(`The ${name} failed and continues`, cause)
        return wasOut ? Effect.void : logCause(`The ${name} waits for the store and then continues`, cause)
      }
    })
  })

/** Maximum depth when unwrapping `cause`. Drivers wrap a system error several times. */
const maxDepth = 10

/** Maximum length of the message in characters. */
const maxLength = 200

/**
 * Returns the message of the innermost error on one line: "connect ECONNREFUSED ..", "database or disk is full".
 *
 * @category conversions
 * @since 0.1.0
 */
export const problemOf = (error: unknown): string => {
  let inner = error
  for (let depth = 0; depth < maxDepth && inner instanceof Error && inner.cause !== undefined; depth++)
    inner = inner.cause
  const message = inner instanceof Error ? inner.message : typeof inner === "string" ? inner : "for an unknown reason"
  return message.replace(/\s+/gu, " ").slice(0, maxLength)
}

/**
 * Returns the store's outage or unknown commit, if this is the only failure in the cause. Otherwise returns undefined.
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
 * Logs a failure: one line for a store outage, otherwise with its cause. At debug level an outage is also logged with
 * its stack trace.
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
