/**
 * Access to operator routes: programs on this machine or, if a token is set, clients with the token.
 *
 * @since 0.1.0
 */
import { isWithin } from "@parcela/core/companies/AddressRange"
import { NotAuthenticated } from "@parcela/engine/authentication/AccessDenied"
import { FailedLoginLimit } from "@parcela/engine/authentication/FailedLoginLimit"
import { ReceivedRequest } from "@parcela/http/ReceivedRequest"
import { credentialOf } from "@parcela/http/Authentication"
import { noStore } from "@parcela/http/Paths"
import type { Guard } from "@parcela/http/ContractRoutes"
import { Forbidden, Unauthorized } from "@parcela/transport/ApiError"
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/**
 * The token of an operator: 24 to 255 visible ASCII characters, so that a header can contain it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OperatorToken = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{24,255}$/u, { expected: "24 to 255 visible ASCII characters" })
)

/**
 * The messages for refused clients.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessWords {
  /** The message for another machine if no token is set. */
  readonly onlyFromHere: string
  readonly missing: string
  readonly wrong: string
}

/**
 * @category options
 * @since 0.1.0
 */
export interface TokenAccess extends AccessWords {
  /** The name under which wrong tokens are counted. */
  readonly name: string
  readonly token: Redacted.Redacted | undefined
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const onlyFromHere =
  ({ onlyFromHere: message }: AccessWords): Guard =>
  (request) =>
    // Reads the original request: the renamed copy has no client address.
    Effect.flatMap(ReceivedRequest, (received) =>
      isFromThisMachine(Option.getOrElse(received, () => request))
        ? Effect.void
        : Effect.fail(new Forbidden({ message }))
    )

const onlyWith = (token: Redacted.Redacted, { missing, name, wrong }: TokenAccess) =>
  Effect.map(FailedLoginLimit, (limit): Guard => {
    const expected = bytesOf(Redacted.value(token))
    return ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) => {
      const given = credentialOf(headers["authorization"], "bearer")
      if (given === undefined) return Effect.fail(new Unauthorized({ message: missing }))
      const check = Effect.suspend(() =>
        Mac.timingSafeEqual(expected, bytesOf(given))
          ? Effect.void
          : Effect.fail(new NotAuthenticated({ message: wrong }))
      )
      return limit.guard(name, remoteAddress, check)
    }
  })

/** Responses contain secrets, so caches must not store them. */
const uncached: HttpEffect.PreResponseHandler = (_request, response) =>
  Effect.succeed(HttpServerResponse.setHeaders(response, noStore))

/**
 * Fails at the start of a server if a token is too short to be safe or cannot be sent in a header.
 *
 * @category guards
 * @since 0.1.0
 */
export const check = (token: Redacted.Redacted | undefined): Effect.Effect<void, Schema.SchemaError> =>
  token === undefined ? Effect.void : Effect.asVoid(Schema.decodeEffect(OperatorToken)(Redacted.value(token)))

/**
 * Returns the access check. Without a token only programs on this machine are allowed. With a token every request needs
 * the token, and wrong tokens are limited like wrong client secrets. The token must pass `check`.
 *
 * @category guards
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (access: TokenAccess): Effect.fn.Return<Guard> {
  const { token } = access
  yield* Effect.orDie(check(token))
  const allowed =
    token === undefined ? onlyFromHere(access) : yield* Effect.provide(onlyWith(token, access), FailedLoginLimit.layer)
  return (request) => HttpEffect.withPreResponseHandler(allowed(request), uncached)
})

/**
 * Returns true if an address is a loopback address.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLoopback = (address: string): boolean => isWithin(address, ["127.0.0.0/8", "::1"])

/**
 * Returns true if a host, as in `Host` or in a URL, is this machine.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)

/** Headers that proxies add. Through a proxy on this machine, remote clients connect from a loopback address. */
const proxyFields = ["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"]

// HTTP/1.0 means a proxy: nginx uses it by default, and no client does.
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
