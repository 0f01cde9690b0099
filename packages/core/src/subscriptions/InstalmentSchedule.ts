/**
 * Due dates of a subscription: from the first payment day, one for every period.
 *
 * @since 0.1.0
 */
import type { Periodicity } from "../plans/Periodicity.ts"
import { addDays, daysBetween, fromEpochDay, LocalDate } from "../time/LocalDate.ts"

const lastDay = LocalDate.make("9999-12-31")

/**
 * The length of each period: `biweekly` is every two weeks, `bimonthly` every two months, `biannual` every six.
 *
 * @category tables
 * @since 0.1.0
 */
export const periods: Readonly<Record<Periodicity, { readonly days: number } | { readonly months: number }>> = {
  weekly: { days: 7 },
  biweekly: { days: 14 },
  monthly: { months: 1 },
  bimonthly: { months: 2 },
  quarterly: { months: 3 },
  biannual: { months: 6 },
  yearly: { months: 12 }
}

/**
 * The due date of instalment number `installment`, where number 1 is due on `first`.
 *
 * **Details**
 *
 * Each date is counted from `first`, never from the date before it, so a day that a month does not have moves to
 * that month's last day and comes back in the next: 31 January, 28 February, 31 March. A due date may be a day on
 * which banks are closed; `BankCalendar.nextBusinessDay` says when it is paid.
 *
 * **Gotchas**
 *
 * Throws for an instalment past the year 9999, the end of `LocalDate`.
 *
 * @category getters
 * @since 0.1.0
 */
export const dueDate = (first: LocalDate, periodicity: Periodicity, installment: number): LocalDate => {
  const period = periods[periodicity]
  const steps = installment - 1
  return "days" in period ? addDays(first, period.days * steps) : addMonths(first, period.months * steps)
}

/**
 * How many instalments fall due by the year 9999, the end of `LocalDate`.
 *
 * @category getters
 * @since 0.1.0
 */
export const mostInstalments = (first: LocalDate, periodicity: Periodicity): number => {
  const period = periods[periodicity]
  const left =
    "days" in period
      ? daysBetween(first, lastDay) / period.days
      : (monthCountOf(lastDay) - monthCountOf(first)) / period.months
  return Math.floor(left) + 1
}

/**
 * The due dates of the first `quantity` instalments.
 *
 * @category getters
 * @since 0.1.0
 */
export const schedule = (first: LocalDate, periodicity: Periodicity, quantity: number): ReadonlyArray<LocalDate> =>
  Array.from({ length: quantity }, (_, step) => dueDate(first, periodicity, step + 1))

const yearOf = (date: LocalDate): number => Number(date.slice(0, 4))
const monthOf = (date: LocalDate): number => Number(date.slice(5, 7)) - 1
const monthCountOf = (date: LocalDate): number => yearOf(date) * 12 + monthOf(date)

const millisPerDay = 86_400_000

const addMonths = (date: LocalDate, months: number): LocalDate => {
  const year = yearOf(date)
  const month = monthOf(date) + months
  // A day that a month does not have would be in the next one; day 0 of the next one is the last of the month.
  const sameDay = Date.UTC(year, month, Number(date.slice(8, 10)))
  return fromEpochDay(Math.min(sameDay, Date.UTC(year, month + 1, 0)) / millisPerDay)
}
