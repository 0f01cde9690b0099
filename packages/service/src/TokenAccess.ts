/**
 * Access to operator routes: programs on this machine or, if a token is set, clients with the token.
 *
 * @since 0.1.0
 */
import { NotAuthenticated } from "@parcela/engine/authentication/AccessDenied"
import { FailedLoginLimit } from "@parcela/engine/authentication/FailedLoginLimit"
import { ReceivedRequest } from "@parcela/http/ReceivedRequest"
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
import { isFromThisMachine } from "./LocalOnly.ts"

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

/** Returns the token of an `Authorization: Bearer` header. */
const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]

const onlyFromHere =
  ({ onlyFromHere: message }: AccessWords): Guard =>
  (request) =>
    // Renaming passes on a copy of the request, which lacks the connection's address.
    Effect.flatMap(ReceivedRequest, (received) =>
      isFromThisMachine(Option.getOrElse(received, () => request))
        ? Effect.void
        : Effect.fail(new Forbidden({ message }))
    )

const onlyWith = (token: Redacted.Redacted, { missing, name, wrong }: TokenAccess) =>
  Effect.map(FailedLoginLimit, (limit): Guard => {
    const expected = bytesOf(Redacted.value(token))
    return ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) => {
      const given = bearerOf(headers["authorization"])
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
const noStore: HttpEffect.PreResponseHandler = (_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "cache-control", "no-store"))

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
  return (request) => HttpEffect.withPreResponseHandler(allowed(request), noStore)
})
