/**
 * What the service keeps of a card: the vault's token, brand, mask and expiry. Never the number, never the CVV.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardExpiry } from "./Card.ts"
import { CardBrandId } from "./CardBrand.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * The vault's key of a card: the same for the same card of a company, and nothing of the number follows from it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const VaultToken = nonEmptyString(255).pipe(Schema.brand("VaultToken"))

/**
 * @category models
 * @since 0.1.0
 */
export type VaultToken = typeof VaultToken.Type

/**
 * A card of one company's customer; times in milliseconds since 1970.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  customerId: SvcPayId,
  myId: Schema.optionalKey(MyId),
  vaultToken: VaultToken,
  brand: CardBrandId,
  mask: Schema.String,
  expiresAt: CardExpiry,
  /** Absent means active. */
  status: Schema.optionalKey(ActiveStatus),
  /** Absent means no. A customer has one backup card at most. */
  isBackup: Schema.optionalKey(Schema.Boolean),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type CardState = typeof CardState.Type
