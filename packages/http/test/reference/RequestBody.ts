/**
 * Bodies as `HttpApiBuilder` has to be given them: labelled by what they are, and no larger than what is read.
 *
 * @since 0.1.0
 */
import { kindOf, textOf, tooManyMembers, withJson } from "@parcela/http/ReceivedRequest"
import type { BadRequest } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import type { HttpServerError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"

/**
 * The request, labelled as JSON when its body begins like a JSON object or array.
 *
 * **Details**
 *
 * Clients that set no type have one set for them: curl and PHP say `application/x-www-form-urlencoded`, a page in a
 * browser says `text/plain`. A form never begins with a brace, which is escaped in one.
 *
 * @category conversions
 * @since 0.1.0
 */
const labelled = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerRequest.HttpServerRequest, HttpServerError> => {
  const type = request.headers["content-type"]
  if (request.method === "GET" || request.method === "HEAD" || type === undefined) return Effect.succeed(request)
  if (/^application\/json\s*(?:;|$)|^multipart\//i.test(type)) return Effect.succeed(request)
  return Effect.map(request.text, (text) =>
    // The body is read once, and a new request is made of its text.
    kindOf(type, text) === "json" ? withJson(request, text) : request
  )
}

/** Refuses a body with more members than any operation takes, before each of them is checked. */
const checkMembers = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, entity: string) {
  if (request.method === "GET" || request.method === "HEAD") return
  const refusal = tooManyMembers(yield* textOf(request), entity)
  if (refusal !== undefined) return yield* refusal
})

/**
 * Runs an operation on the request as labelled, unless its body has too many members.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withBody = <A, E, R>(
  httpEffect: Effect.Effect<A, E, R>,
  entity: string
): Effect.Effect<A, E | BadRequest, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    // A body that cannot be read is a defect to the operation too; the HTTP layer knows it by its reason.
    Effect.flatMap(Effect.orDie(labelled(request)), (asJson) =>
      Effect.andThen(
        checkMembers(asJson, entity),
        asJson === request ? httpEffect : Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, asJson)
      )
    )
  )
