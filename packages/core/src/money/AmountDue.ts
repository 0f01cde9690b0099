/**
 * The amount due on a day: the value minus an early-payment discount, plus fine and interest for a late payment.
 *
 * **The rounding rule** is that of `LateCharges`: each part is computed exactly and rounded down to a cent once, at the
 * end.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { daysBetween } from "../time/LocalDate.ts"
import * as Cents from "./Cents.ts"
import type { Discount } from "./Discount.ts"
import * as LateCharges from "./LateCharges.ts"
import { Percentage } from "./Percentage.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Terms extends LateCharges.Terms {
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
export interface AmountDue extends LateCharges.LateCharges {
  readonly discount: Cents.Cents
}

/**
 * Computes the amount due on `paidOn`. A discount above the value results in zero. Fails if the total exceeds the
 * largest amount.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const amountDue = (
  terms: Terms,
  options?: LateCharges.Options
): Result.Result<AmountDue, Cents.CentsOutOfRange> =>
  Result.map(LateCharges.lateCharges(terms, options), (charges) => {
    const discount = discountOf(terms, options?.rounding)
    return { ...charges, discount, total: Cents.Cents.make(charges.total - discount) }
  })

const discountOf = ({ discount, due, paidOn, value }: Terms, rounding: Cents.Rounding = "down"): Cents.Cents => {
  if (discount === undefined || daysBetween(paidOn, due) < discount.qtdDaysBeforePayDay) return Cents.zero
  if (discount.type === "fixed") return Cents.Cents.make(Math.min(discount.value, value))
  const share = Cents.percentage(value, Percentage.make(discount.value), rounding)
  return Result.match(share, {
    onFailure: () => value,
    onSuccess: (amount) => Cents.Cents.make(Math.min(amount, value))
  })
}
