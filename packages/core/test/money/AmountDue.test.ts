import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type AmountDue, amountDue, type Terms, lateCharges, type Options } from "../../src/money/AmountDue.ts"
import { Discount } from "../../src/paymentMethods/PaymentMethod.ts"
import { Percentage } from "../../src/money/Percentage.ts"
import { LocalDate, addDays, fromEpochDay } from "../../src/time/LocalDate.ts"
import { cents, day } from "../fixtures/States.ts"
import * as fc from "fast-check"
import * as BankCalendar from "../../src/time/BankCalendar.ts"
import * as Cents from "../../src/money/Cents.ts"

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

// Usual terms: a fine of 2.00 % and interest of 1.00 % a month.
const usual = { fine: Percentage.make(200), interest: Percentage.make(100) }

const charge = (value: number, due: string, paidOn: string, options?: Options) => {
  const result = lateCharges(
    { ...usual, value: Cents.Cents.make(value), due: LocalDate.make(due), paidOn: LocalDate.make(paidOn) },
    options
  )
  const { daysLate, fine, interest, total } = Result.getOrThrow(result)
  return [fine, interest, total, daysLate]
}

describe("lateCharges", () => {
  it("rounds down like the bank's example: R$ 100,00, 5 days, 2.00 + 0.16", () => {
    assert.deepStrictEqual(charge(10_000, "2026-03-02", "2026-03-07"), [200, 16, 10_216, 5])
  })

  it("rounds half up by option: the same 0.1667 is 0.17", () => {
    const rounded = charge(10_000, "2026-03-02", "2026-03-07", { rounding: "halfUp" })
    assert.deepStrictEqual(rounded, [200, 17, 10_217, 5])
  })

  it("charges 60 + 10 for R$ 3.000,00 and 10 days", () => {
    assert.deepStrictEqual(charge(300_000, "2026-03-02", "2026-03-12"), [6_000, 1_000, 307_000, 10])
  })

  it("charges nothing on the last day of the calendar, which no business day follows", () => {
    assert.deepStrictEqual(charge(10_000, "9999-12-31", "2026-03-02"), [0, 0, 10_000, 0])
    assert.deepStrictEqual(charge(10_000, "9999-12-31", "9999-12-31"), [0, 0, 10_000, 0])
  })

  it("charges nothing on 2 January for a boleto that was due on the last weekday of the year", () => {
    assert.deepStrictEqual(charge(10_000, "2028-12-29", "2029-01-02"), [0, 0, 10_000, 0])
  })

  it("charges nothing on the due date and before", () => {
    assert.deepStrictEqual(charge(10_000, "2026-03-02", "2026-03-02"), [0, 0, 10_000, 0])
    assert.deepStrictEqual(charge(10_000, "2026-03-02", "2026-02-01"), [0, 0, 10_000, 0])
  })

  it("charges the monthly rate for 30 days, and the fine only once", () => {
    assert.deepStrictEqual(charge(10_000, "2026-03-02", "2026-04-01"), [200, 100, 10_300, 30])
    assert.deepStrictEqual(charge(10_000, "2026-03-02", "2027-03-02"), [200, 1_216, 11_416, 365])
  })

  describe("when the due date is not a business day (Saturday 2026-03-07)", () => {
    it("is not late on the next business day (Lei 7.089/1983)", () => {
      assert.deepStrictEqual(charge(10_000, "2026-03-07", "2026-03-08"), [0, 0, 10_000, 0])
      assert.deepStrictEqual(charge(10_000, "2026-03-07", "2026-03-09"), [0, 0, 10_000, 0])
      assert.deepStrictEqual(charge(10_000, "2026-03-07", "2026-03-09", { countFrom: "dueDate" }), [0, 0, 10_000, 0])
    })

    it("counts a later payment from that business day, or from the due date by option", () => {
      assert.deepStrictEqual(charge(300_000, "2026-03-07", "2026-03-10"), [6_000, 100, 306_100, 1])
      assert.deepStrictEqual(
        charge(300_000, "2026-03-07", "2026-03-10", { countFrom: "dueDate" }),
        [6_000, 300, 306_300, 3]
      )
    })

    it("uses the given calendar", () => {
      // Carnival 2026: Saturday 14 to Tuesday 17 February.
      assert.deepStrictEqual(charge(10_000, "2026-02-14", "2026-02-18"), [0, 0, 10_000, 0])
      const [, , , daysLate] = charge(10_000, "2026-02-14", "2026-02-18", {
        calendar: { open: [LocalDate.make("2026-02-16")] }
      })
      assert.strictEqual(daysLate, 2)
      assert.deepStrictEqual(charge(10_000, "2026-12-31", "2027-01-04"), [0, 0, 10_000, 0])
      assert.strictEqual(charge(10_000, "2026-12-31", "2027-01-04", { calendar: { lastWeekday: "open" } })[3], 4)
    })
  })

  it("counts only business days by option", () => {
    // Friday to the Tuesday of the week after next: 11 days, 7 of them business days.
    assert.strictEqual(charge(300_000, "2026-03-06", "2026-03-17")[3], 11)
    assert.deepStrictEqual(charge(300_000, "2026-03-06", "2026-03-17", { days: "business" }), [6_000, 700, 306_700, 7])
    // Late, with a fine, but by a weekend without business days.
    assert.deepStrictEqual(charge(10_000, "2026-03-06", "2026-03-07", { days: "business" }), [200, 0, 10_200, 0])
  })

  it("fails if the total exceeds the largest amount", () => {
    const result = lateCharges({
      ...usual,
      value: Cents.Cents.make(99_999_999_999),
      due: LocalDate.make("2026-03-02"),
      paidOn: LocalDate.make("2026-03-03")
    })
    assert.instanceOf(Result.getOrThrow(Result.flip(result)), Cents.CentsOutOfRange)
  })

  describe("for any terms", () => {
    const terms = fc
      .record({
        value: fc.integer({ min: 0, max: 1_000_000_000 }),
        fine: fc.integer({ min: 0, max: 200 }),
        interest: fc.integer({ min: 0, max: 1_000 }),
        dueDay: fc.integer({ min: 15_000, max: 30_000 }),
        days: fc.integer({ min: -5, max: 800 })
      })
      .map(({ days, dueDay, ...rates }) => ({
        value: Cents.Cents.make(rates.value),
        fine: Percentage.make(rates.fine),
        interest: Percentage.make(rates.interest),
        due: fromEpochDay(dueDay),
        paidOn: fromEpochDay(dueDay + days)
      }))

    it("never charges more than the exact amount, and less than one cent below it", () => {
      fc.assert(
        fc.property(terms, (input) => {
          const { daysLate, fine, interest, total } = Result.getOrThrow(lateCharges(input))
          const exact = input.value * input.interest * daysLate
          assert.isTrue(interest * 300_000 <= exact && exact < (interest + 1) * 300_000)
          assert.isTrue(fine === 0 || fine === Math.floor((input.value * input.fine) / 10_000))
          assert.strictEqual(total, input.value + fine + interest)
        })
      )
    })

    it("never costs less a day later, and the fine stays the same", () => {
      fc.assert(
        fc.property(terms, fc.constantFrom("calendar" as const, "business" as const), (input, days) => {
          const today = Result.getOrThrow(lateCharges(input, { days }))
          const tomorrow = Result.getOrThrow(lateCharges({ ...input, paidOn: addDays(input.paidOn, 1) }, { days }))
          assert.isAtLeast(tomorrow.total, today.total)
          assert.isTrue(today.fine === 0 || tomorrow.fine === today.fine)
        })
      )
    })

    it("charges nothing up to the business day of payment", () => {
      fc.assert(
        fc.property(terms, (input) => {
          const paidOn = BankCalendar.nextBusinessDay(input.due)
          const { daysLate, total } = Result.getOrThrow(lateCharges({ ...input, paidOn }))
          assert.deepStrictEqual([daysLate, total], [0, input.value])
        })
      )
    })
  })
})
