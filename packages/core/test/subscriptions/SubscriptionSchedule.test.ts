import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { nextStepOn, SubscriptionSchedule } from "../../src/subscriptions/SubscriptionSchedule.ts"
import { day, scheduleOf } from "../fixtures/States.ts"

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
