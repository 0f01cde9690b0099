/**
 * What a transaction belongs to.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SvcPayId } from "../values/Identifier.ts"

/**
 * A transaction is a payment of a subscription, or of a charge, which has its payments without one.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionOwner = Schema.TaggedUnion({
  Subscription: { id: SvcPayId },
  Charge: { id: SvcPayId }
})

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionOwner = typeof TransactionOwner.Type
