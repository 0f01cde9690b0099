/**
 * Whether a plan or a card can still be used. Source: public use (enums), seen as the `status` filter of
 * both lists.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * `active` or `inactive`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ActiveStatus = Schema.Literals(["active", "inactive"])

/**
 * @category models
 * @since 0.1.0
 */
export type ActiveStatus = typeof ActiveStatus.Type
