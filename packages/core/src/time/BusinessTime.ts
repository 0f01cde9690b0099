/**
 * The time of a company: machine time plus the company's offset. Its entities, paydays and "today" use business time.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { earliest, EpochMillis, latest } from "./EpochMillis.ts"
import type { LocalDate } from "./LocalDate.ts"
import type { MachineTime } from "./MachineTime.ts"
import { startOfDay } from "./WallClock.ts"

/**
 * An instant on a company's clock. {@link businessTimeOf} is the only conversion from machine time.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BusinessTime = EpochMillis.pipe(Schema.brand("BusinessTime"))

/**
 * @category models
 * @since 0.1.0
 */
export type BusinessTime = typeof BusinessTime.Type

/**
 * The lead of a company's clock over the machine's clock, in whole milliseconds. It is never negative and never
 * decreases.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ClockOffset = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(Schema.brand("ClockOffset"))

/**
 * @category models
 * @since 0.1.0
 */
export type ClockOffset = typeof ClockOffset.Type

/**
 * The offset of a company whose clock was never advanced.
 *
 * @category constants
 * @since 0.1.0
 */
export const noOffset: ClockOffset = ClockOffset.make(0)

/**
 * Converts machine time to the business time of a company. The result is at most the last instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const businessTimeOf = (machine: MachineTime, offset: ClockOffset): BusinessTime =>
  // Both are whole numbers; the schema check is skipped because every command calls this.
  Math.min(machine + offset, latest) as BusinessTime

/**
 * The start of a day in `zone`. In some zones, the first and the last day of the calendar start outside the range of
 * instants. The result is then the first or last instant, so that payments of such a day fall due too.
 *
 * @category conversions
 * @since 0.1.0
 */
export const businessStartOf = (day: LocalDate, zone?: DateTime.TimeZone): BusinessTime =>
  // The result is a whole number within the range of instants.
  Math.min(Math.max(startOfDay(day, zone), earliest), latest) as BusinessTime
