/**
 * Forbids caches to store responses of the interface, which contain tokens and debts (RFC 6749, section 5.1).
 *
 * @since 0.1.0
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isInterface } from "./Paths.ts"

const name = "cache-control"
const value = "no-store"

/**
 * Returns the header for the response at a URL.
 *
 * @category getters
 * @since 0.1.0
 */
export const cacheControlOf = (url: string): { readonly [name]?: string } => (isInterface(url) ? { [name]: value } : {})

/**
 * Adds the header to a response. Most responses already have the header from their constructor, because Effect copies a
 * response and its headers twice to add a field.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withCacheControl = (
  response: HttpServerResponse.HttpServerResponse,
  url: string
): HttpServerResponse.HttpServerResponse =>
  response.headers[name] !== value && isInterface(url) ? HttpServerResponse.setHeader(response, name, value) : response
