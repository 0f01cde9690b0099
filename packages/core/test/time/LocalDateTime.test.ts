import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { LocalDate, LocalDateTime } from "../../src/time/LocalDate.ts"

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
