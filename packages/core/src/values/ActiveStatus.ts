/**
 * The status of a plan or a card. Source: public use (enums), as the `status` filter of both lists.
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
export const ActiveStatus = Schema.Literals(["active", "inactive"]).annotate({
  identifier: "ActiveStatus",
  description: "active: it can be used; inactive: it was deactivated."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ActiveStatus = typeof ActiveStatus.Type
