import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  addDays,
  dayOfWeek,
  daysBetween,
  fromEpochDay,
  LocalDate,
  toEpochDay,
  LocalDateTime
} from "../../src/time/LocalDate.ts"
import { fromEpochMillis } from "../../src/time/Instant.ts"
import * as DateTime from "effect/DateTime"

const date = (text: string) => LocalDate.make(text)
const problem = (input: unknown) =>
  Result.match(Schema.decodeUnknownResult(LocalDate)(input), { onFailure: (e) => e.message, onSuccess: () => "none" })

describe("LocalDate", () => {
  it.each(["1000-01-01", "2024-02-29", "2000-02-29", "2026-12-31", "9999-12-31"])("accepts %s", (text) => {
    assert.strictEqual(problem(text), "none")
  })

  it.each(["2026-02-29", "1900-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00", "0999-12-31"])(
    "refuses %s, which is not a valid day",
    (text) => {
      assert.strictEqual(problem(text), "Expected a day that exists in the calendar")
    }
  )

  it.each(["", "2026-1-1", "26-01-01", "2026/01/01", "2026-01-01 ", "2026-01-01T00:00:00", "10000-01-01"])(
    "refuses %s, which has another format",
    (text) => {
      assert.strictEqual(problem(text), "Expected a date written YYYY-MM-DD")
    }
  )

  it.each([20_260_101, null, undefined, new Date(0)])("refuses %s", (input) => {
    assert.strictEqual(problem(input), "Expected string")
  })

  it("describes its form in JSON Schema", () => {
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(LocalDate).schema, {
      type: "string",
      pattern: "^(\\d{4})-(\\d{2})-(\\d{2})$",
      format: "date"
    })
  })

  it.prop("converts to a number of days and back", [LocalDate], ([day]) => {
    assert.strictEqual(fromEpochDay(toEpochDay(day)), day)
    assert.strictEqual(new Date(`${day}T00:00:00Z`).getTime(), toEpochDay(day) * 86_400_000)
    assert.strictEqual(dayOfWeek(day), new Date(`${day}T00:00:00Z`).getUTCDay())
  })

  it.prop("has the same order as its text", [LocalDate, LocalDate], ([a, b]) => {
    assert.strictEqual(Math.sign(daysBetween(a, b)), a < b ? 1 : a > b ? -1 : 0)
    assert.strictEqual(addDays(a, daysBetween(a, b)), b)
  })

  it("counts across the ends of months and leap days", () => {
    assert.strictEqual(addDays(date("2026-02-28"), 1), "2026-03-01")
    assert.strictEqual(addDays(date("2024-02-28"), 1), "2024-02-29")
    assert.strictEqual(addDays(date("2026-01-01"), -1), "2025-12-31")
    assert.strictEqual(daysBetween(date("2026-11-21"), date("2026-12-25")), 34)
    assert.strictEqual(daysBetween(date("1970-01-01"), date("1969-12-31")), -1)
  })

  it("ends with the interface's calendar", () => {
    assert.throws(() => addDays(date("9999-12-31"), 1))
    assert.throws(() => addDays(date("1000-01-01"), -1))
  })
})

describe("LocalDateTime", () => {
  it.each(["2026-11-21 00:00:00", "2026-11-21 23:59:59", "1000-01-01 00:00:00", "9999-12-31 23:59:59"])(
    "is %s",
    (text) => {
      assert.isTrue(Schema.is(LocalDateTime)(text))
    }
  )

  it.each([
    "2026-11-21T10:00:00",
    "2026-11-21 24:00:00",
    "2026-11-21 10:60:00",
    "2026-11-21 10:00:60",
    "2026-11-21 10:00",
    "2026-11-21 10:00:00Z",
    "2026-02-29 10:00:00",
    "0999-12-31 10:00:00",
    "",
    5,
    null
  ])("refuses %s", (input) => {
    assert.isFalse(Schema.is(LocalDateTime)(input))
  })

  it("describes its form in JSON Schema", () => {
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(LocalDateTime).schema, {
      type: "string",
      pattern: "^\\d{4}-\\d{2}-\\d{2} ([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$"
    })
  })

  it.prop("generates valid days and times", [LocalDateTime], ([time]) => {
    assert.isTrue(Schema.is(LocalDate)(time.slice(0, 10)))
    assert.isFalse(Number.isNaN(Date.parse(time.replace(" ", "T"))))
  })
})

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
