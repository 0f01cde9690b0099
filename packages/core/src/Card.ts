/**
 * A card as the service shows it: masked, and with the brand where the interface shows one (section 2.7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MyId, SvcPayId } from "./Identifier.ts"
import { LocalDateTime } from "./LocalDateTime.ts"
import { int, string, Text } from "./Text.ts"

/**
 * `YYYY-MM`: the last month in which the card is good.
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
 * A card brand (interface section 2.7); `operatorIds` is joined by commas.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Brand = Schema.Struct({
  id: string(255),
  name: string(255),
  maxInstallment: int(11),
  operatorIds: Text
})

/**
 * @category models
 * @since 0.1.0
 */
export type Brand = typeof Brand.Type

const fields = {
  myId: Schema.optionalKey(MyId),
  svcPayId: SvcPayId,
  number: string(30),
  createdAt: LocalDateTime,
  updatedAt: LocalDateTime,
  expiresAt: CardExpiry
}

/**
 * The card of a retry answer: neither `Brand` nor `isBackup`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOfRetry = Schema.Struct(fields)

/**
 * The card of a transaction: with its `Brand`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOfTransaction = Schema.Struct({ ...fields, Brand })

/**
 * The card of a subscription's payment method: with its `Brand`, and whether it is the backup.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOfSubscription = Schema.Struct({ ...fields, Brand, isBackup: Schema.Boolean })

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
