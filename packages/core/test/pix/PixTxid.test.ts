import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { DynamicTxid, StaticTxid } from "../../src/pix/PixIdentifiers.ts"

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
