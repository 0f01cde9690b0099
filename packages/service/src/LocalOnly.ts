/**
 * Recognizes requests from this machine, by a program or by a page of this server.
 *
 * @since 0.1.0
 */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { BlockList, isIP } from "node:net"

/**
 * Returns true if an address is a loopback address.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLoopback = (address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && loopback.check(address, version === 6 ? "ipv6" : "ipv4")
}

// Node applies the IPv4 rules to IPv4-mapped addresses (`::ffff:127.0.0.1`).
const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8)
loopback.addAddress("::1", "ipv6")

/**
 * Returns true if a host, as in `Host` or in a URL, is this machine.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)

/** Headers that proxies add. Through a proxy on this machine, remote clients connect from a loopback address. */
const proxyFields = ["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"]

// nginx with only `proxy_pass` adds no header and uses HTTP/1.0, which no client of these routes does.
const isOldHttp = (source: object): boolean => "httpVersion" in source && source.httpVersion === "1.0"

const isProxied = (headers: HttpServerRequest.HttpServerRequest["headers"]): boolean =>
  proxyFields.some((name) => headers[name] !== undefined) ||
  Object.keys(headers).some((name) => name.startsWith("x-forwarded-"))

/**
 * Returns true for a browser request from a foreign page. A page of another origin is recognized by `Origin` or
 * `Sec-Fetch-Site`; a page whose name was pointed at this machine (DNS rebinding) by `Host`.
 */
const isForeignPage = ({
  host = "",
  origin,
  "sec-fetch-site": site = "none"
}: HttpServerRequest.HttpServerRequest["headers"]): boolean =>
  !isLoopbackHost(host) ||
  (origin !== undefined && origin !== `http://${host}`) ||
  (site !== "none" && site !== "same-origin")

/**
 * Returns true if connection, Host and origin are this machine's and nothing indicates a proxy.
 *
 * **Gotchas**
 *
 * A proxy on this machine that uses HTTP/1.1, adds no header and sends its own Host looks like a local program. Such a
 * proxy must not forward `/sandbox`.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isFromThisMachine = ({
  headers,
  peerAddress,
  source
}: Pick<HttpServerRequest.HttpServerRequest, "headers" | "peerAddress" | "source">): boolean =>
  Option.exists(peerAddress, isLoopback) && !isForeignPage(headers) && !isProxied(headers) && !isOldHttp(source)
