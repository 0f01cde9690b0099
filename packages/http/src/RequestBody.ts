/**
 * Takes the body of a request for what it is: JSON is JSON whatever its content type calls it.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { isTooDeep, mostLevels, mostMembers, oversized } from "@parcela/core/json/JsonBounds"
import { BadRequest } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import type { HttpServerError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const isJsonType = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type)

/** A multipart body is read by its boundary, and holds no JSON of ours. */
const isMultipart = (type: string): boolean => /^multipart\//i.test(type)

/**
 * The request with another address and a JSON body, which need not be as long as what was received.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withJson = (
  { headers, method, peerAddress, remoteAddress, url }: HttpServerRequest.HttpServerRequest,
  json: string,
  at = url
): HttpServerRequest.HttpServerRequest => {
  const { "content-length": _, ...kept } = headers
  const web = new Request(new URL(at, "http://localhost"), {
    method,
    headers: { ...kept, "content-type": "application/json" },
    body: json === "" ? null : json
  })
  return HttpServerRequest.fromWeb(web).modify({ peerAddress, remoteAddress })
}

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
export const labelled = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerRequest.HttpServerRequest, HttpServerError> => {
  const type = request.headers["content-type"]
  if (request.method === "GET" || request.method === "HEAD" || type === undefined) return Effect.succeed(request)
  if (isJsonType(type) || isMultipart(type)) return Effect.succeed(request)
  return Effect.map(request.text, (text) =>
    // What was read once is not read again: the request is made anew around its text.
    /^\s*[{[]/.test(text) ? withJson(request, text) : request
  )
}

/** A shorter body cannot hold so many members that reading them would hold others up. */
const shortBody = 16_384

const tooMany = (details: ErrorDetails) => Effect.fail(new BadRequest({ message: "The request is too large", details }))

/** Refuses a body with more members than any operation takes, before each of them is checked. */
const checkMembers = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, entity: string) {
  if (request.method === "GET" || request.method === "HEAD") return
  if (Number(request.headers["content-length"] ?? Infinity) <= shortBody) return
  const text = yield* Effect.orDie(request.text)
  if (text.length <= shortBody) return
  if (/^\s*[{[]/.test(text)) {
    if (isTooDeep(text)) {
      yield* tooMany({
        [`${entity}.body`]: [`is nested deeper than ${mostLevels} levels, which is the most that is read`]
      })
    }
    const details = Option.match(parse(text), { onNone: () => undefined, onSome: (json) => oversized(json, entity) })
    if (details !== undefined) yield* tooMany(details)
  } else if (text.split("&", mostMembers + 1).length > mostMembers) {
    yield* tooMany({ [`${entity}.body`]: [`has more than ${mostMembers} fields`] })
  }
})

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

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
    // A body that cannot be read is a defect to the operation too; the edge knows it by its reason.
    Effect.flatMap(Effect.orDie(labelled(request)), (asJson) =>
      Effect.andThen(
        checkMembers(asJson, entity),
        asJson === request ? httpEffect : Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, asJson)
      )
    )
  )
