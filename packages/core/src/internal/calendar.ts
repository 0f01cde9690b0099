/**
 * Calendar arithmetic without `Date`, which formats and parses ten times slower. Every date that is read or written
 * uses it.
 *
 * @since 0.1.0
 */

const millisPerDay = 86_400_000

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// `month` is 1 to 12, and there are twelve lengths.
const lengthOf = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : lengths[month - 1]!)

/**
 * The day `YYYY-MM-DD` as a number of days since 1970-01-01; `undefined` if the day does not exist or is before the
 * year 1000. The caller guarantees the format.
 *
 * @category conversions
 * @since 0.1.0
 */
export const epochDayOf = (text: string): number | undefined => {
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  return year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= lengthOf(year, month)
    ? Date.UTC(year, month - 1, day) / millisPerDay
    : undefined
}

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
 * Formats a day since 1970-01-01 as `YYYY-MM-DD`. Throws a RangeError outside the years 1000 to 9999.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dateText = (epochDay: number): string => dateTimeText(epochDay * 86_400).slice(0, 10)
