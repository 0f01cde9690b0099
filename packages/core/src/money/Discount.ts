/**
 * A discount for early payment by boleto or Pix. Source: public use. `int 11` is inferred from the interface's other
 * numbers.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { int } from "../values/Text.ts"

/**
 * The unit of a share or a discount: a percentage of the value, or an amount.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PercentOrFixed = Schema.Literals(["percent", "fixed"])

/**
 * @category models
 * @since 0.1.0
 */
export type PercentOrFixed = typeof PercentOrFixed.Type

/**
 * A discount until `qtdDaysBeforePayDay` days before the due date. `value` is in hundredths of a percent (`percent`:
 * 250 is 2.50 %) or in cents (`fixed`).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Discount = Schema.Struct({
  qtdDaysBeforePayDay: described(int(11), "Until how many days before the due date it is granted."),
  type: described(PercentOrFixed, "Unit of value: a percentage of the price, or an amount."),
  value: described(int(11), "Hundredths of a percent (250 is 2.50 %) or cents, as type says.")
}).annotate({ identifier: "Discount", description: "Less to pay for who pays early." })

/**
 * @category models
 * @since 0.1.0
 */
export type Discount = typeof Discount.Type
