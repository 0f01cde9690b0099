/**
 * The outermost layer of the server. Every failure becomes an error node with the right status and without internal
 * details (interface section 7).
 *
 * @since 0.1.0
 */
import { Origin } from "@parcela/engine/ports/WriteContext"
import { StoreError } from "@parcela/engine/ports/StoreError"
import * as ByteSize from "effect/ByteSize"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as References from "effect/References"
import { isInterface, isToken, noStore, pathOf } from "../Paths.ts"
import { fromClient, ReceivedRequest, recordOf } from "../ReceivedRequest.ts"
import {
  internal,
  maximumBody,
  nothingHere,
  storeUnavailable,
  tooLarge,
  toResponse,
  unreadable,
  withoutHost
} from "../ErrorResponse.ts"
import { logOutage } from "../UseCaseErrors.ts"

/** Adds the challenge to a 401 (RFC 9110, section 11.6.1). */
const challenged = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  response.status === 401
    ? HttpServerResponse.setHeader(response, "www-authenticate", isToken(request.url) ? basic : "Bearer")
    : response

const basic = `Basic realm="parcela", charset="UTF-8"`

/** Adds `Retry-After` to a 503 (RFC 9110, section 10.2.3). */
const retryable = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  response.status === 503 && response.headers["retry-after"] === undefined
    ? HttpServerResponse.setHeader(response, "retry-after", "5")
    : response

/**
 * Forbids caches to store the response. Most responses already have the header, because Effect copies a response and its
 * headers twice to add a field.
 */
const uncached = (
  response: HttpServerResponse.HttpServerResponse,
  url: string
): HttpServerResponse.HttpServerResponse =>
  response.headers["cache-control"] !== noStore["cache-control"] && isInterface(url)
    ? HttpServerResponse.setHeaders(response, noStore)
    : response

/** True if an HTTP/1.1 request lacks the required Host (RFC 9112, section 3.2). */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

/**
 * Returns the response to a request without a route.
 *
 * @category models
 * @since 0.1.0
 */
export type Unrouted = (request: HttpServerRequest.HttpServerRequest) => HttpServerResponse.HttpServerResponse

const ofHttp = (
  error: HttpServerError.HttpServerError,
  request: HttpServerRequest.HttpServerRequest,
  ofUnrouted: Unrouted
): HttpServerResponse.HttpServerResponse | undefined => {
  switch (error.reason._tag) {
    case "RouteNotFound":
      return ofUnrouted(request)
    case "RequestParseError":
      return error.reason.reason === "BodyTooLarge" ? tooLarge : unreadable
    default:
      return undefined
  }
}

/**
 * Returns the error of an unavailable store if a route outside the contract fails with it. A store error that is a
 * defect occurred after a write, and a 503 would wrongly report that nothing was written.
 */
const unusableStore = <E>(cause: Cause.Cause<E>): StoreError | undefined => {
  const [error] = cause.reasons.map((reason) => (reason._tag === "Fail" ? reason.error : undefined))
  return error instanceof StoreError && error.reason._tag === "Unavailable" ? error : undefined
}

const recover = <E>(
  cause: Cause.Cause<E>,
  request: HttpServerRequest.HttpServerRequest,
  ofUnrouted: Unrouted
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
  // An interrupted request has no client that reads a response.
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  const error: unknown = Cause.squash(cause)
  if (HttpServerResponse.isHttpServerResponse(error)) return Effect.succeed(error)
  const known = HttpServerError.isHttpServerError(error) ? ofHttp(error, request, ofUnrouted) : undefined
  if (known !== undefined) return Effect.succeed(known)
  const unusable = unusableStore(cause)
  return unusable === undefined
    ? Effect.as(Effect.logError(`${request.method} failed`, cause), internal)
    : Effect.as(logOutage(unusable), toResponse(storeUnavailable("nothing was changed, try again")))
}

/**
 * Middleware around the whole server, for requests that may come through the trusted proxies.
 *
 * @category middleware
 * @since 0.1.0
 */
export const serverMiddleware = <E, R>(
  httpApp: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  trustedProxies: ReadonlyArray<string>,
  ofUnrouted: Unrouted
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.withFiber((fiber) => {
    // The type of this effect guarantees these services.
    const context = fiber.context as Context.Context<R | HttpServerRequest.HttpServerRequest>
    const received = Context.get(context, HttpServerRequest.HttpServerRequest)
    const request = fromClient(cleaned(received), trustedProxies)
    const refused = refusedUnread(request)
    if (refused !== undefined) return Effect.succeed(uncached(refused, request.url))
    const finished = (response: HttpServerResponse.HttpServerResponse) =>
      uncached(challenged(retryable(response), request), request.url)
    const recovered = (cause: Cause.Cause<E>) =>
      Effect.annotateLogs(recover(cause, request, ofUnrouted), companyOf(recordOf(received.source)?.companyId))
    // Effect's server restores the original context after the request.
    fiber.setContext(requestContext(context, request, received))
    return Effect.matchCauseEffect(httpApp, {
      onSuccess: (response) => Effect.succeed(finished(response)),
      onFailure: (cause) => Effect.map(recovered(cause), finished)
    })
  })

/** Adds the received request, the origin and the log annotations to the context. */
const requestContext = <R>(
  context: Context.Context<R>,
  request: HttpServerRequest.HttpServerRequest,
  received: HttpServerRequest.HttpServerRequest
) => {
  // The id that the server generated for the request or accepted from the client.
  const requestId = received.headers["x-request-id"]
  // Renaming passes on a copy of the request, which lacks the connection's address.
  const known = Context.add(context, ReceivedRequest, Option.some(received))
  const ofRequest =
    requestId === undefined
      ? Context.add(known, Origin, byService)
      : Context.add(Context.add(known, Origin, { ...byService, requestId }), References.CurrentLogAnnotations, {
          ...Context.get(context, References.CurrentLogAnnotations),
          requestId
        })
  // Most requests are handled as received.
  return request === received ? ofRequest : Context.add(ofRequest, HttpServerRequest.HttpServerRequest, request)
}

const byService: Origin = { actor: { _tag: "Service" }, cause: { _tag: "Request" } }

const companyOf = (company: number | undefined) => (company === undefined ? {} : { company })

/** Merges repeated slashes of the path. Base addresses that end in a slash cause repeated slashes. */
const cleaned = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const { url } = request
  if (!url.includes("//")) return request
  const path = pathOf(url)
  return request.modify({ url: path.replace(/\/{2,}/g, "/") + url.slice(path.length) })
}

/**
 * True if the first segment of a URL contains escapes. The router decodes a path before matching: `/%762/token` would be
 * `/v2/token` for the router only. Our paths need no escape in the first segment, so a path with one is unknown.
 */
const isDisguised = (url: string): boolean => /^\/?[^/?#]*%/.test(url)

const maxBytes = ByteSize.toNumberUnsafe(maximumBody)

const disguised = nothingHere("/docs")

const refusedUnread = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse | undefined => {
  if (lacksHost(request)) return withoutHost
  if (isDisguised(request.url)) return disguised
  return Number(request.headers["content-length"] ?? 0) > maxBytes ? tooLarge : undefined
}
