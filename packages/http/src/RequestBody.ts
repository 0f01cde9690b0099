/**
 * Reads request bodies by their content. JSON is accepted under any content type.
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
 * A body is JSON, a form, or of an unsupported type.
 *
 * @category models
 * @since 0.1.0
 */
export type BodyKind = "json" | "form" | "other"

/**
 * Returns true if text starts like a JSON object or list. Forms escape braces.
 *
 * @category predicates
 * @since 0.1.0
 */
const startsLikeJson = (text: string): boolean => /^\s*[{[]/.test(text)

/**
 * Returns the kind of a body.
 *
 * **Details**
 *
 * Clients without an explicit content type send a default: curl and PHP `application/x-www-form-urlencoded`, browsers
 * `text/plain`. A multipart body starts with its boundary and never contains JSON of the interface.
 *
 * @category getters
 * @since 0.1.0
 */
export const kindOf = (contentType: string | undefined, text: string): BodyKind => {
  const [type = ""] = (contentType ?? "application/json").toLowerCase().split(/\s*;/, 1)
  if (type === "application/json") return "json"
  if (!type.startsWith("multipart/") && startsLikeJson(text)) return "json"
  return type === "application/x-www-form-urlencoded" ? "form" : "other"
}

const decoder = new TextDecoder()

/**
 * Returns the text of a body, synchronously if the server has already read the body. A read error is a defect; the
 * outermost middleware handles it by its reason.
 *
 * @category getters
 * @since 0.1.0
 */
export const textOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
  const body = recordOf(request.source)?.body?.()
  return body === undefined ? Effect.orDie(request.text) : Effect.succeed(decoder.decode(body))
}

/**
 * Returns the error for a body with more members than any operation accepts. The check runs before members are decoded.
 *
 * @category getters
 * @since 0.1.0
 */
export const tooManyMembers = (text: string, entity: string): BadRequest | undefined => {
  const details = startsLikeJson(text) ? oversized(text, entity) : ofForm(text, entity)
  return details === undefined ? undefined : new BadRequest({ message: "The request is too large", details })
}

/** Maximum characters of a form. Forms of the interface have two short fields. */
const maxForm = 65_536

const ofForm = (text: string, entity: string): ErrorDetails | undefined => {
  if (text.length > maxForm) return { [`${entity}.body`]: [`has more than ${maxForm} characters`] }
  return text.split("&", maxMembers + 1).length > maxMembers
    ? { [`${entity}.body`]: [`has more than ${maxMembers} fields`] }
    : undefined
}

/**
 * Returns the fields of a form. A repeated name becomes a list.
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
 * Returns the request with another URL and a JSON body. The new body may have another length than the received one.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withJson = (
  { headers, method, peerAddress, remoteAddress, url }: HttpServerRequest.HttpServerRequest,
  json: string,
  at = url
): HttpServerRequest.HttpServerRequest => {
  const { "content-length": _, ...otherHeaders } = headers
  const web = new Request(new URL(at, "http://localhost"), {
    method,
    headers: { ...otherHeaders, "content-type": "application/json" },
    body: json === "" ? null : json
  })
  return HttpServerRequest.fromWeb(web).modify({ peerAddress, remoteAddress })
}
