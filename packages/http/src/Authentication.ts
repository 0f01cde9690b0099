/**
 * Authentication of requests by client credentials and bearer tokens (interface section 5). It determines the tenant of a
 * request: the company.
 *
 * @since 0.1.0
 */
import { type Bearer, Tokens } from "@parcela/engine/authentication/Tokens"
import { Forbidden, Unauthorized } from "@parcela/transport/ApiError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { ReceivedRequest } from "./ReceivedRequest.ts"
import type { UseCaseError } from "./UseCaseErrors.ts"

/**
 * A policy that may refuse a client secret for the origin of the request, for any company. It receives the request as
 * the server received it and returns the reason for a refusal. By default every secret is accepted.
 *
 * @category settings
 * @since 0.1.0
 */
export const SecretPolicy = Context.Reference<
  (secret: Redacted.Redacted, request: HttpServerRequest.HttpServerRequest) => string | undefined
>("@parcela/http/SecretPolicy", { defaultValue: () => () => undefined })

/**
 * Returns the client that a request authenticates as.
 *
 * @category models
 * @since 0.1.0
 */
export type Authenticate = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Bearer, UseCaseError>

/**
 * Returns the credential of an `Authorization` header after a scheme's name. The name is case-insensitive (RFC 9110,
 * section 11.1).
 *
 * @category getters
 * @since 0.1.0
 */
export const credentialOf = (authorization: string | undefined, scheme: string): string | undefined => {
  if (authorization === undefined || authorization.length <= scheme.length) return undefined
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
  const credential = authorization.slice(scheme.length)
  const trimmed = credential.startsWith(" ") ? credential.replace(/^ +/, "") : ""
  return /^\S/.test(trimmed) ? trimmed : undefined
}

/** Returns user name and password, separated by the first colon (RFC 7617, section 2). */
const basicOf = (credential: string): readonly [string, Redacted.Redacted] => {
  const decoded = Result.getOrElse(Base64.decodeString(credential), () => "")
  const colon = decoded.indexOf(":")
  return colon < 0 ? ["", Redacted.make("")] : [decoded.slice(0, colon), Redacted.make(decoded.slice(colon + 1))]
}

/**
 * Authentication by HTTP Basic with client id and client secret.
 *
 * @category authentication
 * @since 0.1.0
 */
export const clientCredentials: Effect.Effect<Authenticate, never, Tokens> = Effect.gen(function* () {
  const tokens = yield* Tokens
  const refusedSecret = yield* SecretPolicy
  return (request) => {
    const credential = credentialOf(request.headers["authorization"], "basic")
    if (credential === undefined) {
      return Effect.fail(new Unauthorized({ message: "Send client id and client secret as HTTP Basic authentication" }))
    }
    const [clientId, secret] = basicOf(credential)
    return Effect.flatMap(ReceivedRequest, (received): ReturnType<Authenticate> => {
      const problem = refusedSecret(
        secret,
        Option.getOrElse(received, () => request)
      )
      return problem === undefined
        ? tokens.identify(clientId, secret, request.remoteAddress)
        : Effect.fail(new Forbidden({ message: problem }))
    })
  }
})

/**
 * Authentication by `Authorization: Bearer` with a token from `POST /token`.
 *
 * @category authentication
 * @since 0.1.0
 */
export const bearerToken: Effect.Effect<Authenticate, never, Tokens> = Effect.map(Tokens, (tokens) => (request) => {
  const token = credentialOf(request.headers["authorization"], "bearer")
  return token === undefined
    ? Effect.fail(
        new Unauthorized({
          message: "Send Authorization: Bearer ACCESS_TOKEN, with the access_token that POST /token returns"
        })
      )
    : tokens.authenticate(token, request.remoteAddress)
})
