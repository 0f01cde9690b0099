/**
 * How a subscription asks for boletos and Pix payments (interface sections 2.9 and 2.10).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { described } from "../values/Described.ts"
import { int, string, wholeNumber } from "../values/Text.ts"

/**
 * `fine` and `interest` are percent times 100: 200 is 2.00 %.
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
  )
}).annotate({ identifier: "PaymentMethodBoleto", description: "How boletos are made out." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodBoleto = typeof PaymentMethodBoleto.Type

/**
 * How long a Pix code can be paid. The interface allows `days` and describes the value as "days or minutes".
 *
 * @category schemas
 * @since 0.1.0
 */
export const Deadline = Schema.Struct({
  type: described(Schema.Literals(["days", "minutes"]), "Unit of the value."),
  value: described(int(11), "How long, in the unit that type names.")
}).annotate({ identifier: "Deadline", description: "How long a Pix code can be paid." })

/**
 * @category models
 * @since 0.1.0
 */
export type Deadline = typeof Deadline.Type

/**
 * `fine` and `interest` are percent times 100: 200 is 2.00 % (interface section 2.10).
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
  Deadline: described(Schema.optionalKey(Deadline), "How long the code can be paid. The system's when omitted.")
}).annotate({ identifier: "PaymentMethodPix", description: "How Pix codes are made out." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodPix = typeof PaymentMethodPix.Type

const DeadlineInput = Deadline.mapFields(
  Struct.assign({ value: described(wholeNumber(1, 99_999_999_999), "How long, in the unit that type names.") })
).annotate({ identifier: "DeadlineInput", description: "How long a Pix code can be paid: at least one day or minute." })

/**
 * How a request asks for Pix payments: a code that lapses as it is made is refused. What was stored before may have one.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethodPixInput = PaymentMethodPix.mapFields(
  Struct.assign({
    Deadline: described(Schema.optionalKey(DeadlineInput), "How long the code can be paid. The system's when omitted.")
  })
).annotate({ identifier: "PaymentMethodPixInput", description: "How Pix codes are made out." })
