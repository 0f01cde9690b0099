import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Percentage from "../../src/money/Percentage.ts"

describe("Percentage", () => {
  it.each([
    [0, "0,00%"],
    [5, "0,05%"],
    [200, "2,00%"],
    [1_234, "12,34%"],
    [10_000, "100,00%"]
  ])("formats %i as %s", (value, text) => {
    assert.strictEqual(Percentage.format(Percentage.Percentage.make(value)), text)
  })

  it.each([-1, 1.5, 100_000_000_000, NaN, "200", null])("refuses %s", (value) => {
    assert.isFalse(Schema.is(Percentage.Percentage)(value))
  })

  it.prop("formats the same number as text", [Percentage.Percentage], ([percentage]) => {
    assert.strictEqual(Number(Percentage.format(percentage).replace(/[,%]/g, "")), percentage)
  })
})
