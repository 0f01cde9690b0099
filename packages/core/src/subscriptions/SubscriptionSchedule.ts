/**
 * The schedule of a periodic subscription: its instalments, their due dates, and how many are created in advance.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { InvoiceConfig } from "../invoices/Invoice.ts"
import { Cents } from "../money/Cents.ts"
import { Periodicity } from "../plans/Plan.ts"
import { LocalDate, addDays, daysBetween, fromEpochDay } from "../time/LocalDate.ts"
import { MyId } from "../values/Identifier.ts"
import { Text } from "../values/Text.ts"

/**
 * Values of one instalment that differ from the others.
 *
 * @category schemas
 * @since 0.1.0
 */
export const InstalmentChange = Schema.Struct({
  installment: Schema.Int.check(Schema.isGreaterThan(0)),
  myId: Schema.optionalKey(MyId),
  value: Schema.optionalKey(Cents),
  payday: Schema.optionalKey(LocalDate),
  payedOutsideSvcPay: Schema.optionalKey(Schema.Boolean),
  additionalInfo: Schema.optionalKey(Text),
  InvoiceConfig: Schema.optionalKey(InvoiceConfig)
})

/**
 * @category models
 * @since 0.1.0
 */
export type InstalmentChange = typeof InstalmentChange.Type

/**
 * Value, interval and number of the instalments. `value` is in cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionSchedule = Schema.Struct({
  value: Cents,
  periodicity: Periodicity,
  /** Due date of instalment 1. */
  firstPayDay: LocalDate,
  /** Number of instalments; without end if absent. */
  quantity: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
  /** Number of created instalments: the next one is `made + 1`. */
  made: Schema.Int,
  /** Changes of instalments that are not created yet. */
  changes: Schema.optionalKey(Schema.Array(InstalmentChange))
}).check(
  // Every created instalment has a due date.
  Schema.makeFilter(
    ({ firstPayDay, made, periodicity }) => made >= 0 && made <= maxInstalments(firstPayDay, periodicity),
    { expected: "as many instalments as fall due by the year 9999, at most" }
  )
)

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionSchedule = typeof SubscriptionSchedule.Type

/**
 * Number of instalments that are created in advance for a fixed quantity. A subscription without end has one at a time.
 */
const maxAhead = 120

const aheadOf = ({ quantity }: SubscriptionSchedule): number => (quantity === undefined ? 1 : maxAhead)

/** The number of all instalments. A subscription without end stops at the end of the calendar. */
const quantityOf = ({ firstPayDay, periodicity, quantity }: SubscriptionSchedule): number =>
  Math.min(quantity ?? Number.POSITIVE_INFINITY, maxInstalments(firstPayDay, periodicity))

/**
 * True if every instalment was created.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isUsedUp = (schedule: SubscriptionSchedule): boolean => schedule.made >= quantityOf(schedule)

const dayOf = ({ firstPayDay, periodicity }: SubscriptionSchedule, installment: number): LocalDate =>
  dueDate(firstPayDay, periodicity, installment)

/**
 * The day of the next step: the next instalment is created, or the last one has fallen due and the subscription is
 * closed. Undefined if the step is due at once.
 *
 * @category getters
 * @since 0.1.0
 */
export const nextStepOn = (schedule: SubscriptionSchedule): LocalDate | undefined => {
  if (isUsedUp(schedule)) return dayOf(schedule, schedule.made)
  const due = schedule.made + 1 - aheadOf(schedule)
  return due < 1 ? undefined : dayOf(schedule, due)
}

/**
 * The numbers of the instalments to create on a day, at most `limit`.
 *
 * @category getters
 * @since 0.1.0
 */
export const toBeMade = (schedule: SubscriptionSchedule, today: LocalDate, limit: number): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  for (let next = schedule; numbers.length < limit && !isUsedUp(next); next = { ...next, made: next.made + 1 }) {
    const from = nextStepOn(next)
    if (from !== undefined && from > today) break
    numbers.push(next.made + 1)
  }
  return numbers
}

/**
 * The values of one instalment.
 *
 * @category getters
 * @since 0.1.0
 */
export const instalmentOf = (schedule: SubscriptionSchedule, installment: number) => ({
  value: schedule.value,
  payday: dayOf(schedule, installment),
  ...schedule.changes?.find((change) => change.installment === installment)
})

/**
 * The due date after the last created instalment; undefined after the end of the calendar.
 *
 * @category getters
 * @since 0.1.0
 */
export const nextPayday = (schedule: SubscriptionSchedule): LocalDate | undefined =>
  schedule.made < maxInstalments(schedule.firstPayDay, schedule.periodicity)
    ? dayOf(schedule, schedule.made + 1)
    : undefined

/**
 * The first instalment that was due before `today` and was not paid outside the service; it would be charged late.
 *
 * @category getters
 * @since 0.1.0
 */
export const firstOverdue = (schedule: SubscriptionSchedule, today: LocalDate): number | undefined => {
  const last = quantityOf(schedule)
  const isOverdue = (installment: number): boolean => {
    const { payday, payedOutsideSvcPay: isPaid = false } = instalmentOf(schedule, installment)
    return !isPaid && payday < today
  }
  for (let installment = 1; installment <= last && dayOf(schedule, installment) < today; installment++) {
    if (isOverdue(installment)) return installment
  }
  // Later instalments are due before `today` only if their due date was changed.
  return schedule.changes?.find(({ installment }) => installment <= last && isOverdue(installment))?.installment
}

/**
 * The schedule after the instalments up to a number were created.
 *
 * @category updates
 * @since 0.1.0
 */
export const madeUpTo = ({ changes, ...schedule }: SubscriptionSchedule, made: number): SubscriptionSchedule => {
  const remaining = changes?.filter(({ installment }) => installment > made) ?? []
  return { ...schedule, made, ...(remaining.length === 0 ? {} : { changes: remaining }) }
}

/**
 * The schedule of a subscription that is reactivated on a day. Without end, it skips the instalments of the time in
 * which it was stopped, because nothing was delivered then.
 *
 * @category updates
 * @since 0.1.0
 */
export const reactivatedOn = (schedule: SubscriptionSchedule, today: LocalDate): SubscriptionSchedule => {
  let made = schedule.made
  const last = quantityOf(schedule)
  while (schedule.quantity === undefined && made < last && dayOf(schedule, made + 1) < today) made++
  return made === schedule.made ? schedule : madeUpTo(schedule, made)
}

const lastDay = LocalDate.make("9999-12-31")

/**
 * The length of each period: `biweekly` is every two weeks, `bimonthly` every two months, `biannual` every six months.
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
 * The due date of instalment number `installment`; number 1 is due on `first`.
 *
 * **Details**
 *
 * Each date is counted from `first`. In a shorter month the date is the last day of the month: 31 January, 28 February,
 * 31 March. A due date may be a day on which banks are closed; `BankCalendar.nextBusinessDay` returns the day of
 * payment.
 *
 * **Gotchas**
 *
 * Throws for an instalment after the year 9999, the end of `LocalDate`.
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
 * The number of instalments until the year 9999, the end of `LocalDate`.
 *
 * @category getters
 * @since 0.1.0
 */
export const maxInstalments = (first: LocalDate, periodicity: Periodicity): number => {
  const period = periods[periodicity]
  const remaining =
    "days" in period
      ? daysBetween(first, lastDay) / period.days
      : (monthCountOf(lastDay) - monthCountOf(first)) / period.months
  return Math.floor(remaining) + 1
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
  // `Date.UTC` moves a day that does not exist to the next month. Day 0 of the next month is the last day of this
  // month.
  const sameDay = Date.UTC(year, month, Number(date.slice(8, 10)))
  return fromEpochDay(Math.min(sameDay, Date.UTC(year, month + 1, 0)) / millisPerDay)
}
