/**
 * The log of a store that cannot be used: one line for each refused request, whatever the driver says.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/StoreError"
import * as Effect from "effect/Effect"

/** Drivers wrap the system's error several times; nothing wraps it without end. */
const deepest = 10

/** As much of a driver's words as a line has room for. */
const longest = 200

/** What the innermost error says, on one line: "connect ECONNREFUSED ..", "database or disk is full". */
const reasonOf = (error: unknown): string => {
  let inner = error
  for (let depth = 0; depth < deepest && inner instanceof Error && inner.cause !== undefined; depth++)
    inner = inner.cause
  const words = inner instanceof Error ? inner.message : typeof inner === "string" ? inner : "for an unknown reason"
  return words.replace(/\s+/gu, " ").slice(0, longest)
}

/** Writes the line, and the error with its traces at the level for debugging. */
export const logOutage = (error: StoreError): Effect.Effect<void> =>
  Effect.andThen(
    Effect.logWarning(`${error.message}: ${reasonOf(error)}`),
    Effect.logDebug("What the store failed with", error)
  )
