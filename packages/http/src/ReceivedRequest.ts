/**
 * A request as the server received it, before it is decoded: the client's address, notes for the request log, and the
 * body by its content.
 *
 * @since 0.1.0
 */
import { canonicalAddress, isWithin } from "@parcela/core/companies/AddressRange"
import * as Context from "effect/Context"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Effect from "effect/Effect"
import { maxMembers, exceededLimit } from "@parcela/core/json/JsonChecks"
import type { ErrorDetails } from "@parcela/core/errors/ErrorDetails"
import { BadRequest } from "@parcela/transport/ApiError"

/**
 * Trusted proxies: addresses, or networks as `address/bits`. None by default.
 *
 * @category settings
 * @since 0.1.0
 */
export const TrustedProxies = Context.Reference<ReadonlyArray<string>>("@parcela/http/TrustedProxies", {
  defaultValue: () => []
})

/**
 * The request as the server received it: with the address of the connection, before renaming. Checks for loopback
 * clients use this request.
 *
 * @category references
 * @since 0.1.0
 */
export const ReceivedRequest = Context.Reference<Option.Option<HttpServerRequest.HttpServerRequest>>(
  "@parcela/http/ReceivedRequest",
  { defaultValue: Option.none }
)

/** Maximum number of entries that are read. Real chains are shorter; a client can fill a header with addresses. */
const maxHops = 20

/** Parses an entry. Some proxies append a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim()
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? []
  return canonicalAddress(bracketed ?? plain ?? text)
}

/**
 * Returns the client's address: the address of the connection or, behind trusted proxies, an entry of `X-Forwarded-For`.
 * An invalid entry ends the search, and the last valid hop is the result.
 *
 * **Details**
 *
 * Each proxy appends the address of its peer to `X-Forwarded-For`. Entries on the left may be forged by the client, so
 * the list is read from the right, and an entry counts only while the hop that wrote it is trusted. `Forwarded` (RFC
 * 7239) is not read: a proxy that writes one of the two headers passes on the client's value of the other.
 *
 * @category getters
 * @since 0.1.0
 */
export const clientAddress = (
  peer: string,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<string>
): string => {
  const entries = forwardedFor === undefined || trusted.length === 0 ? [] : forwardedFor.split(",").slice(-maxHops)
  let address = canonicalAddress(peer) ?? peer
  for (const entry of entries.toReversed()) {
    if (!isWithin(address, trusted)) break
    const before = addressIn(entry)
    if (before === undefined) break
    address = before
  }
  return address
}

/**
 * Returns the request with the client's address as `remoteAddress` and the connection's address as `peerAddress`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromClient = (
  request: HttpServerRequest.HttpServerRequest,
  trusted: ReadonlyArray<string>
): HttpServerRequest.HttpServerRequest => {
  const peer = Option.getOrUndefined(request.peerAddress)
  const forwardedFor = request.headers["x-forwarded-for"]
  if (peer === undefined || forwardedFor === undefined || trusted.length === 0) return request
  const address = clientAddress(peer, forwardedFor, trusted)
  return request.modify({ remoteAddress: Option.some(address), peerAddress: request.peerAddress })
}

/**
 * Data about a request in addition to its HTTP message: the whole body, and notes for the request log. Notes contain only
 * data that may be logged: the company, the client's address, and names of unknown or invalid fields, never their values.
 *
 * @category models
 * @since 0.1.0
 */
export interface RequestRecord {
  /** Returns the body if the server has read it before the handler runs. */
  body?: () => Uint8Array | undefined
  /** The client's address, as `clientAddress` returns it. */
  address?: string
  companyId?: CompanyId
  unknownKeys?: ReadonlyArray<string>
  /** Names of known fields with an error, as in the keys of `error.details`. */
  faultyFields?: ReadonlyArray<string>
}

/** Records by the server's own request object. */
const records = new WeakMap<object, RequestRecord>()

/**
 * Starts the record of a request, given as the server's own object. Notes about a request without a record are ignored.
 *
 * @category records
 * @since 0.1.0
 */
export const begin = (source: object, record: RequestRecord): void => void records.set(source, record)

/**
 * @category records
 * @since 0.1.0
 */
export const recordOf = (source: object): RequestRecord | undefined => records.get(source)

/**
 * Adds notes to the record of the current request.
 *
 * @category records
 * @since 0.1.0
 */
export const note = (added: RequestRecord): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    noteIn(context, added)
    return Effect.void
  })

/**
 * Adds notes to the record of the request of a context.
 *
 * @category records
 * @since 0.1.0
 */
export const noteIn = (context: Context.Context<never>, added: RequestRecord): void => {
  const received = Context.get(context, ReceivedRequest)
  const record = Option.isSome(received) ? recordOf(received.value.source) : undefined
  if (record !== undefined) Object.assign(record, added)
}

/**
 * A body is JSON, a form, or of an unsupported type.
 *
 * @category models
 * @since 0.1.0
 */
export type BodyKind = "json" | "form" | "other"

/** Returns true if text starts like a JSON object or list. Forms escape braces. */
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
  const details = startsLikeJson(text) ? exceededLimit(text, entity) : ofForm(text, entity)
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
