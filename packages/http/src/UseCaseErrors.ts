/**
 * The HTTP failure for each error of a use case. A 503 tells the client that nothing was changed. An unknown outcome is
 * a 504, never a 4xx, because a client reads a 4xx as "nothing happened".
 *
 * @since 0.1.0
 */
import type { BillingError, RefusedBy } from "@parcela/core/errors/BillingError"
import type { OutcomeUnknown } from "@parcela/engine/payments/AttemptRecords"
import type { NotAllowed, NotAuthenticated, TooManyFailedLogins } from "@parcela/engine/authentication/AccessDenied"
import type { KeyReused } from "@parcela/engine/command/IdempotencyKey"
import type { ProviderError } from "@parcela/engine/ports/ProviderError"
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
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { storeUnavailable, toResponse } from "./ErrorResponse.ts"
import { note } from "./ReceivedRequest.ts"
import type { RefusalTag } from "@parcela/core/errors/BillingRefusal"
import { problemOf } from "@parcela/engine/Supervised"

/**
 * All errors that an operation may fail with.
 *
 * @category models
 * @since 0.1.0
 */
export type UseCaseError =
  | ApiError
  | BillingError
  | KeyReused
  | NotAllowed
  | NotAuthenticated
  | OutcomeUnknown
  | ProviderError
  | StoreError
  | TooManyFailedLogins

/**
 * The errors that a use case may fail with if its operation documents these failures. Every operation documents 400,
 * 503 and the failures of its security.
 *
 * @category models
 * @since 0.1.0
 */
export type DocumentedError<Failures> =
  | Exclude<UseCaseError, ApiError | BillingError | KeyReused | OutcomeUnknown>
  | Extract<ApiError, Failures>
  | RefusedBy<BadRequestTag>
  | (NotFound extends Failures ? BillingError : never)
  | (Unprocessable extends Failures ? KeyReused : never)
  | (GatewayTimeout extends Failures ? OutcomeUnknown : never)

type EngineError = Exclude<UseCaseError, ApiError | StoreError>

const table: {
  readonly [Tag in EngineError["_tag"]]: (error: Extract<EngineError, { readonly _tag: Tag }>) => ApiError
} = {
  BillingError: ({ details, message, refusal }) =>
    refusalStatus[refusal._tag] === 404 ? new NotFound({ message, details }) : new BadRequest({ message, details }),
  KeyReused: ({ message }) => new Unprocessable({ message }),
  NotAllowed: ({ message }) => new Forbidden({ message }),
  NotAuthenticated: ({ message }) => new Unauthorized({ message }),
  OutcomeUnknown: () =>
    new GatewayTimeout({
      message: "The outcome is not known yet, and the money may have moved: repeat the request to get the outcome",
      details: { "Transaction.status": ["the provider was called but has not responded"] }
    }),
  ProviderError: ({ provider }) =>
    new Unavailable({ message: `The ${provider} could not be reached: nothing was changed, try again` }),
  TooManyFailedLogins: ({ message }) => new TooManyRequests({ message })
}

const restored =
  "The company was restored or reset while the request ran: nothing of the request is left, send it again"

const sameIdentifier = "Another request wrote the same identifier at the same time: read the entity, then try again"

/**
 * Returns the failure for a store error. An unavailable store is a 503, and a lost write conflict is a 400. Any other
 * error is a defect of the service or has an unknown outcome: a 500.
 *
 * @category conversions
 * @since 0.1.0
 */
const ofStore = (error: StoreError, isWrite: boolean): Effect.Effect<ApiError> => {
  if (error.reason._tag === "Unavailable") {
    return Effect.as(logOutage(error), storeUnavailable(isWrite ? "nothing was changed, try again" : "try again"))
  }
  if (error.reason._tag === "CompanyRestored") return Effect.succeed(new Unavailable({ message: restored }))
  return isWrite && error.reason._tag === "Conflict"
    ? Effect.succeed(new BadRequest({ message: sameIdentifier }))
    : Effect.die(error)
}

const isEngineError = (error: UseCaseError): error is EngineError => Object.hasOwn(table, error._tag)

/**
 * Returns the response to a failed operation.
 *
 * @category conversions
 * @since 0.1.0
 */
export const errorResponse = (
  error: UseCaseError,
  isWrite: boolean
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (error._tag === "StoreError") return Effect.map(ofStore(error, isWrite), toResponse)
  if (!isEngineError(error)) return Effect.succeed(toResponse(error))
  // Each row accepts the error of its own tag.
  const response = toResponse((table[error._tag] as (error: EngineError) => ApiError)(error))
  if (error._tag === "BillingError") {
    return Effect.as(note({ faultyFields: Object.keys(error.details) }), response)
  }
  return Effect.succeed(
    error._tag === "TooManyFailedLogins"
      ? HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(Duration.toSeconds(error.retryAfter))))
      : response
  )
}

/**
 * 404 if the entity that the path or the body names does not exist; every other refusal is a 400.
 *
 * @category tables
 * @since 0.1.0
 */
export const refusalStatus = {
  SubscriptionNotFound: 404,
  ChargeNotFound: 404,
  TransactionNotFound: 404,
  CustomerNotFound: 404,
  CustomerUnknown: 404,
  CustomerHasOtherMyId: 400,
  CustomerIncomplete: 400,
  AddressIncomplete: 400,
  CustomersDiffer: 400,
  DocumentTaken: 400,
  PlanNotFound: 404,
  PlanInactive: 400,
  PlanWithoutPrice: 400,
  ScheduleIncomplete: 400,
  PaymentIncomplete: 400,
  ScheduleMissing: 400,
  CardNotFound: 400,
  CardUnknown: 404,
  CardInUse: 400,
  CardMissing: 400,
  InstallmentsTooMany: 400,
  CardExpired: 400,
  CardBrandUnknown: 400,
  MyIdTaken: 400,
  SubscriptionNotOpen: 400,
  SubscriptionCannot: 400,
  WebhookUrlNotAllowed: 400,
  ChargeWithoutCard: 400,
  ChargeCannot: 400,
  // Public clients read a 404 of a cancellation as "already cancelled".
  SubscriptionOver: 404,
  CancelledBefore: 404,
  QuantityLeft: 400,
  QuantityTooHigh: 400,
  InstalmentBeyond: 400,
  InstalmentPast: 400,
  PaydayPast: 400,
  ValueTooHigh: 400,
  NotRetriable: 400,
  NotEditable: 400,
  NotByCard: 400,
  PaydayDateNotToday: 400,
  RetryTooEarly: 400,
  RetryNever: 400,
  AttemptPending: 400,
  AttemptUnknown: 400,
  DeniedByProvider: 400,
  NotRegistered: 400,
  TransactionCannot: 400,
  ReversalOutOfRange: 400,
  AuthorizedInPart: 400,
  PixValueDiffers: 400,
  SettlementDiffers: 400,
  NotExpiredYet: 400
} as const satisfies { readonly [Tag in RefusalTag]: 400 | 404 }

/**
 * The refusals with status 400.
 *
 * @category models
 * @since 0.1.0
 */
export type BadRequestTag = {
  readonly [Tag in RefusalTag]: (typeof refusalStatus)[Tag] extends 400 ? Tag : never
}[RefusalTag]

/** Logs the line as a warning, and the error with its traces at the debug level. */
export const logOutage = (error: StoreError): Effect.Effect<void> =>
  Effect.andThen(Effect.logWarning(`${error.message}: ${problemOf(error)}`), Effect.logDebug("The store failed", error))
