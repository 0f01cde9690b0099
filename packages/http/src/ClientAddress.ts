/**
 * Whose address a request comes from: that of the connection, or, behind proxies that one trusts, that of their client.
 *
 * **Details**
 *
 * Each proxy appends to `X-Forwarded-For` whom it got the request from, and what stood there before is anybody's. So the
 * list is read from the right, and an entry is believed only while the hop that wrote it is trusted. `Forwarded` (RFC
 * 7239) is not read: a proxy that writes the one passes on what a client wrote in the other.
 *
 * @since 0.1.0
 */
import { canonicalAddress, isWithin } from "@parcela/core/companies/AddressRange"
import * as Context from "effect/Context"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"

/**
 * The proxies that are trusted: addresses, or networks as `address/bits`. None by default.
 *
 * @category settings
 * @since 0.1.0
 */
export const TrustedProxies = Context.Reference<ReadonlyArray<string>>("@parcela/http/TrustedProxies", {
  defaultValue: () => []
})

/**
 * The request as it came in: with the address of the connection, and not yet renamed or labelled. It is what decides
 * whether somebody calls this machine directly.
 *
 * @category references
 * @since 0.1.0
 */
export const ReceivedRequest = Context.Reference<Option.Option<HttpServerRequest.HttpServerRequest>>(
  "@parcela/http/ReceivedRequest",
  { defaultValue: Option.none }
)

/** More trusted hops than any chain of proxies has: a client may write as many addresses as fit into a header. */
const mostHops = 20

/** An entry, in which some proxies write a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const addressIn = (entry: string): string | undefined => {
  const text = entry.trim()
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? []
  return canonicalAddress(bracketed ?? plain ?? text)
}

/**
 * The address of the client. An entry that is no address ends the search: then it is the last hop that is known.
 *
 * @category getters
 * @since 0.1.0
 */
export const clientAddress = (
  peer: string,
  forwardedFor: string | undefined,
  trusted: ReadonlyArray<string>
): string => {
  const entries = forwardedFor === undefined || trusted.length === 0 ? [] : forwardedFor.split(",").slice(-mostHops)
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
 * The request with its client's address as `remoteAddress`, and that of the connection as `peerAddress`.
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
