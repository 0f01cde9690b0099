/**
 * A calendar day without time and zone: the interface's `date`, `YYYY-MM-DD`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { dateText, epochDayOf } from "../internal/calendar.ts"
import { derivedText } from "../internal/derivedText.ts"

const pattern = /^(\d{4})-(\d{2})-(\d{2})$/u

// 1000-01-01 to 9999-12-31. Days are generated as numbers, because random text is almost never a valid day.
const anyDay = Schema.Int.check(Schema.isBetween({ minimum: -354_285, maximum: 2_932_896 }))

/**
 * A valid day from 1000-01-01 to 9999-12-31.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LocalDate = derivedText({ pattern, describe: { format: "date" }, seed: anyDay, derive: dateText })
  .check(
    Schema.isPattern(pattern, { expected: "a date written YYYY-MM-DD" }).abort(),
    Schema.makeFilter((text: string) => epochDayOf(text) !== undefined, {
      expected: "a day that exists in the calendar",
      toJsonSchema: () => [{}, true]
    })
  )
  .pipe(Schema.brand("LocalDate"))

/**
 * @category models
 * @since 0.1.0
 */
export type LocalDate = typeof LocalDate.Type

/**
 * The number of days since 1970-01-01, for calendar arithmetic.
 *
 * @category conversions
 * @since 0.1.0
 */
// The schema admits only valid days.
export const toEpochDay = (date: LocalDate): number => epochDayOf(date)!

/**
 * The day that is `epochDay` days after 1970-01-01. Throws a RangeError outside the years 1000 to 9999.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromEpochDay = (epochDay: number): LocalDate =>
  // `dateText` returns only valid days.
  dateText(epochDay) as LocalDate

/**
 * The day that is `days` later, or earlier if `days` is negative.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const addDays = (date: LocalDate, days: number): LocalDate => fromEpochDay(toEpochDay(date) + days)

/**
 * The number of days from `from` to `to`; negative if `to` is earlier.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const daysBetween = (from: LocalDate, to: LocalDate): number => toEpochDay(to) - toEpochDay(from)

/**
 * Day of the week, 0 (Sunday) to 6 (Saturday).
 *
 * @category getters
 * @since 0.1.0
 */
export const dayOfWeek = (date: LocalDate): number => (((toEpochDay(date) + 4) % 7) + 7) % 7
