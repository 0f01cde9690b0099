/**
 * Responses of the interface hold tokens and what people owe: nothing on the way keeps them (RFC 6749, section 5.1).
 *
 * @since 0.1.0
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isInterface } from "./Paths.ts"

const name = "cache-control"
const value = "no-store"

/**
 * What the header of a response at an address says of it.
 *
 * @category getters
 * @since 0.1.0
 */
export const cacheControlOf = (url: string): { readonly [name]?: string } => (isInterface(url) ? { [name]: value } : {})

/**
 * The response to a request at an address, with that header. Most have it from where they are made, as Effect copies a response and
 * its header twice to add a field.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withCacheControl = (
  response: HttpServerResponse.HttpServerResponse,
  url: string
): HttpServerResponse.HttpServerResponse =>
  response.headers[name] !== value && isInterface(url) ? HttpServerResponse.setHeader(response, name, value) : response
