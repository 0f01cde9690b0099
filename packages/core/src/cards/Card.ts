/**
 * Cards in responses: masked, and with the brand where the interface defines one (section 2.7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { described, valueOrNull } from "../values/Described.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { int, string, Text } from "../values/Text.ts"

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
