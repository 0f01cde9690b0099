import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { fromEpochMillis } from "../../src/time/Instant.ts"
import { fromEpochDay, LocalDate, toEpochDay } from "../../src/time/LocalDate.ts"
import * as DateTime from "effect/DateTime"

const millisPerDay = 86_400_000
const firstDay = -354_285
const lastDay = 2_932_896
const isDate = Schema.is(LocalDate)

describe("calendar arithmetic", () => {
  it("converts each day of the years 1000 to 9999 to text and back", () => {
    for (let day = firstDay; day <= lastDay; day += 1) {
      const date = fromEpochDay(day)
      if (toEpochDay(date) !== day) assert.fail(`${day} is ${date}, which is ${toEpochDay(date)}`)
    }
  })

  it("agrees with Date", () => {
    for (let day = firstDay; day <= lastDay; day += 97) {
      assert.strictEqual(fromEpochDay(day), new Date(day * millisPerDay).toISOString().slice(0, 10))
    }
  })

  it("accepts exactly the days that exist for Date", () => {
    for (const year of ["0000", "0999", "1000", "1900", "2000", "2023", "2024", "2100", "9999"]) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
          const date = new Date(`${text}T00:00:00Z`)
          // Date converts 2026-02-30 to the second of March.
          const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && year >= "1000"
          assert.strictEqual(isDate(text), exists, text)
        }
      }
    }
  })

  it("throws outside the years 1000 to 9999", () => {
    assert.throws(() => fromEpochDay(firstDay - 1), RangeError)
    assert.throws(() => fromEpochDay(lastDay + 1), RangeError)
    assert.throws(() => fromEpochDay(NaN), RangeError)
  })

  it("formats seconds before and after 1970 as Date does", () => {
    const utc = DateTime.zoneMakeNamedUnsafe("UTC")
    for (const second of [0, -1, -86_400, -86_401, 1_790_000_000, -30_610_224_000, 253_402_300_799]) {
      const text = new Date(second * 1_000).toISOString().slice(0, 19).replace("T", " ")
      assert.strictEqual(fromEpochMillis(second * 1_000, utc), text)
    }
  })
})
