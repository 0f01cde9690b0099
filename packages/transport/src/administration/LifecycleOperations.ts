/**
 * Operator operations on the entities of a company that the billing interface lacks. A sandbox serves them with its
 * controls, a service with its administration.
 *
 * @since 0.1.0
 */
import { ChargeStatus } from "@parcela/core/charges/ChargeState"
import { SubscriptionStatus } from "@parcela/core/subscriptions/SubscriptionState"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { described } from "@parcela/core/values/Fields"
import { MyId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errorsWithBody, ofCompany } from "../contract/CompanyPath.ts"

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
          "Nothing of it is sent and no instalment is made until it is reactivated. One that is stopped stays so. A 400 " +
          "means that it cannot be stopped as it is; a 404, that there is no such company or subscription.",
        examples: { request: { myId: "example-stopped" }, response: { status: "stopped" } }
      })
    ),
    HttpApiEndpoint.post("reactivate", `${company}/subscriptions/reactivate`, ofSubscription).annotateMerge(
      documented({
        operationId: "reactivateSubscription",
        summary: "Reactivate a subscription",
        description:
          "What had been made and is due is sent. One without end leaves out the instalments that would have been due " +
          "meanwhile; one that has no card yet waits for it again. One that is active, or waits for its card, stays so. A " +
          "400 means that it is over (canceled or closed); a 404, that there is no such company or subscription.",
        examples: { request: { myId: "example-reactivated" }, response: { status: "active" } }
      })
    ),
    HttpApiEndpoint.post("deactivate", `${company}/subscriptions/deactivate`, ofSubscription).annotateMerge(
      documented({
        operationId: "deactivateSubscription",
        summary: "Set aside a subscription that waits for its card",
        description:
          "The card did not come: nothing is made of it until it is reactivated. One that is set aside stays so. A 400 " +
          "means that it does not wait for a card; a 404, that there is no such company or subscription.",
        examples: { request: { myId: "example-deactivated" }, response: { status: "inactive" } }
      })
    )
  )
  .annotate(FaultEntity, "Subscription")
  .annotateMerge(
    OpenApi.annotations({
      title: "Subscriptions",
      description: "Stop a subscription, set one aside that waits for its card, and reactivate it."
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
          "Nothing is owed any more: it becomes free, and its charge is closed. A boleto or a Pix is withdrawn at its bank " +
          "or provider first. One that is waived stays so. A 400 means that it is not open or denied, or that its provider " +
          "refuses; a 404, that there is no such company or transaction; a 504, that the outcome is unknown: repeat the " +
          "request to get it.",
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
        summary: "Set aside a charge that waits for its card",
        description:
          "The card did not come: nothing is charged until it does, with an edit of its payment. One that is set aside " +
          "stays so. A 400 means that it does not wait for a card; a 404, that there is no such company or charge.",
        examples: { request: { myId: "example-deactivated" }, response: { status: "inactive" } }
      })
    )
  )
  .annotate(FaultEntity, "Charge")
  .annotateMerge(
    OpenApi.annotations({ title: "Charges", description: "Set a charge aside that waits for its card." })
  ) {}
