/**
 * A percentage as the interface writes it: percent times 100, two decimals without a separator.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { int } from "../values/Text.ts"

/**
 * Hundredths of a percent: 200 is 2.00 %. Any `int 11`, as interface sections 2.9 and 2.10 set no narrower limit.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Percentage = int(11).pipe(Schema.brand("Percentage"))

/**
 * @category models
 * @since 0.1.0
 */
export type Percentage = typeof Percentage.Type

/**
 * Hundredths of a percent in a whole: what 100.00 % is written as.
 *
 * @category constants
 * @since 0.1.0
 */
export const whole = 10_000

/**
 * The percentage for people, as Brazil writes it: 250 gives `2,50%`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (percentage: Percentage): string =>
  `${Math.floor(percentage / 100)},${String(percentage % 100).padStart(2, "0")}%`
