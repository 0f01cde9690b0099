/**
 * Takes the body of a request for what it is: JSON is JSON whatever its content type calls it.
 *
 * @since 0.1.0
 */
import { maxMembers, oversized } from "@parcela/core/json/JsonBounds"
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { BadRequest } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { recordOf } from "./RequestRecord.ts"

/**
 * JSON, a form, or of a type that is not read here.
 *
 * @category models
 * @since 0.1.0
 */
export type BodyKind = "json" | "form" | "other"

/**
 * Whether text begins like a JSON object or list. A form never does: a brace is escaped in one.
 *
 * @category predicates
 * @since 0.1.0
 */
const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text)

/**
 * What a body is.
 *
 * **Details**
 *
 * Clients that set no type have one set for them: curl and PHP say `application/x-www-form-urlencoded`, a page in a
 * browser says `text/plain`. A multipart body is read by its boundary, and holds no JSON of ours.
 *
 * @category getters
 * @since 0.1.0
 */
export const kindOf = (contentType: string | undefined, text: string): BodyKind => {
  const [type = ""] = (contentType ?? "application/json").toLowerCase().split(/\s*;/, 1)
  if (type === "application/json") return "json"
  if (!type.startsWith("multipart/") && looksLikeJson(text)) return "json"
  return type === "application/x-www-form-urlencoded" ? "form" : "other"
}

const decoder = new TextDecoder()

/**
 * The text of a body, at once where the server has read it. One that cannot be read is a defect, which the outermost middleware knows by its reason.
 *
 * @category getters
 * @since 0.1.0
 */
export const textOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
  const body = recordOf(request.source)?.body?.()
  return body === undefined ? Effect.orDie(request.text) : Effect.succeed(decoder.decode(body))
}

/**
 * The refusal of a body with more members than any operation takes, before each of them is checked.
 *
 * @category getters
 * @since 0.1.0
 */
export const tooManyMembers = (text: string, entity: string): BadRequest | undefined => {
  const details = looksLikeJson(text) ? oversized(text, entity) : ofForm(text, entity)
  return details === undefined ? undefined : new BadRequest({ message: "The request is too large", details })
}

/** Characters of a form; those of the interface have two short fields. */
const maxForm = 65_536

const ofForm = (text: string, entity: string): ErrorDetails | undefined => {
  if (text.length > maxForm) return { [`${entity}.body`]: [`has more than ${maxForm} characters`] }
  return text.split("&", maxMembers + 1).length > maxMembers
    ? { [`${entity}.body`]: [`has more than ${maxMembers} fields`] }
    : undefined
}

/**
 * The fields of a form; a name that is there twice is a list.
 *
 * @category getters
 * @since 0.1.0
 */
export const fieldsOf = (form: string): { readonly [name: string]: string | ReadonlyArray<string> } => {
  const fields = new Map<string, string | Array<string>>()
  for (const [name, value] of new URLSearchParams(form)) {
    const earlier = fields.get(name)
    if (earlier === undefined) fields.set(name, value)
    else if (typeof earlier === "string") fields.set(name, [earlier, value])
    else earlier.push(value)
  }
  return Object.fromEntries(fields)
}

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
