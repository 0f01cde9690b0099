/**
 * Whether a request was made on this machine, by a program or by a page that this server served.
 *
 * @since 0.1.0
 */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { BlockList, isIP } from "node:net"

/**
 * Whether an address is one of this machine alone.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLoopback = (address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && loopback.check(address, version === 6 ? "ipv6" : "ipv4")
}

// Node checks an IPv4 address that is written as IPv6 (`::ffff:127.0.0.1`) by the rules for IPv4.
const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8)
loopback.addAddress("::1", "ipv6")

/**
 * Whether a host, as `Host` or a URL has it, is this machine.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)

/** What a proxy adds. One on this machine makes every stranger's connection come from here. */
const proxyFields = ["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"]

// nginx with no more than `proxy_pass` adds no field and speaks HTTP/1.0, which no client of these does.
const isOldHttp = (source: object): boolean => "httpVersion" in source && source.httpVersion === "1.0"

const isProxied = (headers: HttpServerRequest.HttpServerRequest["headers"]): boolean =>
  proxyFields.some((name) => headers[name] !== undefined) ||
  Object.keys(headers).some((name) => name.startsWith("x-forwarded-"))

/**
 * A page in a browser on this machine comes from this machine too. One of another origin says so in `Origin` or
 * `Sec-Fetch-Site`; one whose name was pointed at this machine (DNS rebinding) has that name in `Host`.
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
 * Whether the connection, the Host and the origin are this machine's, and nothing shows that a proxy stands between.
 *
 * **Gotchas**
 *
 * A proxy on this machine that speaks HTTP/1.1, adds no header field and sends its own Host cannot be distinguished from a program
 * here: it must keep `/sandbox` to itself.
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
