import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { addDays, dayOfWeek, daysBetween, fromEpochDay, LocalDate, toEpochDay } from "../../src/time/LocalDate.ts"

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
