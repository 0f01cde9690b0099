/**
 * The clients of the simulated API Pix and their access tokens.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Redacted from "effect/Redacted"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { problem, type PixResponse } from "./Responses.ts"

/**
 * A client: one receiver with one Pix key.
 *
 * @category options
 * @since 0.1.0
 */
export interface SimulatedPixClient {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** The company of its requests in the ledger and in planned failures. */
  readonly companyId: CompanyId
  /** The receiver's Pix key (`chave`), of its charges and its webhook. */
  readonly key: string
  /** At most 25 characters without accents. */
  readonly merchantName: string
  /** At most 15 characters without accents. */
  readonly merchantCity: string
}

const TokenRequest = Schema.Struct({ grant_type: Schema.Literal("client_credentials") })
const isTokenRequest = Schema.is(TokenRequest)
const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(TokenRequest))

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeTokens = Effect.fnUntraced(function* (
  clients: ReadonlyArray<SimulatedPixClient>,
  lifetime: Duration.Duration
) {
  const random = yield* SecureRandom.SecureRandom
  const issued = new Map<string, { readonly client: SimulatedPixClient; readonly expiresAt: number }>()

  /** `POST /oauth/token` with a form or JSON. */
  const login = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, body: string) {
    const client = clientOf(clients, request.headers["authorization"])
    if (client === undefined) return notLoggedIn
    const isForm = isTokenRequest(Object.fromEntries(new URLSearchParams(body)))
    if (!isForm && Option.isNone(decodeJson(body))) {
      return { status: 400, body: { error: "unsupported_grant_type" } } satisfies PixResponse
    }
    const token = Hex.encode(yield* random.randomBytes(32))
    issued.set(token, { client, expiresAt: (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime) })
    return {
      status: 200,
      body: { access_token: token, token_type: "Bearer", expires_in: Duration.toSeconds(lifetime) }
    } satisfies PixResponse
  })

  /** Returns the client of a request's token, or undefined if there is no valid token. */
  const clientWith = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
    const token = /^bearer +(\S+)$/iu.exec(headers["authorization"] ?? "")?.[1]
    const found = token === undefined ? undefined : issued.get(token)
    if (token === undefined || found === undefined) return undefined
    if (found.expiresAt > (yield* Clock.currentTimeMillis)) return found.client
    issued.delete(token)
    return undefined
  })

  return { login, clientWith }
})

const notLoggedIn: PixResponse = { status: 401, body: { error: "invalid_client" } }

/**
 * @category constants
 * @since 0.1.0
 */
export const notAuthenticated = problem(401, "AcessoNegado", "O token falta, expirou ou não é deste servidor")

const clientOf = (clients: ReadonlyArray<SimulatedPixClient>, authorization = "") => {
  const encoded = /^basic +(\S+)$/iu.exec(authorization)?.[1] ?? ""
  const credentials = Result.getOrElse(Base64.decodeString(encoded), () => "")
  return clients.find(({ clientId, clientSecret }) => credentials === `${clientId}:${Redacted.value(clientSecret)}`)
}
