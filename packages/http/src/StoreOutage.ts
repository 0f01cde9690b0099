/**
 * The log of a store that cannot be used: one line for each refused request, whatever the driver says.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { problemOf } from "@parcela/engine/Supervised"
import * as Effect from "effect/Effect"

/** Writes the line, and the error with its traces at the level for debugging. */
export const logOutage = (error: StoreError): Effect.Effect<void> =>
  Effect.andThen(Effect.logWarning(`${error.message}: ${problemOf(error)}`), Effect.logDebug("The store failed", error))
