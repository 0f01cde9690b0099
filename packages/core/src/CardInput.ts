/**
 * The card of a request: its data, or a card that the customer already has (interface section 2.7; the request's
 * shape is decided in `docs/interface-decisions.md`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardExpiry } from "./Card.ts"
import { RedactedCardNumber } from "./CardNumber.ts"
import { MyId, SvcPayId } from "./Identifier.ts"
import { string } from "./Text.ts"

/**
 * The data printed on a card. Number and CVV are redacted from the line that reads them: they pass through memory
 * once, to the operator's vault.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardData = Schema.Struct({
  myId: Schema.optionalKey(MyId),
  number: RedactedCardNumber,
  holder: string(255),
  expiresAt: CardExpiry,
  cvv: Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(/^\d{3,4}$/u, { expected: "3 or 4 digits" })), {
    label: "cvv"
  })
})

/**
 * @category models
 * @since 0.1.0
 */
export type CardData = typeof CardData.Type

/**
 * The data of a card, or a card that is known already by either identifier.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardInput = Schema.Union([CardData, Schema.Struct({ svcPayId: SvcPayId }), Schema.Struct({ myId: MyId })])

/**
 * @category models
 * @since 0.1.0
 */
export type CardInput = typeof CardInput.Type
