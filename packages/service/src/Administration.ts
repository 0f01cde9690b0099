/**
 * The administration of a service: `AdministrationContract` over the engine, for the operator.
 *
 * @since 0.1.0
 */
import * as Docs from "@parcela/http/docs/Docs"
import * as Lifecycle from "@parcela/http/operations/Lifecycle"
import * as ContractRoutes from "@parcela/http/ContractRoutes"
import type { OtherAddresses } from "@parcela/http/server/KnownPaths"
import { BadRequest } from "@parcela/transport/ApiError"
import { AdministrationAccess, AdministrationContract } from "@parcela/transport/administration/AdministrationContract"
import { administrationOpenApi } from "@parcela/transport/administration/AdministrationOpenApi"
import { endpointsOf } from "@parcela/transport/Endpoints"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as OperatorAccess from "./OperatorAccess.ts"

const base = "/admin"
const href = "/docs/admin"

/**
 * The tab of the administration in the reference.
 *
 * @category constants
 * @since 0.1.0
 */
export const tab = { label: "Administration", href }

const access = (token: Redacted.Redacted | undefined) =>
  OperatorAccess.make({
    name: "operator",
    token,
    onlyFromHere:
      "The administration is for programs on this machine that call it directly, not through a proxy: for others set PARCELA_OPERATOR_TOKEN",
    missing: "Send Authorization: Bearer with the operator token of this service (PARCELA_OPERATOR_TOKEN)",
    wrong: "The operator token is not that of this service (PARCELA_OPERATOR_TOKEN)"
  })

/**
 * Refuses an `Idempotency-Key`. The operations are safe to repeat and store no keys, and ignoring the key would hide
 * this.
 */
const refuseKey: ContractRoutes.Guard = ({ headers }) =>
  headers["idempotency-key"] === undefined
    ? Effect.void
    : Effect.fail(
        new BadRequest({
          message: "The administration takes no Idempotency-Key: send the request without one, and again if need be",
          details: { "Request.Idempotency-Key": ["must not be sent"] }
        })
      )

const routes = (token: Redacted.Redacted | undefined) =>
  HttpRouter.use(() =>
    Effect.gen(function* () {
      const operations = {
        ...(yield* Lifecycle.subscriptions),
        ...(yield* Lifecycle.transactions),
        ...(yield* Lifecycle.charges)
      }
      const allowed = yield* access(token)
      yield* ContractRoutes.add(AdministrationContract, operations, {
        guards: [[AdministrationAccess, (request) => Effect.andThen(allowed(request), refuseKey(request))]],
        // A waived payment stays waived, so a misspelled key must be refused.
        isTolerant: false,
        isEncoded: true
      })
    })
  )

/**
 * The paths of the administration and of its page.
 *
 * @category constants
 * @since 0.1.0
 */
export const addresses: OtherAddresses = {
  base,
  page: href,
  endpoints: () => endpointsOf(AdministrationContract),
  readOnly: [`${base}/openapi.json`, href]
}

/**
 * The routes under `/admin`. With a token every request needs the token; without one only programs on this machine are
 * allowed.
 *
 * **Gotchas**
 *
 * Run `OperatorAccess.check` on the token before building the server. With a token that it refuses, building the routes is
 * a defect.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (token: Redacted.Redacted | undefined) =>
  routes(token).pipe(
    Layer.merge(Docs.contractPage({ base, href, hasToken: token !== undefined, document: administrationOpenApi }))
  )
