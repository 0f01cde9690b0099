/**
 * The outermost layer of the server: whatever fails, the response is an error node with the right status, and nothing
 * internal is in it (interface section 7).
 *
 * @since 0.1.0
 */
import { Origin } from "@parcela/engine/ports/Origin"
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
import { withCacheControl } from "./CacheControl.ts"
import { fromClient, ReceivedRequest } from "./ClientAddress.ts"
import {
  internal,
  maximumBody,
  nothingHere,
  storeUnavailable,
  tooLarge,
  toResponse,
  unreadable,
  withoutHost
} from "./ErrorResponse.ts"
import { canonical, isDisguised, isToken } from "./Paths.ts"
import { recordOf } from "./RequestRecord.ts"
import { logOutage } from "./StoreOutage.ts"

/** A 401 says how to prove who is asking (RFC 9110, section 11.6.1). */
const challenged = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  response.status === 401
    ? HttpServerResponse.setHeader(response, "www-authenticate", isToken(request.url) ? basic : "Bearer")
    : response

const basic = `Basic realm="parcela", charset="UTF-8"`

/** A response that asks to come again says when (RFC 9110, section 10.2.3). */
const retryable = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  response.status === 503 && response.headers["retry-after"] === undefined
    ? HttpServerResponse.setHeader(response, "retry-after", "5")
    : response

/** Whether an HTTP/1.1 request lacks the Host that it must have (RFC 9112, section 3.2). */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && "httpVersion" in source && source.httpVersion === "1.1"

/**
 * The response to a request that no route took.
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
 * A store that cannot be used, where a route outside the contract fails with it. One that is a defect failed after
 * something was written, and a 503 would say that nothing was.
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
  // Nobody waits for the response to a request that was interrupted.
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
    // The fiber has what the type of this effect asks for.
    const context = fiber.context as Context.Context<R | HttpServerRequest.HttpServerRequest>
    const received = Context.get(context, HttpServerRequest.HttpServerRequest)
    const request = fromClient(cleaned(received), trustedProxies)
    const refused = refusedUnread(request)
    if (refused !== undefined) return Effect.succeed(withCacheControl(refused, request.url))
    const finished = (response: HttpServerResponse.HttpServerResponse) =>
      withCacheControl(challenged(retryable(response), request), request.url)
    const recovered = (cause: Cause.Cause<E>) =>
      Effect.annotateLogs(recover(cause, request, ofUnrouted), companyOf(recordOf(received.source)?.companyId))
    // Effect's server puts back the context that the request came with.
    fiber.setContext(given(context, request, received))
    return Effect.matchCauseEffect(httpApp, {
      onSuccess: (response) => Effect.succeed(finished(response)),
      onFailure: (cause) => Effect.map(recovered(cause), finished)
    })
  })

/** What everything below knows of the request. */
const given = <R>(
  context: Context.Context<R>,
  request: HttpServerRequest.HttpServerRequest,
  received: HttpServerRequest.HttpServerRequest
) => {
  // The id that the server below gave the request, or took from the client.
  const requestId = received.headers["x-request-id"]
  // Another naming hands on a copy, which does not show how it came.
  const known = Context.add(context, ReceivedRequest, Option.some(received))
  const ofRequest =
    requestId === undefined
      ? Context.add(known, Origin, byService)
      : Context.add(Context.add(known, Origin, { ...byService, requestId }), References.CurrentLogAnnotations, {
          ...Context.get(context, References.CurrentLogAnnotations),
          requestId
        })
  // Most requests are handled as they came in.
  return request === received ? ofRequest : Context.add(ofRequest, HttpServerRequest.HttpServerRequest, request)
}

const byService: Origin = { actor: { _tag: "Service" }, cause: { _tag: "Request" } }

const companyOf = (company: number | undefined) => (company === undefined ? {} : { company })

const cleaned = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const url = canonical(request.url)
  return url === request.url ? request : request.modify({ url })
}

const mostBytes = ByteSize.toNumberUnsafe(maximumBody)

const disguised = nothingHere("/docs")

const refusedUnread = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse | undefined => {
  if (lacksHost(request)) return withoutHost
  if (isDisguised(request.url)) return disguised
  return Number(request.headers["content-length"] ?? 0) > mostBytes ? tooLarge : undefined
}
