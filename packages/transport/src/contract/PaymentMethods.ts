/**
 * The payment methods and the card brands that the service accepts.
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
import { Brand } from "@parcela/core/cards/Card"
import { cardBrands } from "@parcela/core/cards/CardBrand"

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

// A schema of its own: in a list clients need the brand's id, inside a card they do not.
const CardBrand = Brand.annotate({ identifier: "CardBrand", description: "A card brand that the service accepts." })

/** All brands in one response; the list has no pages. Source: public use. */
const CardBrandListResponse = Schema.Struct({
  CardBrands: described(Schema.Array(CardBrand), "Every card brand.")
}).annotate({
  identifier: "CardBrandListResponse",
  description:
    "The card brands that the service accepts, with the maximum number of installments and the operators of each."
})

/**
 * @category groups
 * @since 0.1.0
 */
export class CardBrandsGroup extends HttpApiGroup.make("cardBrands")
  .add(
    read("list", "/card-brands", {
      operationId: "listCardBrands",
      scope: "card-brands.read",
      summary: "List card brands",
      description:
        "The card brands that the service accepts, with the maximum number of installments and the operators " +
        "of each.",
      success: CardBrandListResponse,
      examples: { response: { CardBrands: Object.values(cardBrands) } }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "CardBrand")
  .annotateMerge(OpenApi.annotations({ title: "Card brands", description: "Cards that can be charged." })) {}
