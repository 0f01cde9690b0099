/**
 * A card with every field that public deployments show: an item of `GET /cards`, and the card of a payment method.
 * Source: interface section 2.7 and public use (Card); that a card shows its `status`, which the list
 * filters by, is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { Brand, CardOfRetry } from "./Card.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"

/**
 * The masked card, whose it is, and its brand.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullCard = Schema.Struct({
  ...CardOfRetry.fields,
  customerMyId: Schema.optionalKey(MyId),
  customerSvcPayId: Schema.optionalKey(SvcPayId),
  status: Schema.optionalKey(ActiveStatus),
  Brand: Schema.optionalKey(Brand),
  isBackup: Schema.optionalKey(Schema.Boolean)
})

/**
 * @category models
 * @since 0.1.0
 */
export type FullCard = typeof FullCard.Type
