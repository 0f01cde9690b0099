/**
 * What is to be paid on a day: the value, less the discount of who pays early, with the fine and the interest of who pays
 * late.
 *
 * **The rounding rule** is that of `LateCharges`: each part is worked out exactly and then loses its fraction of a cent
 * (`down`), once, at the end.
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
  /** Granted until so many days before the due date, that day included. A weekend or a holiday moves neither. */
  readonly discount?: Discount | undefined
}

/**
 * Of discount, fine and interest at most one side is above zero: nobody is early and late.
 *
 * @category models
 * @since 0.1.0
 */
export interface AmountDue extends LateCharges.LateCharges {
  readonly discount: Cents.Cents
}

/**
 * What is to be paid on `paidOn`. A discount of more than the value leaves nothing to be paid. Fails when the total is more
 * than an amount can be.
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
