/**
 * The stored card: vault token, brand, mask and expiry. Never the number or the CVV.
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
 * The token of a card in the vault. The same card of a company always has the same token; the number cannot be derived
 * from it.
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
 * A card of a customer. Times are in milliseconds since 1970.
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
  /** Absent means false. A customer has at most one backup card. */
  isBackup: Schema.optionalKey(Schema.Boolean),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type CardState = typeof CardState.Type
