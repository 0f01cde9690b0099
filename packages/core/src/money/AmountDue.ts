/**
 * The amount due on a day: the value minus an early-payment discount, plus a one-time fine (multa) and interest (juros)
 * per day for a late payment.
 *
 * **The rounding rule.** Each part is computed exactly and rounded down to a cent once, at the end. Banks do the same:
 * R$ 100,00 at 1.00 % a month, 5 days late, is R$ 0,1667, and they charge R$ 0,16. Other systems round half up (R$ 0,17),
 * which is an option.
 *
 * Common terms are a fine of 2.00 %, the legal maximum for consumers (CDC art. 52 § 1), and interest of 1.00 % a month
 * (CTN art. 161). The caller chooses the rates; this module does not limit them.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { daysBetween, type LocalDate } from "../time/LocalDate.ts"
import * as Cents from "./Cents.ts"
import type { Discount } from "../paymentMethods/PaymentMethod.ts"
import * as Percentage from "./Percentage.ts"
import * as BankCalendar from "../time/BankCalendar.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Terms extends LateTerms {
  /**
   * The discount applies until this number of days before the due date, that day included. Weekends and holidays do not
   * change it.
   */
  readonly discount?: Discount | undefined
}

/**
 * The amount due. Discount and late charges are never both above zero.
 *
 * @category models
 * @since 0.1.0
 */
export interface AmountDue extends LateCharges {
  readonly discount: Cents.Cents
}

/**
 * Computes the amount due on `paidOn`. A discount above the value results in zero. Fails if the total exceeds the
 * largest amount.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const amountDue = (terms: Terms, options?: Options): Result.Result<AmountDue, Cents.CentsOutOfRange> =>
  Result.map(lateCharges(terms, options), (charges) => {
    const discount = discountOf(terms, options?.rounding)
    return { ...charges, discount, total: Cents.Cents.make(charges.total - discount) }
  })

const discountOf = ({ discount, due, paidOn, value }: Terms, rounding: Cents.Rounding = "down"): Cents.Cents => {
  if (discount === undefined || daysBetween(paidOn, due) < discount.qtdDaysBeforePayDay) return Cents.zero
  if (discount.type === "fixed") return Cents.Cents.make(Math.min(discount.value, value))
  const share = Cents.percentage(value, Percentage.Percentage.make(discount.value), rounding)
  return Result.match(share, {
    onFailure: () => value,
    onSuccess: (amount) => Cents.Cents.make(Math.min(amount, value))
  })
}

/**
 * @category models
 * @since 0.1.0
 */
export interface LateTerms {
  readonly value: Cents.Cents
  /** Share of the value, charged once. */
  readonly fine: Percentage.Percentage
  /** Share of the value per month of 30 days. Simple interest: neither interest nor fine bears interest. */
  readonly interest: Percentage.Percentage
  readonly due: LocalDate
  readonly paidOn: LocalDate
}

/**
 * Options that the interface does not define. The first value is the default.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** Days that bear interest: all days, or only business days. Each day costs a 30th of the monthly rate. */
  readonly days?: "calendar" | "business" | undefined
  /**
   * The first day from which days are counted if the due date is not a business day: the next business day, or the due
   * date itself. In both cases a payment on that business day is not late (Lei 7.089/1983).
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
  /** The value with fine and interest. */
  readonly total: Cents.Cents
  /** Number of days with interest; 0 if the payment is not late, or if `business` counts none of its days. */
  readonly daysLate: number
}

/**
 * Computes the charges of a payment on `paidOn`; zero if it is not late. Fails if the total exceeds the largest amount.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const lateCharges = (terms: LateTerms, options?: Options): Result.Result<LateCharges, Cents.CentsOutOfRange> => {
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
