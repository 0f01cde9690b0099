/**
 * The log of an unavailable store: one line for each refused request, whatever the driver reports.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { problemOf } from "@parcela/engine/Supervised"
import * as Effect from "effect/Effect"

/** Logs the line as a warning, and the error with its traces at the debug level. */
export const logOutage = (error: StoreError): Effect.Effect<void> =>
  Effect.andThen(Effect.logWarning(`${error.message}: ${problemOf(error)}`), Effect.logDebug("The store failed", error))
