/**
 * The outermost layer of the server: whatever fails, the answer is an error node with the right status, and nothing
 * internal is in it (interface section 7).
 *
 * @since 0.1.0
 */
import { Origin } from "@parcela/engine/commands/Origin"
import { StoreError } from "@parcela/engine/ports/StoreError"
import {
  type ApiError,
  answerOf,
  BadRequest,
  Internal,
  MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  Unavailable,
  UnsupportedMediaType
} from "@parcela/transport/ApiError"
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { fromClient, ReceivedRequest } from "./ClientAddress.ts"
import { canonical, isDisguised, isInterface, isToken, pathOf } from "./Paths.ts"
import { noting, notesOf } from "./RequestNotes.ts"
import { methodsOf } from "./Routes.ts"
import { logOutage } from "./StoreOutage.ts"

/**
 * The largest body that is read.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximumBody = ByteSize.fromInputUnsafe("1 MiB")

/**
 * The failure as an answer.
 *
 * @category conversions
 * @since 0.1.0
 */
export const toResponse = (error: ApiError): HttpServerResponse.HttpServerResponse => {
  const { body, status } = answerOf(error)
  return HttpServerResponse.jsonUnsafe(body, { status })
}

const nothingHere = toResponse(
  new NotFound({ message: "There is nothing at this address: see /docs for what there is" })
)

const notFoundOrNotAllowed = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
  const methods = methodsOf(pathOf(request.url))
  if (methods.length === 0) return nothingHere
  if (methods.includes(request.method)) {
    return toResponse(
      new BadRequest({ message: "A part of the path is too long, or is not UTF-8 that is percent-encoded" })
    )
  }
  return HttpServerResponse.setHeader(
    toResponse(
      new MethodNotAllowed({ message: `This address does not take ${request.method}, only ${methods.join(", ")}` })
    ),
    "allow",
    methods.join(", ")
  )
}

/** A 401 says how to prove who is asking (RFC 9110, section 11.6.1). */
const challenged = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  response.status === 401
    ? HttpServerResponse.setHeader(response, "www-authenticate", isToken(request.url) ? basic : "Bearer")
    : response

/** A response that asks to come again says when (RFC 9110, section 10.2.3). */
const retryable = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  response.status === 503 && response.headers["retry-after"] === undefined
    ? HttpServerResponse.setHeader(response, "retry-after", "5")
    : response

/** Answers of the interface hold tokens and what people owe: nothing on the way keeps them (RFC 6749, section 5.1). */
const unkept = (
  response: HttpServerResponse.HttpServerResponse,
  { url }: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  isInterface(url) ? HttpServerResponse.setHeader(response, "cache-control", "no-store") : response

const basic = `Basic realm="parcela", charset="UTF-8"`

/** Whether an HTTP/1.1 request lacks the Host that it must have (RFC 9112, section 3.2). */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

/** The answers that the HTTP layer below gives in plain text or without a body, as error nodes. */
const explain = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  if (response.status < 400 || (response.body._tag !== "Empty" && response.body.contentType === "application/json")) {
    return response
  }
  switch (response.status) {
    case 404:
      return notFoundOrNotAllowed(request)
    case 413:
      return tooLarge
    case 415:
      return toResponse(
        new UnsupportedMediaType({
          message: `Send application/json, not ${request.headers["content-type"] ?? "an unnamed type"}`
        })
      )
    default:
      return response.status < 500
        ? toResponse(new BadRequest({ message: "The request cannot be read" }))
        : toResponse(fault)
  }
}

const fault = new Internal({ message: "The service failed to answer; the fault is ours and has been reported" })

const tooLarge = toResponse(
  new PayloadTooLarge({
    message: `The body is larger than ${ByteSize.format(maximumBody)}, which is the most that is read`
  })
)

const ofHttp = (
  error: HttpServerError.HttpServerError,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse | undefined => {
  switch (error.reason._tag) {
    case "RouteNotFound":
      return notFoundOrNotAllowed(request)
    case "RequestParseError":
      return error.reason.reason === "BodyTooLarge"
        ? tooLarge
        : toResponse(new BadRequest({ message: "The request cannot be read" }))
    default:
      return undefined
  }
}

const storeUnusable = toResponse(
  new Unavailable({ message: "The service cannot use its store at the moment: nothing was changed, try again" })
)

/**
 * A store that cannot be used, where a route outside the contract fails with it. One that is a defect failed after
 * something was written, and a 503 would say that nothing was.
 */
const unusableStore = <E>(cause: Cause.Cause<E>): StoreError | undefined => {
  const [error] = cause.reasons.map((reason) => (reason._tag === "Fail" ? reason.error : undefined))
  return error instanceof StoreError && error.reason._tag === "Unavailable" ? error : undefined
}

const recover = <E>(
  cause: Cause.Cause<E>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
  // Nobody waits for the answer of a request that was interrupted.
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const error: unknown = Cause.squash(cause)
  if (HttpServerResponse.isHttpServerResponse(error)) return Effect.succeed(explain(error, request))
  const known = HttpServerError.isHttpServerError(error) ? ofHttp(error, request) : undefined
  const unusable = unusableStore(cause)
  if (unusable !== undefined) return Effect.as(logOutage(unusable), storeUnusable)
  return known !== undefined
    ? Effect.succeed(known)
    : Effect.as(Effect.logError(`${request.method} failed`, cause), toResponse(fault))
}

/**
 * Middleware around the whole server, for requests that may come through the trusted proxies.
 *
 * @category middleware
 * @since 0.1.0
 */
export const edge = <E, R>(
  httpApp: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  trustedProxies: ReadonlyArray<string>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (received) => {
    const request = fromClient(cleaned(received), trustedProxies)
    return (
      refusedUnread(request) ??
      noting(
        received,
        request === received ? httpApp : Effect.provideService(httpApp, HttpServerRequest.HttpServerRequest, request)
      ).pipe(
        Effect.map((response) => explain(response, request)),
        Effect.catchCause((cause) =>
          Effect.annotateLogs(recover(cause, request), companyOf(notesOf(received.source)?.companyId))
        ),
        Effect.map((response) => unkept(challenged(retryable(response), request), request)),
        Effect.provideService(HttpIncomingMessage.MaxBodySize, maximumBody),
        Effect.provideService(ReceivedRequest, Option.some(received)),
        Effect.provideService(Origin, {
          actor: { _tag: "Service" },
          cause: { _tag: "Request" },
          ...requestIdOf(received)
        }),
        Effect.annotateLogs(requestIdOf(received))
      )
    )
  })

/** The id that the server below gave the request, or took from the client. */
const requestIdOf = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const requestId = headers["x-request-id"]
  return requestId === undefined ? {} : { requestId }
}

const companyOf = (company: number | undefined) => (company === undefined ? {} : { company })

const cleaned = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const url = canonical(request.url)
  return url === request.url ? request : request.modify({ url })
}

const refusedUnread = (request: HttpServerRequest.HttpServerRequest) => {
  if (lacksHost(request)) return Effect.succeed(toResponse(new BadRequest({ message: "The request has no Host" })))
  if (isDisguised(request.url)) return Effect.succeed(nothingHere)
  const length = Number(request.headers["content-length"] ?? 0)
  return length > ByteSize.toNumberUnsafe(maximumBody) ? Effect.succeed(tooLarge) : undefined
}
