/**
 * What the engine says no with, as the failures of the contract.
 *
 * @since 0.1.0
 */
import type { BillingError } from "@parcela/core/BillingError"
import type { OutsideError } from "@parcela/engine/OutsideError"
import type { StoreError } from "@parcela/engine/StoreError"
import { BadRequest, Conflict, NotFound, Unavailable } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"

/**
 * Turns the engine's errors into the contract's, each by name. A store that failed is a fault of our own, which the
 * edge answers as a 500 with nothing internal in it; except that two requests were after the same `myId` at once.
 *
 * @category combinators
 * @since 0.1.0
 */
export const asFailures = <A, E extends BillingError | OutsideError | StoreError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, BadRequest | Conflict | NotFound | Unavailable, R> =>
  Effect.catch(
    effect as Effect.Effect<A, BillingError | OutsideError | StoreError, R>,
    (error): Effect.Effect<never, BadRequest | Conflict | NotFound | Unavailable> => {
      switch (error._tag) {
        case "BillingError": {
          const said = { message: error.message, details: error.details }
          return Effect.fail(error.status === 404 ? new NotFound(said) : new BadRequest(said))
        }
        case "OutsideError":
          return Effect.fail(
            new Unavailable({ message: `The ${error.party} could not be reached: nothing was changed, try again` })
          )
        case "StoreError":
          return error.reason._tag === "Conflict" ? Effect.fail(ofConflict(error.reason.constraint)) : Effect.die(error)
      }
    }
  )

const ofConflict = (constraint: string): BadRequest | Conflict =>
  // The twin of this request, under the same key, has written: its answer is the answer.
  constraint.startsWith("idempotency_keys.")
    ? new Conflict({ message: "A request with this Idempotency-Key was faster: repeat it for its answer" })
    : new BadRequest({ message: "Another request wrote the same identifier at the same moment: look, then try again" })
