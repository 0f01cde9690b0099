/**
 * The payment method of a payment (interface section 2.1, `mainPaymentMethodId`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * `creditcard`, `boleto` or `pix` (interface section 2.1).
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethodId = Schema.Literals(["creditcard", "boleto", "pix"]).annotate({
  identifier: "PaymentMethodId",
  description: "Method of a payment."
})

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodId = typeof PaymentMethodId.Type
