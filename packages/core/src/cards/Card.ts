/**
 * Cards in responses and requests. Responses mask the number and contain the brand where the interface defines one
 * (section 2.7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActiveStatus, described, valueOrNull } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime } from "../time/LocalDate.ts"
import { int, string, Text, nonEmptyString } from "../values/Text.ts"
import { RedactedCardNumber } from "./CardNumber.ts"

/**
 * The last month in which the card is valid, `YYYY-MM`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardExpiry = Schema.String.check(
  Schema.isPattern(/^\d{4}-(0[1-9]|1[0-2])$/u, { expected: "a year and a month written YYYY-MM" })
).pipe(Schema.brand("CardExpiry"))

/**
 * @category models
 * @since 0.1.0
 */
export type CardExpiry = typeof CardExpiry.Type

/**
 * A card brand (interface section 2.7). `operatorIds` is separated by commas.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Brand = Schema.Struct({
  id: described(string(255), "Identifier of the brand, such as visa."),
  name: described(string(255), "Name of the brand."),
  maxInstallment: described(int(11), "Maximum number of installments."),
  operatorIds: described(Text, "Identifiers of the operators that accept the brand, separated by commas.")
}).annotate({ identifier: "Brand", description: "A card brand." })

/**
 * @category models
 * @since 0.1.0
 */
export type Brand = typeof Brand.Type

const fields = {
  myId: described(Schema.optionalKey(MyId), "Identifier of the card in the client system."),
  svcPayId: described(SvcPayId, "Identifier of the card, assigned by the service."),
  number: described(string(30), "The masked number: the first and the last four digits, such as 4111********1111."),
  createdAt: described(LocalDateTime, "Time at which the card was created: YYYY-MM-DD HH:MM:SS, Brazil time."),
  updatedAt: described(LocalDateTime, "Time of the last change of the card: YYYY-MM-DD HH:MM:SS, Brazil time."),
  expiresAt: described(CardExpiry, "The last month in which the card is valid: YYYY-MM."),
  // Not in interface 2.7; public use.
  customerSvcPayId: described(Schema.optionalKey(SvcPayId), "Identifier of its customer, assigned by the service."),
  customerMyId: valueOrNull(MyId, "Identifier of its customer in the client system.")
}

const withBrand = { ...fields, Brand: described(Brand, "Brand of the card.") }

const isBackup = described(Schema.Boolean, "True if it is the backup card.")

/**
 * A card with all its public fields, as card lists and "add card" return it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Card = Schema.Struct({
  ...withBrand,
  isBackup,
  status: described(Schema.optionalKey(ActiveStatus), "True if it can be charged.")
}).annotate({ identifier: "Card", description: "A card of a customer." })

/**
 * @category models
 * @since 0.1.0
 */
export type Card = typeof Card.Type

/**
 * The card in the response to a retry: neither `Brand` nor `isBackup`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOfRetry = Schema.Struct(fields).annotate({
  identifier: "CardOfRetry",
  description: "The card of a retry, without its brand."
})

/**
 * The card of a transaction: with its `Brand`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOfTransaction = Schema.Struct(withBrand).annotate({
  identifier: "CardOfTransaction",
  description: "The card that a transaction is charged to."
})

/**
 * The card of a subscription's payment method: with `Brand` and `isBackup`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOfSubscription = Schema.Struct({
  ...withBrand,
  isBackup
}).annotate({ identifier: "CardOfSubscription", description: "The card that a subscription is charged to." })

/**
 * @category models
 * @since 0.1.0
 */
export type CardOfRetry = typeof CardOfRetry.Type

/**
 * @category models
 * @since 0.1.0
 */
export type CardOfTransaction = typeof CardOfTransaction.Type

/**
 * @category models
 * @since 0.1.0
 */
export type CardOfSubscription = typeof CardOfSubscription.Type

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
