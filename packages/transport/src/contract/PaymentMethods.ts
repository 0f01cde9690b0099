/**
 * The payment methods that the service accepts.
 *
 * @since 0.1.0
 */
import { PaymentMethod, paymentMethods } from "@parcela/core/paymentMethods/PaymentMethod"
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { BearerToken } from "../Security.ts"
import { FaultEntity, read } from "./Operation.ts"

/** All payment methods in one response; the list has no pages. Source: public use. */
const PaymentMethodListResponse = Schema.Struct({
  PaymentMethods: described(Schema.Array(PaymentMethod), "Every payment method.")
}).annotate({
  identifier: "PaymentMethodListResponse",
  description: "The payment methods of subscriptions, charges and plan prices."
})

/**
 * @category groups
 * @since 0.1.0
 */
export class PaymentMethodsGroup extends HttpApiGroup.make("paymentMethods")
  .add(
    read("list", "/payment-methods", {
      operationId: "listPaymentMethods",
      scope: "payment-methods.read",
      summary: "List payment methods",
      description: "The payment methods of subscriptions, charges and plan prices.",
      success: PaymentMethodListResponse,
      examples: { response: { PaymentMethods: paymentMethods } }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "PaymentMethod")
  .annotateMerge(OpenApi.annotations({ title: "Payment methods", description: "Payment methods." })) {}
