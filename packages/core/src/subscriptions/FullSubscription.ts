/**
 * A subscription with every field that public deployments show. Source: interface section 2.1 and public
 * use (Subscription); limits that neither gives are inferred from their neighbours.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ofContract } from "../internal/contractFields.ts"
import { FullTransaction } from "../transactions/FullTransaction.ts"
import { SubscriptionOfEvent } from "./Subscription.ts"

const fields = {
  ...SubscriptionOfEvent.fields,
  ...ofContract
}

/**
 * A subscription with its payments. `value` is cents; `quantity` counts payments, 0 is without end. A manual
 * subscription has neither, and no `periodicity` (public use).
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullSubscription = Schema.Struct({ ...fields, Transactions: Schema.Array(FullTransaction) })

/**
 * @category models
 * @since 0.1.0
 */
export type FullSubscription = typeof FullSubscription.Type

/**
 * A subscription beside one of its payments: what an event or a transaction of a list holds.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullSubscriptionOfTransaction = Schema.Struct(fields)

/**
 * @category models
 * @since 0.1.0
 */
export type FullSubscriptionOfTransaction = typeof FullSubscriptionOfTransaction.Type
