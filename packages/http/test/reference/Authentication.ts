/**
 * Checks credentials, tokens and scopes for the contract's operations (interface section 5).
 *
 * @since 0.1.0
 */
import type { NotAllowed, NotAuthenticated, TooManyFailedLogins } from "@parcela/engine/authentication/AccessDenied"
import { Origin } from "@parcela/engine/ports/WriteContext"
import { type Bearer, Tokens } from "@parcela/engine/authentication/Tokens"
import { BadRequest, Forbidden, TooManyRequests, Unauthorized } from "@parcela/transport/ApiError"
import { AuthenticatedClient, BearerToken, ClientCredentials, RequiredScope } from "@parcela/transport/Security"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ReceivedRequest, note } from "@parcela/http/ReceivedRequest"
import { entityOf } from "./FaultsLayer.ts"
import { storeFailures } from "./Refusals.ts"
import { withBody } from "./RequestBody.ts"

const noted = {
  NotAuthenticated: ({ message }: NotAuthenticated) => Effect.fail(new Unauthorized({ message })),
  NotAllowed: ({ message }: NotAllowed) => Effect.fail(new Forbidden({ message }))
}

/** A 429 with the seconds until it is worth trying again. */
const ofGuesses = ({ message, retryAfter }: TooManyFailedLogins) =>
  Effect.andThen(
    HttpEffect.appendPreResponseHandler((_request, response) =>
      Effect.succeed(
        HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(Duration.toSeconds(retryAfter))))
      )
    ),
    new TooManyRequests({ message })
  )

/**
 * Returns the reason why a client secret is refused for the origin of a request. By default every secret is accepted.
 *
 * @category settings
 * @since 0.1.0
 */
const SecretPolicy = Context.Reference<
  (secret: Redacted.Redacted, request: HttpServerRequest.HttpServerRequest) => string | undefined
>("@parcela/http/SecretPolicy", { defaultValue: () => () => undefined })

/** True if the request has a token. */
const isBearer = (authorization: string | undefined): boolean => /^bearer +\S/i.test(authorization ?? "")

/** True if the request has credentials. The name of the scheme is case-insensitive (RFC 9110, section 11.1). */
const isBasic = (authorization: string | undefined): boolean => /^basic +\S/i.test(authorization ?? "")

/** True if the request has no body: "the body must be an object" would not name the fields. */
const isEmpty = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<boolean> =>
  Number(request.headers["content-length"] ?? 0) > 0 || request.headers["transfer-encoding"] !== undefined
    ? Effect.succeed(false)
    : Effect.map(Effect.orDie(request.text), (text) => text === "")

/** Runs an operation as what its caller does. */
const as = <A, E, R>(bearer: Bearer, operation: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Origin, (origin) => {
    const actor = { _tag: "Client", clientId: bearer.clientId } as const
    return operation.pipe(
      Effect.provideService(AuthenticatedClient, bearer),
      Effect.provideService(Origin, { ...origin, actor }),
      Effect.annotateLogs("company", bearer.companyId)
    )
  })

/**
 * HTTP Basic on `POST /token`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerClientCredentials: Layer.Layer<ClientCredentials, never, Tokens> = Layer.effect(
  ClientCredentials,
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const refusedSecret = yield* SecretPolicy
    return ClientCredentials.of({
      clientCredentials: Effect.fnUntraced(function* (httpEffect, { credential, group }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!isBasic(request.headers["authorization"])) {
          return yield* new Unauthorized({ message: "Send client id and client secret as HTTP Basic authentication" })
        }
        const received = Option.getOrElse(yield* ReceivedRequest, () => request)
        const problem = refusedSecret(credential.password, received)
        if (problem !== undefined) return yield* new Forbidden({ message: problem })
        const company = yield* tokens
          .identify(credential.username, credential.password, request.remoteAddress)
          .pipe(Effect.catchTag("TooManyFailedLogins", ofGuesses), Effect.catchTags(noted), storeFailures)
        yield* note({ companyId: company.companyId })
        if (yield* isEmpty(request)) {
          yield* note({ faultyFields: ["Token.grant_type"] })
          return yield* new BadRequest({
            message: "The request is invalid",
            details: { "Token.grant_type": ["is required: client_credentials"] }
          })
        }
        return yield* as(company, withBody(httpEffect, entityOf(group)))
      })
    })
  })
)

const checkScope = (bearer: Bearer, endpoint: HttpApiEndpoint.Top) => {
  const required = Context.getOption(endpoint.annotations, RequiredScope)
  return Option.isNone(required) || bearer.scopes.includes(required.value)
    ? Effect.void
    : Effect.fail(new Forbidden({ message: `The token lacks the scope ${required.value}` }))
}

/**
 * Bearer tokens everywhere else, with the scope that the operation requires.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerBearerToken: Layer.Layer<BearerToken, never, Tokens> = Layer.effect(
  BearerToken,
  Effect.gen(function* () {
    const tokens = yield* Tokens
    return BearerToken.of({
      bearerToken: Effect.fnUntraced(function* (httpEffect, { credential, endpoint, group }) {
        const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        if (!isBearer(headers["authorization"])) {
          return yield* new Unauthorized({
            message: "Send Authorization: Bearer ACCESS_TOKEN, with the access_token that POST /token returns"
          })
        }
        const bearer = yield* tokens
          .authenticate(Redacted.value(credential), remoteAddress)
          .pipe(Effect.catchTags(noted), storeFailures)
        yield* note({ companyId: bearer.companyId })
        yield* checkScope(bearer, endpoint)
        return yield* as(bearer, withBody(httpEffect, entityOf(group)))
      })
    })
  })
)
