import { assert, describe, it } from "@effect/vitest"
import {
  type BusinessTime,
  businessStartOf,
  businessTimeOf,
  ClockOffset,
  noOffset,
  earliest,
  EpochMillis,
  latest,
  MachineTime,
  dateAt,
  fromEpochMillis,
  monthsLater,
  saoPaulo,
  startOfDay
} from "../../src/time/Instant.ts"
import { LocalDate, LocalDateTime } from "../../src/time/LocalDate.ts"
import type * as SubscriptionDecider from "../../src/subscriptions/SubscriptionDecider.ts"
import { Schema, DateTime } from "effect"
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

// The largest offsets from UTC that clocks have ever had, by local mean time.
const zones = ["America/Sao_Paulo", "Pacific/Kiritimati", "America/Juneau", "Asia/Manila", "UTC"].map((name) =>
  DateTime.zoneMakeNamedUnsafe(name)
)

describe("an instant", () => {
  it("is converted to the wall-clock time in Brazil", () => {
    const noon = Date.parse("2026-11-21T12:00:00-03:00")
    assert.strictEqual(fromEpochMillis(noon), "2026-11-21 12:00:00")
    assert.strictEqual(fromEpochMillis(noon, DateTime.zoneMakeNamedUnsafe("UTC")), "2026-11-21 15:00:00")
    assert.strictEqual(dateAt(Date.parse("2026-11-22T02:59:59Z")), "2026-11-21")
    assert.strictEqual(dateAt(Date.parse("2026-11-22T03:00:00Z")), "2026-11-22")
  })

  it("has an offset of two hours during daylight saving time before 2019", () => {
    assert.strictEqual(fromEpochMillis(Date.parse("2018-12-01T12:00:00Z")), "2018-12-01 10:00:00")
  })

  /** The result of the zone's rules, computed for each instant. */
  const byRules = (instant: number, zone: DateTime.TimeZone) => {
    const { day, hour, minute, month, second, year } = DateTime.toParts(
      DateTime.setZone(DateTime.makeUnsafe(instant), zone)
    )
    const pad = (value: number, width = 2) => String(value).padStart(width, "0")
    return `${pad(year, 4)}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`
  }

  it.prop("follows the zone's rules at any time", [EpochMillis], ([instant]) => {
    for (const zone of zones) assert.strictEqual(fromEpochMillis(instant, zone), byRules(instant, zone))
  })

  it("follows the zone's rules around the changes of daylight saving time", () => {
    const days = ["2017-10-15", "2018-02-18", "2018-11-04", "2019-02-17", "2026-11-21"]
    for (const zone of [...zones, DateTime.zoneMakeNamedUnsafe("Europe/Berlin")]) {
      for (const day of [...days, "2026-03-29", "2026-10-25"]) {
        const midnight = Date.parse(`${day}T00:00:00Z`)
        for (let minutes = -1_440; minutes < 2_880; minutes += 7) {
          const instant = midnight + minutes * 60_000 + 999
          assert.strictEqual(fromEpochMillis(instant, zone), byRules(instant, zone))
        }
      }
    }
  })

  it.prop("can be written in every zone", [EpochMillis], ([instant]) => {
    for (const zone of zones) assert.isTrue(Schema.is(LocalDateTime)(fromEpochMillis(instant, zone)))
  })

  it("can be written at both ends of the range", () => {
    const earliest = -30_610_137_600_000
    assert.isTrue(Schema.is(EpochMillis)(earliest))
    assert.isFalse(Schema.is(EpochMillis)(earliest - 1))
    assert.strictEqual(latest, 253_402_214_399_999)
    assert.isFalse(Schema.is(EpochMillis)(latest + 1))
    for (const zone of zones) {
      assert.match(fromEpochMillis(earliest, zone), /^1000-01-0[12]/)
      assert.match(fromEpochMillis(latest, zone), /^9999-12-3[01]/)
    }
  })
})

describe("the start of a day", () => {
  it("is midnight", () => {
    assert.strictEqual(startOfDay(LocalDate.make("2026-11-21")), Date.parse("2026-11-21T00:00:00-03:00"))
  })

  it("is one o'clock if daylight saving time skips midnight", () => {
    const first = startOfDay(LocalDate.make("2018-11-04"))
    assert.strictEqual(fromEpochMillis(first, saoPaulo), "2018-11-04 01:00:00")
    assert.strictEqual(dateAt(first - 1), "2018-11-03")
  })
})

describe("months later", () => {
  it("returns the same day and time, or the last day of a shorter month", () => {
    // In UTC this is already the first of February.
    const evening = Date.parse("2028-01-31T22:30:00-03:00")
    assert.strictEqual(fromEpochMillis(monthsLater(evening, 1)), "2028-02-29 22:30:00")
    assert.strictEqual(fromEpochMillis(monthsLater(evening, 14)), "2029-03-31 22:30:00")
  })
})
