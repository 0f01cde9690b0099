/**
 * Failures of the contract as HTTP responses: the one place that writes error nodes (interface section 7).
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
 * The largest body that is read.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximumBody = ByteSize.fromInputUnsafe("1 MiB")

/**
 * The failure as a response.
 *
 * @category conversions
 * @since 0.1.0
 */
export const toResponse = (error: ApiError): HttpServerResponse.HttpServerResponse => {
  const { body, status } = errorNodeOf(error)
  return HttpServerResponse.jsonUnsafe(body, { status })
}

/**
 * 400 of a request that is no good HTTP, or whose body does not come whole.
 *
 * @category responses
 * @since 0.1.0
 */
export const unreadable = toResponse(new BadRequest({ message: "The request cannot be read" }))

/**
 * 400 of a request without the Host that it must have (RFC 9112, section 3.2).
 *
 * @category responses
 * @since 0.1.0
 */
export const withoutHost = toResponse(new BadRequest({ message: "The request has no Host" }))

/**
 * 400 of a path that is that of an operation, but for a part of it.
 *
 * @category responses
 * @since 0.1.0
 */
export const badPath = toResponse(
  new BadRequest({ message: "A part of the path is too long, or is not UTF-8 that is percent-encoded" })
)

/**
 * 400 of a query that cannot be read: what is no UTF-8 would be read as another text.
 *
 * @category responses
 * @since 0.1.0
 */
export const badQuery = toResponse(new BadRequest({ message: "The query is not UTF-8 that is percent-encoded" }))

/**
 * 404 of an unknown path, which names the page of what is served.
 *
 * @category responses
 * @since 0.1.0
 */
export const nothingHere = (page: string): HttpServerResponse.HttpServerResponse =>
  toResponse(new NotFound({ message: `There is nothing at this address: see ${page} for what there is` }))

/**
 * 405 of a path that takes other methods.
 *
 * @category responses
 * @since 0.1.0
 */
export const methodNotAllowed = (
  method: string,
  allowed: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeader(
    toResponse(new MethodNotAllowed({ message: `This address does not take ${method}, only ${allowed.join(", ")}` })),
    "allow",
    allowed.join(", ")
  )

/**
 * 413 of a body that is larger than what is read.
 *
 * @category responses
 * @since 0.1.0
 */
export const tooLarge = toResponse(
  new PayloadTooLarge({
    message: `The body is larger than ${ByteSize.format(maximumBody)}, which is the most that is read`
  })
)

/**
 * 415 of a body whose type is not read here.
 *
 * @category responses
 * @since 0.1.0
 */
export const unsupportedMediaType = (contentType: string | undefined): HttpServerResponse.HttpServerResponse =>
  toResponse(new UnsupportedMediaType({ message: `Send application/json, not ${contentType ?? "an unnamed type"}` }))

/**
 * 500 of a fault of our own: nothing of it is shown.
 *
 * @category responses
 * @since 0.1.0
 */
export const internal = toResponse(
  new Internal({ message: "The service failed; the fault is ours and has been reported" })
)

/**
 * 501 of an operation that services of this family have and this one does not. Never 404: clients take that for the fate
 * of an entity.
 *
 * @category responses
 * @since 0.1.0
 */
export const notImplemented = toResponse(
  new NotImplemented({ message: "This operation is known and is not implemented here: see /docs for what there is" })
)

/**
 * 503 of a store that cannot be used. `advice` says what is known of the request.
 *
 * @category responses
 * @since 0.1.0
 */
export const storeUnavailable = (advice: string): Unavailable =>
  new Unavailable({ message: `The service cannot use its store at the moment: ${advice}` })
