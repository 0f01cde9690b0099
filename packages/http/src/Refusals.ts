/**
 * What fails in the store, as failures of a contract whose handlers name their own errors.
 *
 * @since 0.1.0
 */
import { StoreError } from "@parcela/engine/ports/StoreError"
import type { Unavailable } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import { storeUnavailable } from "./ErrorResponse.ts"
import { logOutage } from "./StoreOutage.ts"

/**
 * A store that cannot be used is a 503; any other failure of it is a defect.
 *
 * @category combinators
 * @since 0.1.0
 */
export const storeFailures = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, StoreError> | Unavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, StoreError> | Unavailable> => {
    // What is no error of the store is left as it is.
    if (!(error instanceof StoreError)) return Effect.fail(error as Exclude<E, StoreError>)
    return error.reason._tag === "Unavailable"
      ? Effect.andThen(logOutage(error), storeUnavailable("try again"))
      : Effect.die(error)
  })
