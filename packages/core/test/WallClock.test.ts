import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { EpochMillis, latest } from "../src/EpochMillis.ts"
import { LocalDate } from "../src/LocalDate.ts"
import { LocalDateTime } from "../src/LocalDateTime.ts"
import { dateAt, fromEpochMillis, saoPaulo, startOfDay } from "../src/WallClock.ts"

// As far from Greenwich as clocks have ever been, by local mean time.
const zones = ["America/Sao_Paulo", "Pacific/Kiritimati", "America/Juneau", "Asia/Manila", "UTC"].map((name) =>
  DateTime.zoneMakeNamedUnsafe(name)
)

describe("an instant", () => {
  it("is what a clock in Brazil shows", () => {
    const noon = Date.parse("2026-11-21T12:00:00-03:00")
    assert.strictEqual(fromEpochMillis(noon), "2026-11-21 12:00:00")
    assert.strictEqual(fromEpochMillis(noon, DateTime.zoneMakeNamedUnsafe("UTC")), "2026-11-21 15:00:00")
    assert.strictEqual(dateAt(Date.parse("2026-11-22T02:59:59Z")), "2026-11-21")
    assert.strictEqual(dateAt(Date.parse("2026-11-22T03:00:00Z")), "2026-11-22")
  })

  it("is two hours from Greenwich in the summers before 2019", () => {
    assert.strictEqual(fromEpochMillis(Date.parse("2018-12-01T12:00:00Z")), "2018-12-01 10:00:00")
  })

  it.prop("can be written wherever it is read", [EpochMillis], ([instant]) => {
    for (const zone of zones) assert.isTrue(Schema.is(LocalDateTime)(fromEpochMillis(instant, zone)))
  })

  it("can be written at both ends", () => {
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

  it("is one o'clock where summer time skips midnight", () => {
    const first = startOfDay(LocalDate.make("2018-11-04"))
    assert.strictEqual(fromEpochMillis(first, saoPaulo), "2018-11-04 01:00:00")
    assert.strictEqual(dateAt(first - 1), "2018-11-03")
  })
})
