/**
 * The failures of responses. Each class is bound to HTTP here only, as the error node of interface section 7 with its
 * status code. The server fails with an instance; the contract encodes the response.
 *
 * @since 0.1.0
 */
import { ErrorDetails, ErrorNode } from "@parcela/core/errors/ErrorDetails"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

const fields = { message: Schema.String, details: Schema.optionalKey(ErrorDetails) }

/**
 * The common fields of failures: a sentence, and problems by `Entity.field` if there are any.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failure {
  readonly message: string
  readonly details?: ErrorDetails
}

/**
 * 400: the request is wrong, and `details` lists the problems.
 *
 * @category errors
 * @since 0.1.0
 */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", fields) {}

/**
 * 401: no credentials, or wrong or expired ones.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", fields) {}

/**
 * 403: the valid token lacks the scope, or the request comes from an address that the company does not allow.
 *
 * @category errors
 * @since 0.1.0
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", fields) {}

/**
 * 404: the company has no such entity, or there is no such path.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", fields) {}

/**
 * 405: the path exists and the method does not.
 *
 * @category errors
 * @since 0.1.0
 */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", fields) {}

/**
 * 409: a conflicting request is still running.
 *
 * @category errors
 * @since 0.1.0
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", fields) {}

/**
 * 413: the body is too large.
 *
 * @category errors
 * @since 0.1.0
 */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", fields) {}

/**
 * 415: the operation does not accept the body's content type.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", fields) {}

/**
 * 422: the `Idempotency-Key` was used with another request.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unprocessable extends Schema.TaggedError<Unprocessable>()("Unprocessable", fields) {}

/**
 * 429: too many requests; `Retry-After` contains the delay.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", fields) {}

/**
 * 500: a defect of the service. A write may have happened; repeating it under the same key returns its outcome.
 *
 * @category errors
 * @since 0.1.0
 */
export class Internal extends Schema.TaggedError<Internal>()("Internal", fields) {}

/**
 * 501: other services of this family have this operation; this service does not.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotImplemented extends Schema.TaggedError<NotImplemented>()("NotImplemented", fields) {}

/**
 * 503: the service is starting, stopping or overloaded. Nothing was changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", fields) {}

/**
 * 504: the outcome of a provider request is unknown, so the operation may have happened. A repeat, under the same
 * `Idempotency-Key` if there was one, joins the pending operation and returns its outcome.
 *
 * @category errors
 * @since 0.1.0
 */
export class GatewayTimeout extends Schema.TaggedError<GatewayTimeout>()("GatewayTimeout", fields) {}

/**
 * @category models
 * @since 0.1.0
 */
export type ApiError =
  | BadRequest
  | Unauthorized
  | Forbidden
  | NotFound
  | MethodNotAllowed
  | Conflict
  | PayloadTooLarge
  | UnsupportedMediaType
  | Unprocessable
  | TooManyRequests
  | Internal
  | NotImplemented
  | Unavailable
  | GatewayTimeout

const Body = ErrorNode.annotate({ identifier: "ErrorNode", description: "Body of every error response." })

// `error.message` has at most 255 characters (interface section 7). Longer sentences are cut here.
const clip = (message: string): string => {
  const points = Array.from(message)
  return points.length <= 255 ? message : `${points.slice(0, 254).join("")}…`
}

/** Returns the error node of a failure. */
const encode = ({ details, message }: Failure): ErrorNode => ({
  error: { message: clip(message), ...(details === undefined ? {} : { details }) }
})

const onTheWire = <S extends Schema.Constraint & (new (failure: Failure) => S["Type"] & Failure)>(
  self: S,
  status: number,
  description: string
) =>
  Body.pipe(
    Schema.decodeTo(
      Schema.toType(self),
      SchemaTransformation.transform<Failure, ErrorNode>({
        decode: ({ error }) => new self(error),
        encode
        // `self` is one of the failures, and `Failure` has the fields of all of them.
      }) as never
    ),
    HttpApiSchema.status(status)
  ).annotate({ description })

/**
 * The wire schema of each failure: its error node and status.
 *
 * @category schemas
 * @since 0.1.0
 */
export const wire = {
  BadRequest: onTheWire(BadRequest, 400, "The request is invalid: error.details lists the problems."),
  Unauthorized: onTheWire(Unauthorized, 401, "No credentials, or wrong or expired ones."),
  Forbidden: onTheWire(Forbidden, 403, "The token lacks the scope, or the address is not allowed."),
  NotFound: onTheWire(NotFound, 404, "The company has nothing with that identifier."),
  MethodNotAllowed: onTheWire(MethodNotAllowed, 405, "The path does not support this method."),
  Conflict: onTheWire(Conflict, 409, "A request that excludes this one is still running."),
  PayloadTooLarge: onTheWire(PayloadTooLarge, 413, "The body is too large."),
  UnsupportedMediaType: onTheWire(UnsupportedMediaType, 415, "The content type of the body is not supported."),
  Unprocessable: onTheWire(Unprocessable, 422, "The Idempotency-Key was used with another request."),
  TooManyRequests: onTheWire(TooManyRequests, 429, "Too many requests: Retry-After gives the seconds to wait."),
  Internal: onTheWire(Internal, 500, "A fault of the service."),
  Unavailable: onTheWire(Unavailable, 503, "The service is starting, stopping or overloaded: nothing was changed."),
  GatewayTimeout: onTheWire(
    GatewayTimeout,
    504,
    "The payment provider's outcome is unknown, and the money may have moved: repeat the request to get the outcome."
  )
}

/**
 * Returns status and error node of a failure, for responses outside the contract's operations, such as for an unknown
 * path.
 *
 * @category conversions
 * @since 0.1.0
 */
export const errorNodeOf = (error: ApiError): { readonly status: number; readonly body: ErrorNode } => ({
  status: statuses[error._tag],
  body: encode(error)
})

const statuses: { readonly [Tag in ApiError["_tag"]]: number } = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  Unprocessable: 422,
  TooManyRequests: 429,
  Internal: 500,
  NotImplemented: 501,
  Unavailable: 503,
  GatewayTimeout: 504
}
