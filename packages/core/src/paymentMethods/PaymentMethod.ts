/**
 * The payment methods that `GET /payment-methods` lists. Source: public use; one public client reads only `id`. `name`
 * is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { PaymentMethodId } from "./PaymentMethodId.ts"
import { string } from "../values/Text.ts"

/**
 * A payment method.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethod = Schema.Struct({
  id: described(PaymentMethodId, "Identifier of the payment method, as requests name it."),
  name: described(string(255), "Name of the payment method.")
}).annotate({ identifier: "PaymentMethod", description: "A way to pay." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethod = typeof PaymentMethod.Type

const names = { creditcard: "Credit card", boleto: "Boleto", pix: "Pix" } as const satisfies {
  readonly [Id in PaymentMethodId]: string
}

/**
 * All payment methods.
 *
 * @category tables
 * @since 0.1.0
 */
export const paymentMethods: ReadonlyArray<PaymentMethod> = PaymentMethodId.literals.map((id) => ({
  id,
  name: names[id]
}))
