/**
 * The administration of a service as a contract of its own, separate from the billing interface. An operator changes
 * entities of a company with the operator token instead of the company's credentials. A sandbox serves the same groups
 * with its controls.
 *
 * @since 0.1.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { ClosedBody, documented, FaultEntity } from "../contract/Operation.ts"
import { FaultsAsErrorNode } from "../Security.ts"
import { ChargeStatus } from "@parcela/core/charges/ChargeState"
import { SubscriptionStatus } from "@parcela/core/subscriptions/SubscriptionState"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { described } from "@parcela/core/values/Fields"
import { MyId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { company, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"

const named = (entity: string) =>
  Schema.Struct({ myId: described(MyId, `Identifier of the ${entity} in the client system.`) })

const ofSubscription = {
  params: ofCompany,
  payload: named("subscription"),
  success: Schema.Struct({ status: described(SubscriptionStatus, "Status of the subscription.") }),
  error: errorsWithBody
}

/**
 * @category groups
 * @since 0.1.0
 */
export class SubscriptionLifecycleGroup extends HttpApiGroup.make("subscriptions")
  .add(
    HttpApiEndpoint.post("stop", `${company}/subscriptions/stop`, ofSubscription).annotateMerge(
      documented({
        operationId: "stopSubscription",
        summary: "Stop a subscription",
        description:
          "Stops a subscription: the service sends no payment of it and creates no instalment until it is " +
          "reactivated. A stopped subscription does not change. A 400 means that its status does not allow a " +
          "stop; a 404, that the company or the subscription does not exist.",
        examples: { request: { myId: "example-stopped" }, response: { status: "stopped" } }
      })
    ),
    HttpApiEndpoint.post("reactivate", `${company}/subscriptions/reactivate`, ofSubscription).annotateMerge(
      documented({
        operationId: "reactivateSubscription",
        summary: "Reactivate a subscription",
        description:
          "Reactivates a subscription: the service sends its payments that are due. A subscription without end " +
          "skips the instalments that would have been due while it was stopped. A subscription without a card " +
          "waits for its card again. An active or waiting subscription does not change. A 400 means that it is " +
          "canceled or closed; a 404, that the company or the subscription does not exist.",
        examples: { request: { myId: "example-reactivated" }, response: { status: "active" } }
      })
    ),
    HttpApiEndpoint.post("deactivate", `${company}/subscriptions/deactivate`, ofSubscription).annotateMerge(
      documented({
        operationId: "deactivateSubscription",
        summary: "Deactivate a subscription that waits for its card",
        description:
          "Deactivates a subscription whose card was never sent: it creates nothing until it is reactivated. An " +
          "inactive subscription does not change. A 400 means that it does not wait for a card; a 404, that the " +
          "company or the subscription does not exist.",
        examples: { request: { myId: "example-deactivated" }, response: { status: "inactive" } }
      })
    )
  )
  .annotate(FaultEntity, "Subscription")
  .annotateMerge(
    OpenApi.annotations({
      title: "Subscriptions",
      description: "Stop, deactivate and reactivate subscriptions."
    })
  ) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class TransactionLifecycleGroup extends HttpApiGroup.make("transactions")
  .add(
    HttpApiEndpoint.post("waive", `${company}/transactions/waive`, {
      params: ofCompany,
      payload: named("transaction"),
      success: Schema.Struct({ status: described(TransactionStatus, "Status of the transaction.") }),
      error: [...errorsWithBody, wire.GatewayTimeout]
    }).annotateMerge(
      documented({
        operationId: "waiveTransaction",
        summary: "Waive a payment",
        description:
          "Waives a payment: it becomes free, and its charge is closed. A boleto or a Pix is first withdrawn at " +
          "its bank or provider. A waived payment does not change. A 400 means that the payment is neither open " +
          "nor denied, or that its provider refuses; a 404, that the company or the transaction does not exist; " +
          "a 504, that the outcome is unknown: repeat the request to get it.",
        examples: { request: { myId: "example-waived" }, response: { status: "free" } }
      })
    )
  )
  .annotate(FaultEntity, "Transaction")
  .annotateMerge(OpenApi.annotations({ title: "Transactions", description: "Waive a payment." })) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class ChargeLifecycleGroup extends HttpApiGroup.make("charges")
  .add(
    HttpApiEndpoint.post("deactivate", `${company}/charges/deactivate`, {
      params: ofCompany,
      payload: named("charge"),
      success: Schema.Struct({ status: described(ChargeStatus, "Status of the charge.") }),
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "deactivateCharge",
        summary: "Deactivate a charge that waits for its card",
        description:
          "Deactivates a charge whose card was never sent: nothing is charged until an edit of its payment " +
          "sends the card. An inactive charge does not change. A 400 means that it does not wait for a card; a " +
          "404, that the company or the charge does not exist.",
        examples: { request: { myId: "example-deactivated" }, response: { status: "inactive" } }
      })
    )
  )
  .annotate(FaultEntity, "Charge")
  .annotateMerge(
    OpenApi.annotations({ title: "Charges", description: "Deactivate a charge that waits for its card." })
  ) {}

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
      summary: "Operations for the operator of a Parcela service, on the entities of a company.",
      description:
        "For the operator of the service. If an operator token is set (PARCELA_OPERATOR_TOKEN), every request " +
        "needs it as Authorization: Bearer and may come from any address; without a token only programs on " +
        "the server's own machine have access. Credentials of a company give no access. An Idempotency-Key is " +
        "refused with a 400: every operation can be repeated as it is, and a repeat changes nothing. Every " +
        "failing response has an error node; error.details lists every problem.",
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
