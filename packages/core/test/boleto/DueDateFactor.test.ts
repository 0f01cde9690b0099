import { getBoletoInfo } from "@brazilian-utils/brazilian-utils"
import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import * as BankLine from "../../src/boleto/BankLine.ts"
import * as BoletoBarcode from "../../src/boleto/BoletoBarcode.ts"
import { Cents } from "../../src/money/Cents.ts"
import { DueDateFactor, DueDateTooEarly, fromFactor, noDueDate, toFactor } from "../../src/boleto/DueDateFactor.ts"
import { addDays, fromEpochDay, LocalDate, toEpochDay } from "../../src/time/LocalDate.ts"

const date = (text: string) => LocalDate.make(text)
const factor = (text: string) => DueDateFactor.make(text)

const firstDay = toEpochDay(date("2000-07-03"))
const lastDay = toEpochDay(date("9999-12-31"))
const days = Schema.Int.check(Schema.isBetween({ minimum: firstDay, maximum: lastDay }))
const offset = Schema.Int.check(Schema.isBetween({ minimum: -4499, maximum: 4499 }))
const inLocalDates = (epochDay: number) => fromEpochDay(Math.min(epochDay, lastDay))

describe("DueDateFactor", () => {
  it.each([
    ["2000-07-03", "1000"],
    ["2000-07-05", "1002"],
    ["2025-02-20", "9998"],
    ["2025-02-21", "9999"],
    ["2025-02-22", "1000"],
    ["2025-02-23", "1001"],
    ["2026-12-10", "1656"],
    ["2049-10-13", "9999"],
    ["2049-10-14", "1000"]
  ])("converts %s to %s", (day, expected) => {
    assert.deepStrictEqual(toFactor(date(day)), Result.succeed(factor(expected)))
  })

  it("refuses a day before the first factor", () => {
    const dueDate = date("2000-07-02")
    assert.deepStrictEqual(toFactor(dueDate), Result.fail(new DueDateTooEarly({ dueDate })))
    assert.strictEqual(
      new DueDateTooEarly({ dueDate }).message,
      "A boleto cannot be due on 2000-07-02: the first day a barcode can carry is 2000-07-03"
    )
  })

  it.each([
    ["1000", "2025-02-21", "2025-02-22"],
    ["9999", "2025-02-22", "2025-02-21"],
    ["1000", "2000-07-03", "2000-07-03"],
    ["1656", "2026-11-21", "2026-12-10"],
    ["9999", "2049-10-14", "2049-10-13"],
    ["1000", "2049-10-13", "2049-10-14"],
    ["1000", "1990-01-01", "2000-07-03"]
  ])("converts %s with the reference %s to %s", (text, reference, expected) => {
    assert.deepStrictEqual(fromFactor(factor(text), date(reference)), Option.some(date(expected)))
  })

  it("returns the later of two equally near days", () => {
    const between = addDays(date("2000-07-03"), 4500)
    assert.deepStrictEqual(fromFactor(factor("1000"), between), Option.some(date("2025-02-22")))
    assert.deepStrictEqual(fromFactor(factor("1000"), addDays(between, -1)), Option.some(date("2000-07-03")))
  })

  it("returns no due date for a leading zero", () => {
    assert.deepStrictEqual(fromFactor(noDueDate, date("2026-11-21")), Option.none())
    assert.deepStrictEqual(fromFactor(factor("0999"), date("2026-11-21")), Option.none())
  })

  it("refuses a text that is not four digits", () => {
    for (const text of ["", "999", "10000", "1O00", "-100"]) assert.isFalse(Schema.is(DueDateFactor)(text), text)
  })

  it.prop(
    "converts a day to a factor and back if the reference is less than half a cycle away",
    [days, offset],
    ([day, away]) => {
      const dueDate = fromEpochDay(day)
      const reference = inLocalDates(day + away)
      assert.deepStrictEqual(fromFactor(Result.getOrThrow(toFactor(dueDate)), reference), Option.some(dueDate))
    }
  )

  it.prop(
    "returns a valid day for every factor and every reference",
    [DueDateFactor, Schema.Int.check(Schema.isBetween({ minimum: toEpochDay(date("1000-01-01")), maximum: lastDay }))],
    ([factor, reference]) => {
      const read = fromFactor(factor, fromEpochDay(reference))
      assert.strictEqual(Option.isNone(read), factor.startsWith("0"))
      if (Option.isSome(read)) assert.deepStrictEqual(toFactor(read.value), Result.succeed(factor))
    }
  )

  // The oracle limits the range around the reference, so only near days are compared.
  it.prop(
    "agrees with the oracle within three years of today",
    [Schema.Int.check(Schema.isBetween({ minimum: -1000, maximum: 1000 }))],
    ([away]) => {
      const today = date("2026-11-21")
      const dueDate = addDays(today, away)
      const barcode = BoletoBarcode.build({ bank: "341", dueDate, value: Cents.make(1), freeField: "1".repeat(25) })
      const line = BankLine.fromBarcode(Result.getOrThrow(barcode))
      const read = getBoletoInfo(line, { referenceDate: new Date(2026, 10, 21) })?.expirationDate
      assert.isNotNull(read)
      assert.deepStrictEqual(
        [read?.getFullYear(), read?.getMonth(), read?.getDate()],
        [Number(dueDate.slice(0, 4)), Number(dueDate.slice(5, 7)) - 1, Number(dueDate.slice(8))]
      )
    }
  )
})
