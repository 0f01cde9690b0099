/**
 * What a late payment costs: a fine (multa) once, and interest (juros) for every day.
 *
 * **The rounding rule.** Fine and interest are each worked out exactly and then lose their fraction of a cent
 * (`down`), once, at the end. Banks do so: R$ 100,00 at 1.00 % a month, 5 days late, is R$ 0,1667 and they charge
 * R$ 0,16. Other systems round half up (R$ 0,17), which is an option.
 *
 * Common terms are a fine of 2.00 %, the most that a consumer may be charged (CDC art. 52 § 1), and interest of
 * 1.00 % a month (CTN art. 161). Rates come from the caller: nothing here limits them.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as BankCalendar from "../time/BankCalendar.ts"
import * as Cents from "./Cents.ts"
import { daysBetween, type LocalDate } from "../time/LocalDate.ts"
import * as Percentage from "./Percentage.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Terms {
  readonly value: Cents.Cents
  /** Of the value, charged once however late the payment is. */
  readonly fine: Percentage.Percentage
  /** Of the value for a month of 30 days; simple, never interest on interest or on the fine. */
  readonly interest: Percentage.Percentage
  readonly due: LocalDate
  readonly paidOn: LocalDate
}

/**
 * What the interface leaves open; the default comes first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** Which days cost interest: all of them, or only those on which banks work (each still a 30th of the rate). */
  readonly days?: "calendar" | "business" | undefined
  /**
   * From which day the days of a late payment are counted when the due date is not a business day: from the
   * business day after it, or from the due date itself. Either way a payment on that business day is not late
   * (Lei 7.089/1983).
   */
  readonly countFrom?: "businessDay" | "dueDate" | undefined
  readonly rounding?: Cents.Rounding | undefined
  readonly calendar?: BankCalendar.Options | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface LateCharges {
  readonly fine: Cents.Cents
  readonly interest: Cents.Cents
  /** What is to be paid: the value with fine and interest. */
  readonly total: Cents.Cents
  /** The days that interest was counted for; 0 when not late, or late by days that `business` does not count. */
  readonly daysLate: number
}

/**
 * The charges of a payment made on `paidOn`; none when it is not late. Fails when the total is more than an
 * amount can be.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const lateCharges = (terms: Terms, options?: Options): Result.Result<LateCharges, Cents.CentsOutOfRange> => {
  const payableOn = BankCalendar.nextBusinessDay(terms.due, options?.calendar)
  if (terms.paidOn <= payableOn) {
    return Result.succeed({ fine: Cents.zero, interest: Cents.zero, total: terms.value, daysLate: 0 })
  }
  const start = options?.countFrom === "dueDate" ? terms.due : payableOn
  const daysLate =
    options?.days === "business"
      ? BankCalendar.businessDaysBetween(start, terms.paidOn, options.calendar)
      : daysBetween(start, terms.paidOn)
  const rounding = options?.rounding ?? "down"
  return Result.gen(function* () {
    const fine = yield* Cents.percentage(terms.value, terms.fine, rounding)
    const interest = yield* Cents.proportion(
      terms.value,
      BigInt(terms.interest) * BigInt(daysLate),
      BigInt(Percentage.whole * daysInMonth),
      rounding
    )
    const total = yield* Cents.sum([terms.value, fine, interest])
    return { fine, interest, total, daysLate }
  })
}

const daysInMonth = 30
