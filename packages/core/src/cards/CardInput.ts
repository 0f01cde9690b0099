/**
 * The card of a request: new card data, or a reference to a stored card (interface section 2.7; the body of the request
 * is defined in `docs/interface-decisions.md`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { CardExpiry } from "./Card.ts"
import { RedactedCardNumber } from "./CardNumber.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * The data printed on a card. Decoding redacts number and CVV at once; they pass through memory to the operator's vault
 * and are not stored.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardData = Schema.Struct({
  myId: described(Schema.optionalKey(MyId), "Identifier that the card gets in the client system."),
  number: RedactedCardNumber,
  holder: described(nonEmptyString(255), "Name of the holder as printed on the card."),
  expiresAt: described(CardExpiry, "The last month in which the card is valid: YYYY-MM."),
  cvv: Schema.RedactedFromValue(
    described(
      Schema.String.check(Schema.isPattern(/^\d{3,4}$/u, { expected: "3 or 4 digits" })),
      "The security code, 3 or 4 digits. It is never stored and never shown."
    ),
    { label: "cvv" }
  )
}).annotate({ identifier: "NewCard", description: "The data printed on a card." })

/**
 * @category models
 * @since 0.1.0
 */
export type CardData = typeof CardData.Type

/**
 * New card data, or a reference to a stored card by either identifier.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardInput = Schema.Union([
  CardData,
  Schema.Struct({
    svcPayId: described(SvcPayId, "Identifier of a card of this customer, assigned by the service.")
  }).annotate({
    identifier: "CardByServiceId",
    description: "A card that the customer has, by the service's identifier."
  }),
  Schema.Struct({ myId: described(MyId, "Identifier of a card of this customer in the client system.") }).annotate({
    identifier: "CardByMyId",
    description: "A card that the customer has, by the client system's identifier."
  })
]).annotate({ identifier: "CardInput", description: "A new card, or one that the customer already has." })

/**
 * @category models
 * @since 0.1.0
 */
export type CardInput = typeof CardInput.Type

/**
 * The body of "add card". Unknown fields are refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AddCard = Schema.Struct({
  ...CardData.fields,
  isBackup: described(
    Schema.optionalKey(Schema.Boolean),
    "True to make it the customer's backup card, replacing an earlier one."
  )
}).annotate({ identifier: "AddCard", description: "A card to be added to a customer." })

/**
 * @category models
 * @since 0.1.0
 */
export type AddCard = typeof AddCard.Type
