/**
 * The three payment methods, and the settings of boleto and Pix: interface sections 2.1, 2.9 and 2.10, and further fields
 * from public use. Fields that are not in the interface have the limits of similar fields.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Fields.ts"
import { string, int } from "../values/Text.ts"

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

/**
 * A payment method, as `GET /payment-methods` lists it (public use; one public client reads only `id`). `name` is inferred.
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

/** `Aggrement` is the spelling of the interface family. */
const Aggrement = Schema.Struct({
  name: described(Schema.optionalKey(string(255)), "Name of the agreement."),
  document: described(Schema.optionalKey(string(14)), "Tax number of the agreement, digits only.")
}).annotate({ identifier: "Aggrement", description: "The agreement under which a boleto is made out." })

/**
 * The unit of a share or a discount: a percentage of the value, or an amount.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PercentOrFixed = Schema.Literals(["percent", "fixed"])

/**
 * @category models
 * @since 0.1.0
 */
export type PercentOrFixed = typeof PercentOrFixed.Type

/**
 * A discount until `qtdDaysBeforePayDay` days before the due date. `value` is in hundredths of a percent (`percent`:
 * 250 is 2.50 %) or in cents (`fixed`).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Discount = Schema.Struct({
  qtdDaysBeforePayDay: described(int(11), "Number of days before the due date until which the discount applies."),
  type: described(PercentOrFixed, "Unit of value: a percentage of the price, or an amount."),
  value: described(int(11), "Hundredths of a percent (250 is 2.50 %), or cents, depending on type.")
}).annotate({ identifier: "Discount", description: "Discount for early payment." })

/**
 * @category models
 * @since 0.1.0
 */
export type Discount = typeof Discount.Type

/**
 * Boleto settings. `fine` and `interest` are hundredths of a percent: 200 is 2.00 %.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethodBoleto = Schema.Struct({
  fine: described(Schema.optionalKey(int(11)), "Fine for late payment, in hundredths of a percent: 200 is 2.00 %."),
  interest: described(Schema.optionalKey(int(11)), "Interest a month, in hundredths of a percent: 100 is 1.00 %."),
  instructions: described(Schema.optionalKey(string(255)), "Instructions printed on the boleto."),
  deadlineDays: described(
    Schema.optionalKey(int(11)),
    "Number of days after the due date during which the boleto can be paid."
  ),
  documentNumber: described(
    Schema.optionalKey(string(255)),
    "The company's own number of the document; it is printed on the boleto."
  ),
  Aggrement: described(Schema.optionalKey(Aggrement), "The agreement under which it is made out."),
  Discount: described(Schema.optionalKey(Discount), "Discount for early payment.")
}).annotate({ identifier: "PaymentMethodBoleto", description: "Settings of boletos." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodBoleto = typeof PaymentMethodBoleto.Type

/**
 * The time during which a Pix code can be paid. The interface lists only `days`, but describes the value as "days or
 * minutes".
 *
 * @category schemas
 * @since 0.1.0
 */
export const Deadline = Schema.Struct({
  type: described(Schema.Literals(["days", "minutes"]), "Unit of the value."),
  value: described(int(11), "Length, in the unit that type names.")
}).annotate({ identifier: "Deadline", description: "Time in which a Pix code can be paid." })

/**
 * @category models
 * @since 0.1.0
 */
export type Deadline = typeof Deadline.Type

/**
 * Pix settings. `fine` and `interest` are hundredths of a percent: 200 is 2.00 % (interface section 2.10).
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethodPix = Schema.Struct({
  fine: described(
    Schema.optionalKey(int(11)),
    "Fine for late payment, in hundredths of a percent: 200 is 2.00 %. Defaults to the system's."
  ),
  interest: described(
    Schema.optionalKey(int(11)),
    "Interest per month, in hundredths of a percent: 100 is 1.00 %. Defaults to the system's."
  ),
  instructions: described(
    Schema.optionalKey(string(255)),
    "Text shown in the details of the QR code. Defaults to the platform's."
  ),
  Deadline: described(Schema.optionalKey(Deadline), "Time in which the code can be paid. Defaults to the system's."),
  Discount: described(Schema.optionalKey(Discount), "Discount for early payment.")
}).annotate({ identifier: "PaymentMethodPix", description: "Settings of Pix codes." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodPix = typeof PaymentMethodPix.Type
