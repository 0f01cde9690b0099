/**
 * The calendar of Brazilian banks: the days on which boletos are cleared and due payments can be made.
 *
 * Banks are closed on Saturdays and Sundays (Lei 4.178/1962) and on the days of Resolução CMN 4.880/2020: national
 * holidays, Carnival Monday and Tuesday, Good Friday and Corpus Christi. State and city holidays do not count. The last
 * weekday of the year is closed by default (see `Options`). Ash Wednesday is a business day, because banks open at
 * noon. Pix runs every day and does not need this calendar.
 *
 * @since 0.1.0
 */
import { addDays, dayOfWeek, fromEpochDay, LocalDate, toEpochDay } from "./LocalDate.ts"

/**
 * Changes of the calendar.
 *
 * **Details**
 *
 * `lastWeekday` defines if banks clear on the last weekday of the year: 31 December, or the Friday before if it is a
 * weekend day. FEBRABAN's notices close this day (30-12-2022: exame.com, 14-12-2022; 29-12-2023: jd1noticias.com,
 * December 2023; 31-12-2025: praticacontabil.cnt.br, 30-12-2025) and move bills to the next business day. No law
 * requires this, so it is an option; the default is `closed`. `closed` and `open` are single days that override all
 * other rules, for a strike or a decree. A day in both is closed.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly lastWeekday?: "closed" | "open" | undefined
  readonly closed?: ReadonlyArray<LocalDate> | undefined
  readonly open?: ReadonlyArray<LocalDate> | undefined
}

/**
 * A day on which banks are closed on any weekday.
 *
 * @category models
 * @since 0.1.0
 */
export interface Holiday {
  readonly date: LocalDate
  readonly name: string
}

/**
 * Holidays on the same day every year, as `MM-DD`. `since` is the first year of the newest holiday. The others are
 * older; all of them together are valid from 1981.
 *
 * @category tables
 * @since 0.1.0
 */
export const fixedHolidays: ReadonlyArray<{ readonly day: string; readonly name: string; readonly since?: number }> = [
  { day: "01-01", name: "New Year's Day" },
  { day: "04-21", name: "Tiradentes" },
  { day: "05-01", name: "Labour Day" },
  { day: "09-07", name: "Independence Day" },
  { day: "10-12", name: "Our Lady of Aparecida" },
  { day: "11-02", name: "All Souls' Day" },
  { day: "11-15", name: "Proclamation of the Republic" },
  // Lei 14.759/2023.
  { day: "11-20", name: "Black Awareness Day", since: 2024 },
  { day: "12-25", name: "Christmas Day" }
]

/**
 * Holidays relative to Easter Sunday, in days.
 *
 * @category tables
 * @since 0.1.0
 */
export const movingHolidays: ReadonlyArray<{ readonly fromEaster: number; readonly name: string }> = [
  { fromEaster: -48, name: "Carnival Monday" },
  { fromEaster: -47, name: "Carnival Tuesday" },
  { fromEaster: -2, name: "Good Friday" },
  { fromEaster: 60, name: "Corpus Christi" }
]

/**
 * Easter Sunday of a year in the Gregorian calendar.
 *
 * @category getters
 * @since 0.1.0
 */
export const easter = (year: number): LocalDate => {
  // The computus of Meeus, Jones and Butcher.
  const century = Math.floor(year / 100)
  const lunar = year % 19
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * lunar + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const late = Math.floor((lunar + 11 * epact + 22 * weekday) / 451)
  // Months from January and days from 1 as one number: month * 31 + day - 1.
  const monthAndDay = epact + weekday - 7 * late + 114
  return toDate(year, `${pad(Math.floor(monthAndDay / 31))}-${pad((monthAndDay % 31) + 1)}`)
}

/**
 * The holidays of a year in order, including those on weekends. `open` and `closed` of the options are not considered.
 *
 * @category getters
 * @since 0.1.0
 */
export const holidays = (year: number, options?: Pick<Options, "lastWeekday">): ReadonlyArray<Holiday> => {
  const easterDay = toEpochDay(easter(year))
  const days: Array<Holiday> = [
    ...fixedHolidays
      .filter(({ since = 0 }) => year >= since)
      .map(({ day, name }) => ({ date: toDate(year, day), name })),
    ...movingHolidays.map(({ fromEaster, name }) => ({ date: fromEpochDay(easterDay + fromEaster), name }))
  ]
  if (options?.lastWeekday !== "open") days.push({ date: lastWeekdayOf(year), name: "Last weekday of the year" })
  return days.sort((a, b) => (a.date < b.date ? -1 : 1))
}

/**
 * True if banks work on the day.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isBusinessDay = (date: LocalDate, options?: Options): boolean => {
  if (options?.closed?.includes(date)) return false
  if (options?.open?.includes(date)) return true
  const weekday = dayOfWeek(date)
  if (weekday === 0 || weekday === 6) return false
  const year = Number(date.slice(0, 4))
  const day = date.slice(5)
  if (day >= "12-29" && date === lastWeekdayOf(year)) return options?.lastWeekday === "open"
  if (fixedHolidays.some((holiday) => holiday.day === day && year >= (holiday.since ?? 0))) return false
  const fromEaster = toEpochDay(date) - toEpochDay(easter(year))
  return !movingHolidays.some((holiday) => holiday.fromEaster === fromEaster)
}

/**
 * Returns the date if it is a business day, otherwise the next business day; at most 9999-12-31.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const nextBusinessDay = (date: LocalDate, options?: Options): LocalDate =>
  isBusinessDay(date, options) ? date : step(date, 1, options)

/**
 * The `days`-th business day after the date, or before it if `days` is negative. 0 returns the date itself, even a
 * Sunday.
 *
 * **Gotchas**
 *
 * The search visits each day, and stops at the first and the last `LocalDate`, even if it is not a business day.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const addBusinessDays = (date: LocalDate, days: number, options?: Options): LocalDate => {
  let day = date
  for (let remaining = Math.abs(days); remaining > 0; remaining--) day = step(day, Math.sign(days), options)
  return day
}

/**
 * The number of business days after `from` up to and including `to`; negative if `to` is earlier. From a Friday it is 1
 * to the next Monday, and 0 to the Sunday.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const businessDaysBetween = (from: LocalDate, to: LocalDate, options?: Options): number => {
  const start = toEpochDay(from)
  const end = toEpochDay(to)
  // Not `-businessDaysBetween(..)`, which returns -0 if there are no days.
  if (end < start) return 0 - businessDaysBetween(to, from, options)
  let count = 0
  for (let day = start + 1; day <= end; day++) if (isBusinessDay(fromEpochDay(day), options)) count++
  return count
}

const step = (date: LocalDate, direction: number, options: Options | undefined): LocalDate => {
  const end = direction < 0 ? firstDay : lastDay
  let day = date
  do {
    if (day === end) return end
    day = addDays(day, direction)
  } while (!isBusinessDay(day, options))
  return day
}

const firstDay = LocalDate.make("1000-01-01")
const lastDay = LocalDate.make("9999-12-31")

const lastWeekdayOf = (year: number): LocalDate => {
  const eve = toDate(year, "12-31")
  const weekday = dayOfWeek(eve)
  return weekday === 6 ? addDays(eve, -1) : weekday === 0 ? addDays(eve, -2) : eve
}

const pad = (value: number): string => String(value).padStart(2, "0")

const toDate = (year: number, day: string): LocalDate => LocalDate.make(`${String(year).padStart(4, "0")}-${day}`)
