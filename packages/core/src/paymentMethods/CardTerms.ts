/**
 * How the card payments of a subscription or of a charge are asked for, beside the card. Source: public use; the limits are
 * those of the interface's other fields.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardOperatorId } from "../cards/CardOperatorId.ts"
import { AntifraudInput } from "../transactions/Antifraud.ts"
import { described } from "../values/Described.ts"
import { int } from "../values/Text.ts"

/**
 * The bounds of the payment link that is made when there is no card: how many instalments the payer may choose.
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
 * How a card is charged: the node `PaymentMethodCreditCard` without its card.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardTerms = Schema.Struct({
  Link: described(
    Schema.optionalKey(CardLink),
    "Choices that the payment link offers the payer when there is no card."
  ),
  qtdInstallments: described(Schema.optionalKey(int(11)), "In how many instalments the card's holder pays."),
  preAuthorize: described(Schema.optionalKey(Schema.Boolean), "True if the amount is only authorized, not captured."),
  cardOperatorId: described(Schema.optionalKey(CardOperatorId), "The card operator to use."),
  Antifraud: described(Schema.optionalKey(AntifraudInput), "Input of a fraud check.")
})

/**
 * @category models
 * @since 0.1.0
 */
export type CardTerms = typeof CardTerms.Type
