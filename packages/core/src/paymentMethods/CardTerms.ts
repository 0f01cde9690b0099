/**
 * Payment settings of a subscription or a charge that concern the card, and the payment settings of requests. Source:
 * public use. The limits are those of similar fields of the interface.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Fields.ts"
import { int, wholeNumber, string } from "../values/Text.ts"
import * as Struct from "effect/Struct"
import { CardInput } from "../cards/Card.ts"
import { Deadline, PaymentMethodBoleto, PaymentMethodPix } from "./PaymentMethod.ts"

/**
 * Limits of the payment link for a contract without a card: how many instalments the payer may choose.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardLink = Schema.Struct({
  minInstallment: described(Schema.optionalKey(int(11)), "Smallest number of instalments."),
  maxInstallment: described(Schema.optionalKey(int(11)), "Largest number of instalments.")
}).annotate({ identifier: "CardLink", description: "Choices that the payment link offers the payer." })

/**
 * @category models
 * @since 0.1.0
 */
export type CardLink = typeof CardLink.Type

/**
 * The identifiers of operators in `Brand.operatorIds`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOperatorId = Schema.Literals([
  "bin",
  "cielo",
  "getnet",
  "getnetNew",
  "globalpayments",
  "pagseguro",
  "rede",
  "zoop",
  "galaxpay",
  "adyen",
  "stone"
])

/**
 * @category models
 * @since 0.1.0
 */
export type CardOperatorId = typeof CardOperatorId.Type

const antifraudInput = {
  ip: described(Schema.optionalKey(string(255)), "Address of the buyer."),
  sessionId: described(Schema.optionalKey(string(255)), "Session of the shop.")
}

/**
 * Input of a fraud check: the buyer's IP address and the session of the shop. Limits are inferred.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AntifraudInput = Schema.Struct(antifraudInput).annotate({
  identifier: "AntifraudInput",
  description: "Input of a fraud check."
})

/**
 * @category models
 * @since 0.1.0
 */
export type AntifraudInput = typeof AntifraudInput.Type

/**
 * Settings of card payments: the node `PaymentMethodCreditCard` without its card.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardTerms = Schema.Struct({
  Link: described(
    Schema.optionalKey(CardLink),
    "Choices that the payment link offers the payer when there is no card."
  ),
  qtdInstallments: described(Schema.optionalKey(int(11)), "Number of instalments in which the cardholder pays."),
  preAuthorize: described(Schema.optionalKey(Schema.Boolean), "True if the amount is only authorized, not captured."),
  cardOperatorId: described(Schema.optionalKey(CardOperatorId), "The card operator to use."),
  Antifraud: described(Schema.optionalKey(AntifraudInput), "Input of a fraud check.")
})

/**
 * @category models
 * @since 0.1.0
 */
export type CardTerms = typeof CardTerms.Type

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

/** Pix settings of a request. The deadline must be at least 1; stored settings may have a deadline of 0. */
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

/**
 * Input and result of a fraud check. Source: public use (Transaction and PaymentMethodCreditCard).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Antifraud = Schema.Struct({
  ...antifraudInput,
  sent: described(Schema.optionalKey(Schema.Boolean), "True if a check was requested."),
  approved: described(Schema.optionalKey(Schema.Boolean), "True if the check approved.")
}).annotate({ identifier: "Antifraud", description: "Input and result of a fraud check." })

/**
 * @category models
 * @since 0.1.0
 */
export type Antifraud = typeof Antifraud.Type

/**
 * Parses `operatorIds`, one text such as `getnet,cielo` (interface section 2.7). Unknown operators are returned
 * unchanged; empty items are dropped.
 *
 * @category conversions
 * @since 0.1.0
 */
export const operatorsOf = (operatorIds: string): ReadonlyArray<CardOperatorId | (string & {})> =>
  operatorIds
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "")
