/**
 * Payment settings in requests for cards, boletos and Pix. All operations share them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { CardInput } from "../cards/CardInput.ts"
import { described } from "../values/Described.ts"
import { wholeNumber } from "../values/Text.ts"
import { CardTerms } from "./CardTerms.ts"
import { Deadline, PaymentMethodBoleto, PaymentMethodPix } from "./PaymentMethods.ts"

/**
 * The node `PaymentMethodCreditCard` of a request.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethodCreditCardInput = Schema.Struct({
  Card: described(Schema.optionalKey(CardInput), "The card to charge."),
  ...CardTerms.fields
}).annotate({ identifier: "PaymentMethodCreditCardInput", description: "Settings of card payments." })

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodCreditCardInput = typeof PaymentMethodCreditCardInput.Type

/**
 * The card settings of a request without the card; undefined if the request has no settings.
 *
 * @category conversions
 * @since 0.1.0
 */
export const cardTermsOf = (input: PaymentMethodCreditCardInput | undefined): CardTerms | undefined => {
  const { Card: _, ...terms } = input ?? {}
  return Object.keys(terms).length === 0 ? undefined : terms
}

const DeadlineInput = Deadline.mapFields(
  Struct.assign({ value: described(wholeNumber(1, 99_999_999_999), "Length, in the unit that type names.") })
).annotate({
  identifier: "DeadlineInput",
  description: "Time in which a Pix code can be paid: at least one day or minute."
})

/**
 * Pix settings of a request. The deadline must be at least 1; stored settings may have a deadline of 0.
 */
const PaymentMethodPixInput = PaymentMethodPix.mapFields(
  Struct.assign({
    Deadline: described(
      Schema.optionalKey(DeadlineInput),
      "Time in which the code can be paid. Defaults to the system's."
    )
  })
).annotate({ identifier: "PaymentMethodPixInput", description: "Settings of Pix codes." })

/**
 * The three payment nodes of a request.
 *
 * @category fields
 * @since 0.1.0
 */
export const paymentMethodInputs = {
  PaymentMethodCreditCard: described(Schema.optionalKey(PaymentMethodCreditCardInput), "Settings of card payments."),
  PaymentMethodBoleto: described(Schema.optionalKey(PaymentMethodBoleto), "Settings of boletos."),
  PaymentMethodPix: described(Schema.optionalKey(PaymentMethodPixInput), "Settings of Pix codes.")
}
