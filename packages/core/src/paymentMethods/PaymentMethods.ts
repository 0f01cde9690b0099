/**
 * Boleto and Pix settings of a subscription or a charge: interface sections 2.9 and 2.10, and further fields from
 * public use. Fields that are not in the interface have the limits of similar fields.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Discount } from "../money/Discount.ts"
import { described } from "../values/Described.ts"
import { int, string } from "../values/Text.ts"

/** `Aggrement` is the spelling of the interface family. */
const Aggrement = Schema.Struct({
  name: described(Schema.optionalKey(string(255)), "Name of the agreement."),
  document: described(Schema.optionalKey(string(14)), "Tax number of the agreement, digits only.")
}).annotate({ identifier: "Aggrement", description: "The agreement under which a boleto is made out." })

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
  Discount: described(Schema.optionalKey(Discount), "Less to pay for who pays early.")
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
    "Fine for late payment, in hundredths of a percent: 200 is 2.00 %. The system's when omitted."
  ),
  interest: described(
    Schema.optionalKey(int(11)),
    "Interest a month, in hundredths of a percent: 100 is 1.00 %. The system's when omitted."
  ),
  instructions: described(
    Schema.optionalKey(string(255)),
    "Text shown in the details of the QR code. The platform's when omitted."
  ),
  Deadline: described(Schema.optionalKey(Deadline), "Time in which the code can be paid. Defaults to the system's."),
  Discount: described(Schema.optionalKey(Discount), "Less to pay for who pays early.")
}).annotate({ identifier: "PaymentMethodPix", description: "Settings of Pix codes." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodPix = typeof PaymentMethodPix.Type
