/**
 * Calendar days (the interface's `date`, `YYYY-MM-DD`) and wall-clock times (`datetime`, `YYYY-MM-DD HH:MM:SS`), without
 * a zone. A wall-clock time is Brazil time (America/Sao_Paulo) unless the service is configured with another zone; only
 * with a zone does it become an instant.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { derivedText } from "../values/Text.ts"

const pattern = /^(\d{4})-(\d{2})-(\d{2})$/u

// 1000-01-01 to 9999-12-31. Days are generated as numbers, because random text is almost never a valid day.
const anyDay = Schema.Int.check(Schema.isBetween({ minimum: -354_285, maximum: 2_932_896 }))

/**
 * A valid day from 1000-01-01 to 9999-12-31.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LocalDate = derivedText({
  pattern,
  describe: { format: "date" },
  seed: anyDay,
  derive: (day) => dateText(day)
})
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

const dateTimePattern = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/u

// 1000-01-01 00:00:00 to 9999-12-31 23:59:59. Times are generated as seconds, because random text is almost never a
// valid time.
const anySecond = Schema.Int.check(Schema.isBetween({ minimum: -30_610_224_000, maximum: 253_402_300_799 }))

/**
 * A time from 1000-01-01 00:00:00 to 9999-12-31 23:59:59 (interface section 2, `datetime`).
 *
 * @category schemas
 * @since 0.1.0
 */
export const LocalDateTime = derivedText({
  pattern: dateTimePattern,
  seed: anySecond,
  derive: (second) => dateTimeText(second)
})
  .check(
    Schema.isPattern(dateTimePattern, { expected: "a time written YYYY-MM-DD HH:MM:SS" }).abort(),
    Schema.makeFilter((text: string) => epochDayOf(text) !== undefined, {
      expected: "a day that exists in the calendar",
      toJsonSchema: () => [{}, true]
    })
  )
  .pipe(Schema.brand("LocalDateTime"))

/**
 * @category models
 * @since 0.1.0
 */
export type LocalDateTime = typeof LocalDateTime.Type

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

/** Formats a day since 1970-01-01 as `YYYY-MM-DD`. Throws a RangeError outside the years 1000 to 9999. */
const dateText = (epochDay: number): string => dateTimeText(epochDay * 86_400).slice(0, 10)

/**
 * Formats a second since 1970-01-01 00:00:00 as `YYYY-MM-DD HH:MM:SS`. Throws a RangeError outside the years 1000 to
 * 9999.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dateTimeText = (epochSecond: number): string => {
  if (epochSecond !== lastSecond) {
    lastText = textOf(epochSecond)
    lastSecond = epochSecond
  }
  return lastText
}

/** The last result: an unchanged entity has the same second as its creation and its last change. */
let lastSecond = NaN
let lastText = ""

const textOf = (epochSecond: number): string => {
  const day = Math.floor(epochSecond / 86_400)
  const second = epochSecond - day * 86_400
  const time = Math.floor(second / 3_600) * 10_000 + (Math.floor(second / 60) % 60) * 100 + (second % 60)
  const date = dateNumber(day)
  // One call builds a flat string. A concatenated string is a tree that every later reader must walk.
  return String.fromCharCode(
    digit(date, 10_000_000),
    digit(date, 1_000_000),
    digit(date, 100_000),
    digit(date, 10_000),
    dash,
    digit(date, 1_000),
    digit(date, 100),
    dash,
    digit(date, 10),
    digit(date, 1),
    space,
    digit(time, 100_000),
    digit(time, 10_000),
    colon,
    digit(time, 1_000),
    digit(time, 100),
    colon,
    digit(time, 10),
    digit(time, 1)
  )
}

/**
 * The day `YYYY-MM-DD` as a number of days since 1970-01-01; `undefined` if the day does not exist or is before the
 * year 1000. The caller guarantees the format.
 */
const epochDayOf = (text: string): number | undefined => {
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  return year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= lengthOf(year, month)
    ? Date.UTC(year, month - 1, day) / millisPerDay
    : undefined
}

const millisPerDay = 86_400_000

// `month` is 1 to 12, and there are twelve lengths.
const lengthOf = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : lengths[month - 1]!)

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Year, month and day as the digits of one number, 20261122. */
const dateNumber = (epochDay: number): number => {
  // Years start in March here, so that 29 February is the last day of its year. There are 719,468 days from 0000-03-01
  // to 1970-01-01, and 146,097 days in 400 years.
  const days = epochDay + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  if (!(year >= 1000 && year <= 9999)) throw new RangeError(`The day ${epochDay} is not in the years 1000 to 9999`)
  return year * 10_000 + month * 100 + day
}

/** The character code of one decimal digit: `unit` 1 is the ones digit, 10 the tens digit. */
const digit = (number: number, unit: number): number => 48 + (((number / unit) | 0) % 10)

const dash = 45
const colon = 58
const space = 32
