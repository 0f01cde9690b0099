import { assert, describe, it } from "@effect/vitest"
import { dateText, dateTimeText, epochDayOf } from "../../src/internal/calendar.ts"

const millisPerDay = 86_400_000
const firstDay = -354_285
const lastDay = 2_932_896

describe("days by arithmetic", () => {
  it("agree with Date for each day of the years 1000 to 9999, in both directions", () => {
    for (let day = firstDay; day <= lastDay; day += 1) {
      const text = dateText(day)
      if (epochDayOf(text) !== day) assert.fail(`${day} is ${text}, and that is ${epochDayOf(text)}`)
    }
    for (let day = firstDay; day <= lastDay; day += 97) {
      assert.strictEqual(dateText(day), new Date(day * millisPerDay).toISOString().slice(0, 10))
    }
  })

  it("exist exactly if they exist for Date", () => {
    for (const year of ["0000", "0999", "1000", "1900", "2000", "2023", "2024", "2100", "9999"]) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
          const date = new Date(`${text}T00:00:00Z`)
          // Date converts 2026-02-30 to the second of March.
          const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && year >= "1000"
          assert.strictEqual(epochDayOf(text) !== undefined, exists, text)
        }
      }
    }
  })

  it("end with the years 1000 and 9999", () => {
    assert.throws(() => dateText(firstDay - 1), RangeError)
    assert.throws(() => dateText(lastDay + 1), RangeError)
    assert.throws(() => dateText(NaN), RangeError)
  })

  it("have seconds, also before 1970", () => {
    for (const second of [0, -1, -86_400, -86_401, 1_790_000_000, -30_610_224_000, 253_402_300_799]) {
      const text = new Date(second * 1_000).toISOString().slice(0, 19).replace("T", " ")
      assert.strictEqual(dateTimeText(second), text)
    }
  })
})
