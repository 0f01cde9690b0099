/**
 * Failures of the contract as HTTP responses. Only this module writes error nodes (interface section 7).
 *
 * @since 0.1.0
 */
import {
  type ApiError,
  errorNodeOf,
  BadRequest,
  Internal,
  MethodNotAllowed,
  NotFound,
  NotImplemented,
  PayloadTooLarge,
  Unavailable,
  UnsupportedMediaType
} from "@parcela/transport/ApiError"
import * as ByteSize from "effect/ByteSize"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/**
 * The maximum size of a request body.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximumBody = ByteSize.fromInputUnsafe("1 MiB")

/**
 * Returns the failure as a response.
 *
 * @category conversions
 * @since 0.1.0
 */
export const toResponse = (error: ApiError): HttpServerResponse.HttpServerResponse => {
  const { body, status } = errorNodeOf(error)
  return HttpServerResponse.jsonUnsafe(body, { status })
}

/**
 * 400 for an invalid HTTP request or an incomplete body.
 *
 * @category responses
 * @since 0.1.0
 */
export const unreadable = toResponse(new BadRequest({ message: "The request cannot be read" }))

/**
 * 400 for a request without the required Host (RFC 9112, section 3.2).
 *
 * @category responses
 * @since 0.1.0
 */
export const withoutHost = toResponse(new BadRequest({ message: "The request has no Host" }))

/**
 * 400 for a path that matches an operation except for an invalid segment.
 *
 * @category responses
 * @since 0.1.0
 */
export const badPath = toResponse(
  new BadRequest({ message: "A part of the path is too long, or is not percent-encoded UTF-8" })
)

/**
 * 400 for a query that is not valid UTF-8. Decoding it anyway would change its text.
 *
 * @category responses
 * @since 0.1.0
 */
export const badQuery = toResponse(new BadRequest({ message: "The query is not percent-encoded UTF-8" }))

/**
 * 404 for an unknown path. The message names the page that lists the served paths.
 *
 * @category responses
 * @since 0.1.0
 */
export const nothingHere = (page: string): HttpServerResponse.HttpServerResponse =>
  toResponse(new NotFound({ message: `There is no operation at this address: ${page} lists the operations` }))

/**
 * 405 for a path that accepts other methods.
 *
 * @category responses
 * @since 0.1.0
 */
export const methodNotAllowed = (
  method: string,
  allowed: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    toResponse(new MethodNotAllowed({ message: `This address does not accept ${method}, only ${allowed.join(", ")}` })),
    "allow",
    allowed.join(", ")
  )

/**
 * 413 for a body above the maximum size.
 *
 * @category responses
 * @since 0.1.0
 */
export const tooLarge = toResponse(
  new PayloadTooLarge({
    message: `The body is larger than ${ByteSize.format(maximumBody)}, the maximum`
  })
)

/**
 * 415 for a body of an unsupported content type.
 *
 * @category responses
 * @since 0.1.0
 */
export const unsupportedMediaType = (contentType: string | undefined): HttpServerResponse.HttpServerResponse =>
  toResponse(new UnsupportedMediaType({ message: `Send application/json, not ${contentType ?? "an unnamed type"}` }))

/**
 * 500 for a defect of the service. The response shows no details.
 *
 * @category responses
 * @since 0.1.0
 */
export const internal = toResponse(
  new Internal({ message: "The service failed because of an internal error, which was logged" })
)

/**
 * 501 for an operation that other services of this family have and this server does not implement. It is never a 404,
 * because clients read a 404 as a missing entity.
 *
 * @category responses
 * @since 0.1.0
 */
export const notImplemented = toResponse(
  new NotImplemented({ message: "This operation is not implemented: /docs lists the operations that are" })
)

/**
 * 503 for a store that is unavailable. `advice` tells the client the state of its request.
 *
 * @category responses
 * @since 0.1.0
 */
export const storeUnavailable = (advice: string): Unavailable =>
  new Unavailable({ message: `The service cannot use its store at the moment: ${advice}` })
