/**
 * A percentage in the interface's format: hundredths of a percent, without a separator.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { int } from "../values/Text.ts"

/**
 * Hundredths of a percent: 200 is 2.00 %. Any `int 11`, because interface sections 2.9 and 2.10 set no narrower limit.
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
 * 100.00 %, in hundredths of a percent.
 *
 * @category constants
 * @since 0.1.0
 */
export const whole = 10_000

/**
 * Formats a percentage for users in Brazil: 250 is `2,50%`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (percentage: Percentage): string =>
  `${Math.floor(percentage / 100)},${String(percentage % 100).padStart(2, "0")}%`
