import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  nextStepOn,
  SubscriptionSchedule,
  dueDate,
  periods,
  schedule
} from "../../src/subscriptions/SubscriptionSchedule.ts"
import { day, scheduleOf } from "../fixtures/States.ts"
import * as fc from "fast-check"
import { Periodicity } from "../../src/plans/Plan.ts"
import { daysBetween, fromEpochDay, LocalDate } from "../../src/time/LocalDate.ts"

const isSchedule = Schema.is(SubscriptionSchedule)

/** Yearly from December 9997: three instalments fall due before the calendar ends. */
const atTheEnd = (made: number) => scheduleOf({ periodicity: "yearly", firstPayDay: day("9997-12-14"), made })

describe("the created instalments of a schedule", () => {
  it("are limited to those that fall due by the year 9999", () => {
    assert.isTrue(isSchedule(atTheEnd(3)))
    assert.isFalse(isSchedule(atTheEnd(4)))
    assert.isFalse(isSchedule(atTheEnd(-1)))
  })

  it("end with the last one before the end of the calendar", () => {
    assert.strictEqual(nextStepOn(atTheEnd(3)), "9999-12-14")
  })
})

const date = (text: string) => LocalDate.make(text)

describe("schedule", () => {
  it.each([
    ["2026-12-28", "weekly", "2026-12-28 2027-01-04 2027-01-11"],
    ["2026-02-20", "biweekly", "2026-02-20 2026-03-06 2026-03-20"],
    ["2026-01-31", "monthly", "2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31"],
    ["2028-01-31", "monthly", "2028-01-31 2028-02-29 2028-03-31"],
    ["2026-01-30", "monthly", "2026-01-30 2026-02-28 2026-03-30"],
    ["2026-11-15", "monthly", "2026-11-15 2026-12-15 2027-01-15"],
    ["2026-12-31", "bimonthly", "2026-12-31 2027-02-28 2027-04-30 2027-06-30 2027-08-31"],
    ["2026-08-31", "quarterly", "2026-08-31 2026-11-30 2027-02-28 2027-05-31"],
    ["2026-08-31", "biannual", "2026-08-31 2027-02-28 2027-08-31"],
    ["2028-02-29", "yearly", "2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29"],
    ["2096-02-29", "yearly", "2096-02-29 2097-02-28 2098-02-28 2099-02-28 2100-02-28"]
  ] as const)("from %s %s is %s", (first, periodicity, expected) => {
    const dates: ReadonlyArray<string> = expected.split(" ")
    assert.deepStrictEqual<ReadonlyArray<string>>(schedule(date(first), periodicity, dates.length), dates)
  })

  it("returns no due dates for a quantity of 0", () => {
    assert.deepStrictEqual(schedule(date("2026-01-31"), "monthly", 0), [])
  })
})

describe("dueDate", () => {
  const day = fc.integer({ min: 0, max: 40_000 }).map(fromEpochDay)
  const periodicity = fc.constantFrom(...Periodicity.literals)
  const instalment = fc.integer({ min: 1, max: 600 })

  it("returns the first day for instalment 1", () => {
    fc.assert(fc.property(day, periodicity, (first, every) => assert.strictEqual(dueDate(first, every, 1), first)))
  })

  it("returns the day of the first date in each month, or the last day of a shorter month", () => {
    fc.assert(
      fc.property(day, periodicity, instalment, (first, every, number) => {
        const period = periods[every]
        if (!("months" in period)) return
        const due = dueDate(first, every, number)
        const months = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
        assert.strictEqual(months(due) - months(first), period.months * (number - 1))
        const isLastOfMonth = fromEpochDay(Date.parse(due) / 86_400_000 + 1).endsWith("-01")
        assert.isTrue(due.slice(8) === first.slice(8) || (isLastOfMonth && due.slice(8) < first.slice(8)))
      })
    )
  })

  it("returns dates whole weeks apart for weekly periods", () => {
    fc.assert(
      fc.property(day, instalment, (first, number) => {
        assert.strictEqual(daysBetween(first, dueDate(first, "weekly", number)), 7 * (number - 1))
        assert.strictEqual(daysBetween(first, dueDate(first, "biweekly", number)), 14 * (number - 1))
      })
    )
  })

  it("returns a later date for a later instalment", () => {
    fc.assert(
      fc.property(day, periodicity, instalment, (first, every, number) => {
        assert.isTrue(dueDate(first, every, number) < dueDate(first, every, number + 1))
      })
    )
  })
})

describe("Periodicity", () => {
  it("accepts the seven values of the interface", () => {
    assert.strictEqual(Periodicity.literals.join(" "), "weekly biweekly monthly bimonthly quarterly biannual yearly")
    assert.isFalse(Schema.is(Periodicity)("daily"))
  })
})
