import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type AmountDue, amountDue, type Terms } from "../../src/money/AmountDue.ts"
import { Discount } from "../../src/paymentMethods/PaymentMethod.ts"
import { Percentage } from "../../src/money/Percentage.ts"
import { LocalDate } from "../../src/time/LocalDate.ts"
import { cents, day } from "../fixtures/States.ts"

/** R$ 100,00 with a fine of 2 % and interest of 1 % a month. */
const due = (
  dueDate: string,
  paidOn: string,
  changes: Partial<Terms> = {},
  options?: Parameters<typeof amountDue>[1]
): Readonly<Record<keyof AmountDue, number>> =>
  Result.getOrThrow(
    amountDue(
      {
        value: cents(10_000),
        fine: Percentage.make(200),
        interest: Percentage.make(100),
        due: day(dueDate),
        paidOn: day(paidOn),
        ...changes
      },
      options
    )
  )

const percent: Discount = { qtdDaysBeforePayDay: 5, type: "percent", value: 250 }
const fixed: Discount = { qtdDaysBeforePayDay: 0, type: "fixed", value: 1_500 }

describe("what is due", () => {
  // CDC art. 52 § 1 (2 %) and CTN art. 161 (1 % a month): 2,00 + 100,00 * 1 % * 17 / 30 = 0,5666.., rounded to 0,56.
  it("includes a 2 % fine and 1 % interest a month after 17 days", () => {
    assert.deepInclude(due("2026-11-11", "2026-11-28"), { fine: 200, interest: 56, total: 10_256, daysLate: 17 })
    assert.deepInclude(due("2026-11-11", "2026-11-28", {}, { rounding: "halfUp" }), { interest: 57, total: 10_257 })
  })

  // Kobana's example: R$ 100,00, five days late, is 2,00 and 0,16.
  it("equals the amount that banks charge after five days", () => {
    assert.deepInclude(due("2026-11-11", "2026-11-16"), { fine: 200, interest: 16, total: 10_216 })
  })

  // Lei 7.089/1983 and Resolução CMN 4.880/2020: after Saturday 2026-02-14, Carnival Monday and Tuesday are not
  // business days; Ash Wednesday (02-18) is a business day.
  it.each([
    ["2026-02-14", 10_000, 0],
    ["2026-02-16", 10_000, 0],
    ["2026-02-18", 10_000, 0],
    ["2026-02-19", 10_203, 1]
  ])("on the Saturday before Carnival, paid on %s, is %d", (paidOn, total, daysLate) => {
    assert.deepInclude(due("2026-02-14", paidOn), { total, daysLate })
  })

  it("is reduced by the discount until its last day", () => {
    assert.deepInclude(due("2026-11-11", "2026-11-06", { discount: percent }), { discount: 250, total: 9_750 })
    assert.deepInclude(due("2026-11-11", "2026-11-07", { discount: percent }), { discount: 0, total: 10_000 })
    assert.deepInclude(due("2026-11-11", "2026-11-11", { discount: fixed }), { discount: 1_500, total: 8_500 })
    assert.deepInclude(due("2026-11-11", "2026-11-12", { discount: fixed }), { discount: 0, fine: 200 })
    // A Sunday: a payment on Monday is neither late nor early.
    assert.deepInclude(due("2026-11-15", "2026-11-16", { discount: fixed }), { discount: 0, total: 10_000 })
  })

  it("is zero if the discount exceeds the value", () => {
    const more = { ...fixed, value: 10_001 }
    assert.strictEqual(due("2026-11-11", "2026-11-11", { discount: more }).total, 0)
    const whole = { ...percent, value: 99_999_999_999 }
    assert.strictEqual(due("2026-11-11", "2026-11-01", { discount: whole }).total, 0)
  })

  it.prop(
    "is at most the value when early, at least the value when late, and never both",
    [Discount, LocalDate],
    ([discount, any]) => {
      const paidOn = any > "2300-01-01" ? "2026-11-11" : any
      const { daysLate, discount: less, total } = due("2026-11-11", paidOn, { discount })
      assert.isTrue(total >= 0 && (daysLate > 0 ? total >= 10_000 : total <= 10_000))
      assert.isTrue(less === 0 || daysLate === 0)
    }
  )
})
