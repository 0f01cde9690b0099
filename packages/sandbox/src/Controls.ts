/**
 * The sandbox's own controls, under `/sandbox` and never under `/v2`. They hand out secrets, so only this machine may
 * use them; a production composition does not mount them.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/Faults"
import { Scope } from "@parcela/core/Scope"
import { nonEmptyString } from "@parcela/core/Text"
import { toResponse } from "@parcela/server/Edge"
import { BadRequest, Forbidden, MethodNotAllowed, NotFound } from "@parcela/transport/ApiError"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type * as Headers from "effect/http/Headers"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type Keys, SandboxCompanies } from "./SandboxCompanies.ts"

/** What may be said about a new company; what is left out is made up. */
const NewCompany = Schema.Struct({
  name: Schema.optionalKey(nonEmptyString(255)),
  // HTTP Basic ends a user name at the first colon (RFC 7617, section 2).
  clientId: Schema.optionalKey(
    nonEmptyString(255).check(Schema.isPattern(/^[^:]*$/u, { expected: "text without a colon" }))
  ),
  clientSecret: Schema.optionalKey(nonEmptyString(255)),
  scopes: Schema.optionalKey(Schema.Array(Scope)),
  allowedAddresses: Schema.optionalKey(Schema.Array(Schema.String))
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(NewCompany), {
  errors: "all",
  onExcessProperty: "error"
})

const isLoopback = (address: string): boolean => /^(::1$|127\.|::ffff:127\.)/.test(address)

const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)

/**
 * A page in a browser on this machine comes from this machine too. One of another origin says so in `Origin` or
 * `Sec-Fetch-Site`; one whose name was pointed at this machine (DNS rebinding) has that name in `Host`.
 */
const isForeignPage = ({ host = "", origin, "sec-fetch-site": site = "none" }: Headers.Headers): boolean =>
  !isLoopbackHost(host) ||
  (origin !== undefined && origin !== `http://${host}`) ||
  (site !== "none" && site !== "same-origin")

const onlyFromHere = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, remoteAddress }) =>
    Option.exists(remoteAddress, isLoopback) && !isForeignPage(headers)
      ? handler
      : Effect.succeed(toResponse(new Forbidden({ message: "The sandbox's controls answer only on this machine" })))
  )

const notAllowed = (method: string) =>
  HttpServerResponse.setHeader(
    toResponse(new MethodNotAllowed({ message: `This address takes only ${method}` })),
    "allow",
    method
  )

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
      const request = yield* HttpServerRequest.HttpServerRequest
      const text = yield* request.text
      const asked = yield* decode(text === "" ? "{}" : text)
      const clientId = asked.clientId ?? `company-${Base64Url.encode(yield* random.randomBytes(9))}`
      const clientSecret = asked.clientSecret ?? Base64Url.encode(yield* random.randomBytes(24))
      if (Option.isSome(yield* companies.find(clientId))) {
        return toResponse(
          new BadRequest({
            message: "The request has a fault",
            details: { "Company.clientId": [`"${clientId}" is in use already`] }
          })
        )
      }
      const keys = yield* companies.ensure({
        name: asked.name ?? clientId,
        clientId,
        clientSecret: Redacted.make(clientSecret),
        scopes: asked.scopes,
        allowedAddresses: asked.allowedAddresses
      })
      return shown(keys, clientSecret)
    }).pipe(
      Effect.catchTag("SchemaError", ({ issue }) =>
        Effect.succeed(
          toResponse(new BadRequest({ message: "The request has faults", details: detailsOf(issue, "Company") }))
        )
      )
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
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      if (method !== "POST") yield* router.add(method, "/sandbox/companies", notAllowed("POST"))
      if (method !== "GET") yield* router.add(method, "/sandbox/companies/:clientId", notAllowed("GET"))
    }
  })
).pipe(Layer.provide(SandboxCompanies.layer))
