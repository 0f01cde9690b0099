import { assert, describe, it } from "@effect/vitest"
import {
  type BusinessTime,
  businessStartOf,
  businessTimeOf,
  ClockOffset,
  noOffset,
  earliest,
  type EpochMillis,
  latest,
  MachineTime
} from "../../src/time/Instant.ts"
import { LocalDate } from "../../src/time/LocalDate.ts"
import type * as SubscriptionDecider from "../../src/subscriptions/SubscriptionDecider.ts"
import { Schema } from "effect"
import { expectTypeOf } from "vitest"

const instant = 1_790_000_000_000

describe("business time", () => {
  it.prop(
    "is the sum of machine time and offset",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))],
    (ahead) =>
      assert.strictEqual(businessTimeOf(MachineTime.make(instant), ClockOffset.make(ahead[0])), instant + ahead[0])
  )

  it("stops at the last valid instant", () => {
    assert.strictEqual(businessTimeOf(MachineTime.make(latest), ClockOffset.make(1)), latest)
  })

  it("has a start of every day, including the first and the last day of the calendar", () => {
    assert.strictEqual(businessStartOf(LocalDate.make("2026-11-22")), Date.UTC(2026, 10, 22, 3))
    assert.strictEqual(businessStartOf(LocalDate.make("1000-01-01")), earliest)
    assert.strictEqual(businessStartOf(LocalDate.make("9999-12-31")), latest)
  })

  it("is never behind machine time", () => {
    assert.isFalse(Schema.is(ClockOffset)(-1))
    assert.isFalse(Schema.is(ClockOffset)(0.5))
    assert.strictEqual(noOffset, 0)
  })

  it("is a type of its own, different from machine time and plain instants", () => {
    expectTypeOf<MachineTime>().not.toExtend<BusinessTime>()
    expectTypeOf<BusinessTime>().not.toExtend<MachineTime>()
    expectTypeOf<EpochMillis>().not.toExtend<BusinessTime>()
    expectTypeOf<EpochMillis>().not.toExtend<MachineTime>()
    expectTypeOf<MachineTime>().not.toExtend<Parameters<typeof SubscriptionDecider.stop>[1]>()
  })
})
