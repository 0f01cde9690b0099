/**
 * The client's address: the address of the connection or, behind trusted proxies, an entry of `X-Forwarded-For`.
 *
 * **Details**
 *
 * Each proxy appends the address of its peer to `X-Forwarded-For`. Entries on the left may be forged by the client, so
 * the list is read from the right, and an entry counts only while the hop that wrote it is trusted. `Forwarded` (RFC
 * 7239) is not read: a proxy that writes one of the two headers passes on the client's value of the other.
 *
 * @since 0.1.0
 */
import { canonicalAddress, isWithin } from "@parcela/core/companies/AddressRange"
import * as Context from "effect/Context"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"

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
 * Returns the client's address. An invalid entry ends the search, and the last valid hop is the result.
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
