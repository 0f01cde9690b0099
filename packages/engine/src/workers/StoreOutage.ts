/**
 * The log of a store that cannot be used: a line with what is wrong, and no stack traces of ours, which do not explain
 * it.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { StoreError } from "../ports/StoreError.ts"

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
export const outageOf = <E>(cause: Cause.Cause<E>): StoreError | undefined => {
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
