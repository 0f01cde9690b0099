/**
 * What a command wrote, read again for its response.
 *
 * @since 0.1.0
 */
import type { BillingError } from "@parcela/core/BillingError"
import * as Effect from "effect/Effect"
import type { StoreError } from "../StoreError.ts"

/**
 * A store that fails here fails after the commit: "nothing was changed" would be wrong, so it is a defect, and a repeat
 * under the same `Idempotency-Key` shows what was written.
 *
 * @category combinators
 * @since 0.1.0
 */
export const readBack = <A>(effect: Effect.Effect<A, BillingError | StoreError>): Effect.Effect<A, BillingError> =>
  Effect.catchTag(effect, "StoreError", (cause) =>
    Effect.die(new Error("It was written, and could not be read again", { cause }))
  )
