/**
 * Controls of subscriptions: what an operator does in other services of the family, which have no operation for it.
 *
 * @since 0.1.0
 */
import { SubscriptionStatus } from "@parcela/core/subscriptions/SubscriptionStatus"
import { described } from "@parcela/core/values/Described"
import { MyId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errorsWithBody, ofCompany } from "./Control.ts"

const ofOne = {
  params: ofCompany,
  payload: Schema.Struct({ myId: described(MyId, "Identifier of the subscription in the client system.") }),
  success: Schema.Struct({ status: described(SubscriptionStatus, "Status of the subscription.") }),
  error: errorsWithBody
}

/**
 * @category groups
 * @since 0.1.0
 */
export class SubscriptionControlsGroup extends HttpApiGroup.make("subscriptions")
  .add(
    HttpApiEndpoint.post("stop", `${company}/subscriptions/stop`, ofOne).annotateMerge(
      documented({
        operationId: "stopSubscription",
        summary: "Stop a subscription",
        description:
          "Nothing of it is sent and no instalment is made until it is reactivated. A 400 means that it cannot " +
          "be stopped as it is; a 404, that there is no such company or subscription.",
        examples: { request: { myId: "example-monthly" }, response: { status: "stopped" } }
      })
    ),
    HttpApiEndpoint.post("reactivate", `${company}/subscriptions/reactivate`, ofOne).annotateMerge(
      documented({
        operationId: "reactivateSubscription",
        summary: "Reactivate a subscription",
        description:
          "What had been made and is due is sent. One without end leaves out the instalments that would " +
          "have been due meanwhile. A 400 means that it is not stopped; a 404, that there is no such company or subscription.",
        examples: { request: { myId: "example-monthly" }, response: { status: "active" } }
      })
    )
  )
  .annotate(FaultEntity, "Subscription")
  .annotateMerge(
    OpenApi.annotations({ title: "Subscriptions", description: "Stop a subscription, and reactivate it." })
  ) {}
