/**
 * The sandbox's own controls, under `/sandbox` and never under `/v2`. They hand out secrets, so only this machine may
 * use them; a production composition does not mount them.
 *
 * @since 0.1.0
 */
import { Scope } from "@parcela/core/companies/Scope"
import { nonEmptyString } from "@parcela/core/values/Text"
import { toResponse } from "@parcela/http/Edge"
import { BadRequest, NotFound } from "@parcela/transport/ApiError"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as NetAddress from "effect/net/NetAddress"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { bodyAs } from "./ControlBody.ts"
import { notAllowed, methodsBut, onlyFromHere } from "./LocalRoutes.ts"
import { type Keys, SandboxCompanies } from "./SandboxCompanies.ts"

const isAddress = (text: string): boolean => Result.isSuccess(NetAddress.ipFromString(text))

/** As a connection's address is written: an IPv4 address within an IPv6 one is that IPv4 address. */
const canonicalAddress = (text: string): string =>
  Result.match(NetAddress.ipFromString(text), {
    onFailure: () => text,
    onSuccess: (address) => NetAddress.formatIp(address).replace(/^::ffff:(?=\d+\.)/, "")
  })

/** One of the addresses that a company's requests may come from. */
const AllowedAddress = Schema.String.check(
  Schema.makeFilter(isAddress, {
    expected: "an IPv4 or IPv6 address without a port; ranges such as 10.0.0.0/8 are not supported"
  })
).pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: canonicalAddress, encode: (text) => text }))
)

/** What may be said about a new company; what is left out is made up. */
const NewCompany = Schema.Struct({
  name: Schema.optionalKey(nonEmptyString(255)),
  // HTTP Basic ends a user name at the first colon (RFC 7617, section 2).
  clientId: Schema.optionalKey(
    nonEmptyString(255).check(Schema.isPattern(/^[^:]*$/u, { expected: "text without a colon" }))
  ),
  clientSecret: Schema.optionalKey(nonEmptyString(255)),
  scopes: Schema.optionalKey(Schema.Array(Scope).check(Schema.isMaxLength(100, { expected: "at most 100 scopes" }))),
  allowedAddresses: Schema.optionalKey(
    Schema.Array(AllowedAddress).check(Schema.isMaxLength(100, { expected: "at most 100 addresses" }))
  )
})

const newCompany = bodyAs("Company", NewCompany)

const shown = (keys: Keys, clientSecret?: string) =>
  HttpServerResponse.jsonUnsafe({
    companyId: keys.companyId,
    clientId: keys.clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    confirmHash: Redacted.value(keys.confirmHash),
    webhookSecret: Redacted.value(keys.webhookSecret)
  })

/**
 * `POST /sandbox/companies` makes a company in one call; `GET /sandbox/companies/{clientId}` shows its webhook keys.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const companies = yield* SandboxCompanies
    const random = yield* SecureRandom.SecureRandom

    const create = Effect.gen(function* () {
      const asked = yield* newCompany
      const clientId = asked.clientId ?? `company-${Base64Url.encode(yield* random.randomBytes(9))}`
      const clientSecret = asked.clientSecret ?? Base64Url.encode(yield* random.randomBytes(24))
      const keys = yield* companies.create({
        name: asked.name ?? clientId,
        clientId,
        clientSecret: Redacted.make(clientSecret),
        scopes: asked.scopes,
        allowedAddresses: asked.allowedAddresses
      })
      return shown(keys, clientSecret)
    }).pipe(
      Effect.catchTags({
        BadRequest: (refusal) => Effect.succeed(toResponse(refusal)),
        ClientIdTaken: ({ message }) =>
          Effect.succeed(
            toResponse(
              new BadRequest({ message: "The request has a fault", details: { "Company.clientId": [message] } })
            )
          )
      })
    )

    const find = Effect.gen(function* () {
      const { clientId } = yield* HttpRouter.params
      const keys = yield* companies.find(clientId ?? "")
      return Option.match(keys, {
        onNone: () => toResponse(new NotFound({ message: "No company has that client id" })),
        onSome: (found) => shown(found)
      })
    })

    yield* router.add("POST", "/sandbox/companies", onlyFromHere(create))
    yield* router.add("GET", "/sandbox/companies/:clientId", onlyFromHere(find))
    for (const method of methodsBut("POST")) yield* router.add(method, "/sandbox/companies", notAllowed("POST"))
    for (const method of methodsBut("GET")) {
      yield* router.add(method, "/sandbox/companies/:clientId", notAllowed("GET"))
    }
  })
).pipe(Layer.provide(SandboxCompanies.layer))
