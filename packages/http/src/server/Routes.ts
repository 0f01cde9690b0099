/**
 * Every route of the service: the contract under `/v2`, `/openapi.json`, `/docs`, `/health` and routes that a
 * composition adds.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import * as Docs from "../docs/Docs.ts"
import { type OtherAddresses, unrouted } from "./KnownPaths.ts"
import { nullFieldsOf } from "@parcela/core/json/ResponseSerializer"
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import { Settings } from "@parcela/engine/Settings"
import { Contract } from "@parcela/transport/Contract"
import { BearerToken, ClientCredentials } from "@parcela/transport/Security"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Authentication from "../Authentication.ts"
import * as ContractRoutes from "../ContractRoutes.ts"
import { DocumentsWithLetters, StrictRequests } from "../SchemaVariants.ts"
import * as Company from "../operations/Company.ts"
import * as Customers from "../operations/Customers.ts"
import * as Payments from "../operations/Payments.ts"
import * as Subscriptions from "../operations/Subscriptions.ts"
import { NotFound } from "@parcela/transport/ApiError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { toResponse } from "../ErrorResponse.ts"

/** The routes under `/v2`. */
const operations = HttpRouter.use(() =>
  Effect.gen(function* () {
    const operations = {
      ...(yield* Company.tokens),
      ...(yield* Subscriptions.subscriptions),
      ...(yield* Payments.transactions),
      ...(yield* Customers.customers),
      ...(yield* Customers.cards),
      ...(yield* Subscriptions.plans),
      ...(yield* Payments.charges),
      ...(yield* Company.cardBrands),
      ...(yield* Company.paymentMethods),
      ...(yield* Company.webhooks)
    }
    const { naming } = yield* Settings
    const isOwnName = naming.name === svcPay.name
    const { newMyId } = yield* Secrets
    yield* ContractRoutes.add(Contract, operations, {
      authentication: [
        [ClientCredentials, yield* Authentication.clientCredentials],
        [BearerToken, yield* Authentication.bearerToken]
      ],
      isTolerant: !(yield* StrictRequests),
      mayHaveLetters: yield* DocumentsWithLetters,
      nulls: nullFieldsOf(naming),
      // Some clients of other naming profiles send no `myId`.
      ...(isOwnName ? {} : { newMyId, isOtherNaming: true })
    })
  })
)

const lost = new NotFound({
  message: "The operations are under /v2; /docs describes them for people and /openapi.json for programs"
})

/** Leads a browser to the reference, and tells programs the address of the operations. */
const root = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  HttpServerResponse.setHeader(
    headers["accept"]?.includes("text/html") === true ? HttpServerResponse.redirect("/docs") : toResponse(lost),
    "vary",
    "accept"
  )
)

/** Browsers request the icon with each page. Without this route each visit would log a 404. */
const icon = HttpServerResponse.empty({ status: 204, headers: { "cache-control": "max-age=86400" } })

const browser = Layer.mergeAll(HttpRouter.add("GET", "/", root), HttpRouter.add("GET", "/favicon.ico", icon))

const health = HttpRouter.add("GET", "/health", HttpServerResponse.jsonUnsafe({ status: "ok" }))

const own = Layer.mergeAll(operations, Docs.layer, health, browser)

/**
 * Returns the argument of `Server.serve`: these routes, additional routes, and the response to unknown paths.
 * `addresses` lists paths and methods of the additional routes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const served = <A, R>(others: Layer.Layer<A, never, R>, addresses: ReadonlyArray<OtherAddresses> = []) => ({
  routes: Layer.merge(own, others),
  unrouted: unrouted(addresses)
})
