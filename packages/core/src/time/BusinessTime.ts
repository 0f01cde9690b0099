/**
 * The time of a company: machine time and the company's offset. What its entities, paydays and "today" go by.
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
 * An instant on a company's clock. Machine time is none: only {@link businessTimeOf} makes one of it.
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
 * How far a company's clock is ahead of the machine's, in whole milliseconds: never negative, and it never shrinks.
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
 * What a company's clock shows at an instant of the machine's. It stops at the last instant that there is.
 *
 * @category conversions
 * @since 0.1.0
 */
export const businessTimeOf = (machine: MachineTime, offset: ClockOffset): BusinessTime =>
  // The sum of two that are whole, and each unit asks.
  Math.min(machine + offset, latest) as BusinessTime

/**
 * When a day begins in `zone`. The first and the last day of the calendar begin, in some zones, before the first and after
 * the last instant there is: then it is that instant, so that a payment of such a day falls due too.
 *
 * @category conversions
 * @since 0.1.0
 */
export const businessStartOf = (day: LocalDate, zone?: DateTime.TimeZone): BusinessTime =>
  // An instant that is whole, and within what there is.
  Math.min(Math.max(startOfDay(day, zone), earliest), latest) as BusinessTime
