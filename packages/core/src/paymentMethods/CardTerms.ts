/**
 * Card settings of a subscription or a charge, without the card. Source: public use. The limits are those of similar
 * fields of the interface.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardOperatorId } from "../cards/CardOperatorId.ts"
import { AntifraudInput } from "../transactions/Antifraud.ts"
import { described } from "../values/Described.ts"
import { int } from "../values/Text.ts"

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
