/**
 * The administration of a service as a contract of its own, separate from the billing interface. An operator changes
 * entities of a company with the operator token instead of the company's credentials.
 *
 * @since 0.1.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { ClosedBody } from "../contract/Operation.ts"
import { FaultsAsErrorNode } from "../Security.ts"
import { ChargeLifecycleGroup, SubscriptionLifecycleGroup, TransactionLifecycleGroup } from "./LifecycleOperations.ts"

/**
 * Allows a request with the operator token or, if no token is set, from the server's own machine.
 *
 * @category middleware
 * @since 0.1.0
 */
export class AdministrationAccess extends HttpApiMiddleware.Service<AdministrationAccess>()(
  "@parcela/transport/AdministrationAccess",
  { error: [wire.BadRequest, wire.Unauthorized, wire.Forbidden, wire.TooManyRequests] }
) {}

/**
 * The operations under a base URL that includes `/admin`. Clients are derived from this value.
 *
 * @category apis
 * @since 0.1.0
 */
export const AdministrationOperations = HttpApi.make("administration")
  .add(SubscriptionLifecycleGroup, TransactionLifecycleGroup, ChargeLifecycleGroup)
  .middleware(FaultsAsErrorNode)
  .middleware(AdministrationAccess)
  .annotate(ClosedBody, true)
  .annotateMerge(
    OpenApi.annotations({
      title: "Parcela administration",
      version: "1",
      summary: "Operations with which the operator of a Parcela service changes the entities of a company.",
      description:
        "For the operator of the service. Where an operator token is set (PARCELA_OPERATOR_TOKEN), every request needs it as " +
        "Authorization: Bearer, and may come from anywhere; without one only programs on the server's own machine are let " +
        "in. No company's credentials open it. No operation takes an Idempotency-Key, which is a 400: each may be sent again " +
        "as it is, and changes nothing that is so already. Every failing response carries an error node; error.details lists every problem.",
      license: { name: "MIT", identifier: "MIT" }
    })
  )

/**
 * The operations under `/admin`, for servers.
 *
 * @category apis
 * @since 0.1.0
 */
export const AdministrationContract = AdministrationOperations.prefix("/admin")
