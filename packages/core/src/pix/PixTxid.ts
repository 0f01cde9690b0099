/**
 * The identifier that links a Pix payment to its charge.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The txid of a dynamic charge: 26 to 35 letters and digits, unique per receiver (API Pix).
 *
 * @category schemas
 * @since 0.1.0
 */
export const DynamicTxid = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9]{26,35}$/u, { expected: "a txid of 26 to 35 letters and digits" })
).pipe(Schema.brand("DynamicTxid"))

/**
 * @category models
 * @since 0.1.0
 */
export type DynamicTxid = typeof DynamicTxid.Type

/**
 * The txid in a static BR Code: 1 to 25 letters and digits. A code without a txid contains `***`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const StaticTxid = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9]{1,25}$/u, { expected: "a txid of 1 to 25 letters and digits" })
).pipe(Schema.brand("StaticTxid"))

/**
 * @category models
 * @since 0.1.0
 */
export type StaticTxid = typeof StaticTxid.Type
