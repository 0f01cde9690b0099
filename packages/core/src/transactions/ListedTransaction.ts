/**
 * An item of `GET /transactions`: a transaction together with the charge or the subscription it belongs to. Source:
 * public use. One public client types `Charge` as a list; a reader takes a list of one for the object.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ChargeOfTransaction } from "../charges/Charge.ts"
import { FullSubscriptionOfTransaction } from "../subscriptions/FullSubscription.ts"
import { FullTransaction } from "./FullTransaction.ts"

/**
 * A transaction as a list shows it, with what it belongs to.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ListedTransaction = Schema.Struct({
  ...FullTransaction.fields,
  Charge: Schema.optionalKey(ChargeOfTransaction),
  Subscription: Schema.optionalKey(FullSubscriptionOfTransaction)
})

/**
 * @category models
 * @since 0.1.0
 */
export type ListedTransaction = typeof ListedTransaction.Type
