/**
 * Who is asking: checks credentials, tokens and scopes for the contract's operations (interface section 5).
 *
 * @since 0.1.0
 */
import type { NotAllowed, NotAuthenticated } from "@parcela/engine/AccessDenied"
import { type Bearer, Tokens } from "@parcela/engine/Tokens"
import { Forbidden, Unauthorized } from "@parcela/transport/ApiError"
import { Caller } from "@parcela/transport/Caller"
import { BearerToken, ClientCredentials, RequiredScope } from "@parcela/transport/Security"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { withLabelledBody } from "./RequestBody.ts"

const said = {
  NotAuthenticated: ({ message }: NotAuthenticated) => Effect.fail(new Unauthorized({ message })),
  NotAllowed: ({ message }: NotAllowed) => Effect.fail(new Forbidden({ message })),
  // The store failed, and nothing about the caller is to blame: a fault of our own.
  StoreError: Effect.die
}

/** Whether there are credentials at all: the scheme's name is in any case (RFC 9110, section 11.1). */
const isBasic = (authorization: string | undefined): boolean => /^basic +\S/i.test(authorization ?? "")

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
    return ClientCredentials.of({
      clientCredentials: Effect.fnUntraced(function* (httpEffect, { credential }) {
        const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        if (!isBasic(headers["authorization"])) {
          return yield* new Unauthorized({ message: "Send client id and client secret as HTTP Basic authentication" })
        }
        const company = yield* tokens
          .identify(credential.username, credential.password, remoteAddress)
          .pipe(Effect.catchTags(said))
        return yield* Effect.provideService(withLabelledBody(httpEffect), Caller, company)
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
      bearerToken: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
        const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        const bearer = yield* tokens
          .authenticate(Redacted.make(Redacted.value(credential)), remoteAddress)
          .pipe(Effect.catchTags(said))
        yield* checkScope(bearer, endpoint)
        return yield* Effect.provideService(withLabelledBody(httpEffect), Caller, bearer)
      })
    })
  })
)
