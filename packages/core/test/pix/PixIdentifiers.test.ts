import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import {
  build,
  parse,
  PixEndToEndId,
  PixEndToEndIdError,
  DynamicTxid,
  StaticTxid
} from "../../src/pix/PixIdentifiers.ts"

const minute = Date.UTC(2026, 10, 21, 8, 5)
const parts = { ispb: "12345678", epochMillis: minute, sequence: "AbC12345xyz" }
const vector = "E12345678202611210805AbC12345xyz"

const partOf = <A>(result: Result.Result<A, PixEndToEndIdError>) => Option.getOrThrow(Result.getFailure(result)).part
const isId = Schema.is(PixEndToEndId)

describe("PixEndToEndId", () => {
  it("consists of E, ISPB, the minute in UTC and the sequence, in 32 characters", () => {
    assert.deepStrictEqual(build(parts), Result.succeed(PixEndToEndId.make(vector)))
    assert.strictEqual(vector.length, 32)
    assert.deepStrictEqual(parse(vector), Result.succeed(parts))
  })

  it("drops the seconds", () => {
    assert.deepStrictEqual(build({ ...parts, epochMillis: minute + 59_999 }), build(parts))
  })

  it("reports the part that does not fit", () => {
    assert.strictEqual(partOf(build({ ...parts, ispb: "1234567" })), "ispb")
    assert.strictEqual(partOf(build({ ...parts, sequence: "AbC12345xy-" })), "sequence")
    for (const epochMillis of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, -8.64e15, Date.UTC(999, 11, 31)]) {
      assert.strictEqual(partOf(build({ ...parts, epochMillis })), "time")
    }
    assert.strictEqual(
      new PixEndToEndIdError({ part: "ispb" }).message,
      "Not a Pix end-to-end id: the ISPB has 8 digits"
    )
  })

  it("refuses a text of another format or with a time that does not exist", () => {
    assert.strictEqual(partOf(parse("")), "shape")
    assert.strictEqual(partOf(parse(vector.toLowerCase())), "shape")
    assert.strictEqual(partOf(parse(`${vector}0`)), "shape")
    assert.strictEqual(partOf(parse(vector.replace("20261121", "20261321"))), "shape")
    assert.strictEqual(partOf(parse(vector.replace("0805", "2405"))), "shape")
    assert.strictEqual(partOf(parse(vector.replace("20261121", "20260229"))), "time")
    assert.isTrue(isId(vector.replace("20261121", "20280229")))
    assert.isFalse(isId(vector.replace("20261121", "20260229")))
  })

  it.prop("returns the parts from which it was built", [PixEndToEndId], ([id]) => {
    assert.deepStrictEqual(Result.flatMap(parse(id), build), Result.succeed(id))
  })
})

const isDynamic = Schema.is(DynamicTxid)
const isStatic = Schema.is(StaticTxid)

describe("PixTxid", () => {
  it("of a dynamic charge has 26 to 35 letters and digits", () => {
    assert.deepStrictEqual(
      [0, 25, 26, 35, 36].map((length) => isDynamic("a".repeat(length))),
      [false, false, true, true, false]
    )
    assert.isFalse(isDynamic(`${"a".repeat(25)}-`))
    assert.isFalse(isDynamic(`${"a".repeat(25)}ã`))
  })

  it("of a static code has 1 to 25 letters and digits, and *** is refused", () => {
    assert.deepStrictEqual(
      [0, 1, 25, 26].map((length) => isStatic("Z".repeat(length))),
      [false, true, true, false]
    )
    assert.isFalse(isStatic("***"))
  })

  it("reports the expected form", () => {
    const message = Result.match(Schema.decodeUnknownResult(DynamicTxid)("short"), {
      onFailure: (error) => error.message,
      onSuccess: () => ""
    })
    assert.strictEqual(message, "Expected a txid of 26 to 35 letters and digits")
  })

  it.prop("generates valid identifiers", [DynamicTxid, StaticTxid], ([dynamic, fixed]) => {
    assert.isTrue(isDynamic(dynamic) && isStatic(fixed))
  })
})
