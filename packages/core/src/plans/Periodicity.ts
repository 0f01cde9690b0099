/**
 * How often a plan or a subscription is paid. Source: public use (enums).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * From `weekly` to `yearly`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Periodicity = Schema.Literals([
  "weekly",
  "biweekly",
  "monthly",
  "bimonthly",
  "quarterly",
  "biannual",
  "yearly"
]).annotate({ identifier: "Periodicity", description: "Interval between payments." })

/**
 * @category models
 * @since 0.1.0
 */
export type Periodicity = typeof Periodicity.Type
