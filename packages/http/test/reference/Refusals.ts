/**
 * The errors of use cases as the failures of the contract, each by name.
 *
 * @since 0.1.0
 */
import { refusalStatus, logOutage, type UseCaseError } from "@parcela/http/UseCaseErrors"
import { note } from "@parcela/http/ReceivedRequest"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import {
  type ApiError,
  BadRequest,
  Forbidden,
  GatewayTimeout,
  NotFound,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  Unprocessable
} from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"

const sameIdentifier = "Another request wrote the same identifier at the same time: read the entity, then try again"

/**
 * A store that cannot be used is a 503. What else fails in it is a fault of our own, which the HTTP layer returns as a 500 with
 * nothing internal in it; except that two requests were after the same `myId` at once.
 *
 * **Details**
 *
 * 503 says that nothing was changed. An outcome that is unknown is a 504 and never a 4xx, which would tell the client
 * that nothing happened: the charge may be captured already.
 *
 * @category combinators
 * @since 0.1.0
 */
export const failuresOf = <A, R>(
  effect: Effect.Effect<A, UseCaseError, R>,
  isWrite: boolean
): Effect.Effect<A, ApiError, R> => Effect.catch(effect, (error) => failureOf(error, isWrite))

const failureOf = (error: UseCaseError, isWrite: boolean): Effect.Effect<never, ApiError> => {
  switch (error._tag) {
    case "BillingError": {
      const fields = { message: error.message, details: error.details }
      return Effect.andThen(
        note({ faultyFields: Object.keys(error.details ?? {}) }),
        Effect.fail(refusalStatus[error.refusal._tag] === 404 ? new NotFound(fields) : new BadRequest(fields))
      )
    }
    case "KeyReused":
      return Effect.fail(new Unprocessable({ message: error.message }))
    case "NotAllowed":
      return Effect.fail(new Forbidden({ message: error.message }))
    case "NotAuthenticated":
      return Effect.fail(new Unauthorized({ message: error.message }))
    case "TooManyFailedLogins":
      return Effect.fail(new TooManyRequests({ message: error.message }))
    case "ProviderError":
      return Effect.fail(
        new Unavailable({ message: `The ${error.provider} could not be reached: nothing was changed, try again` })
      )
    case "OutcomeUnknown":
      return Effect.fail(
        new GatewayTimeout({
          message: "The outcome is not known yet, and the money may have moved: repeat the request to get the outcome",
          details: { "Transaction.status": ["the provider was called but has not responded"] }
        })
      )
    case "StoreError":
      return isWrite && error.reason._tag === "Conflict"
        ? Effect.fail(new BadRequest({ message: sameIdentifier }))
        : ofStore(isWrite ? "nothing was changed, try again" : "try again")(error)
    default:
      return Effect.fail(error)
  }
}

/** A store that cannot be used is a 503; any other failure of it is a fault of ours, or of unknown outcome: a 500. */
const ofStore =
  (advice: string) =>
  (error: StoreError): Effect.Effect<never, Unavailable> =>
    error.reason._tag === "Unavailable"
      ? Effect.andThen(
          logOutage(error),
          new Unavailable({ message: `The service cannot use its store at the moment: ${advice}` })
        )
      : Effect.die(error)

/**
 * The failures of what only looks, or writes nothing that a caller would notice: a token, the lease of a key.
 *
 * @category combinators
 * @since 0.1.0
 */
export const storeFailures = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E | StoreError, R>
): Effect.Effect<A, Exclude<E, StoreError> | Unavailable, R> =>
  Effect.catchTag(
    // The compiler does not resolve `Exclude` of a type parameter.
    effect as Effect.Effect<A, Exclude<E, StoreError> | StoreError, R>,
    "StoreError",
    (error) =>
      // What has the tag.
      ofStore("try again")(error as StoreError)
    // As above.
  ) as Effect.Effect<A, Exclude<E, StoreError> | Unavailable, R>
