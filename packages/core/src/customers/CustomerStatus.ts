/**
 * Where a customer stands. Source: public use (Customer).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * - `active`: has a live subscription or charge.
 * - `delayed`: at least one payment is overdue: denied, open or lapsed.
 * - `inactive`: deleted.
 * - `withoutSubscriptionOrCharge`: nothing to pay.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CustomerStatus = Schema.Literals(["active", "delayed", "inactive", "withoutSubscriptionOrCharge"])

/**
 * @category models
 * @since 0.1.0
 */
export type CustomerStatus = typeof CustomerStatus.Type
