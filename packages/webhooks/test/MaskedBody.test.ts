import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { isMaskedOnce, mask, restore } from "../src/Delivery.ts"

const hash = Redacted.make("0123456789abcdef")

describe("a masked body", () => {
  it("has no confirmHash and can be restored byte for byte", () => {
    for (const text of [
      `{"confirmHash":"0123456789abcdef"}`,
      ` { "a" : "x 0123456789abcdef y" ,\n "confirmHash":  "0123456789abcdef" }`,
      `\ufeff{"confirmHash":"0123456789abcdef","name":"ação 🙂 \\u001a"}`
    ]) {
      const masked = mask(text, hash)
      assert.notInclude(masked, Redacted.value(hash))
      assert.strictEqual(restore(masked, hash), text)
    }
  })

  it("can have slashes that PHP escapes", () => {
    const slashed = Redacted.make("ab/cd$&")
    for (const text of [`{"confirmHash":"ab\\/cd$&"}`, `{"confirmHash":"ab/cd$&"}`]) {
      const masked = mask(text, slashed)
      assert.notInclude(masked, "cd")
      assert.strictEqual(restore(masked, slashed), text)
    }
  })

  it("loses a confirmHash that is written with escapes", () => {
    const masked = mask(`{"event":"a","confirmHash":"\\u00301234567\\u0038 9"}`, Redacted.make("012345678 9"))
    assert.notInclude(masked, "1234567")
  })

  it("is masked once if it has one usual occurrence", () => {
    const of = (body: string, confirmHash = hash) => isMaskedOnce(mask(body, confirmHash))
    assert.isTrue(of(`{"confirmHash":"0123456789abcdef","a":1}`))
    assert.isFalse(of(`{"confirmHash":"0123456789abcdef","a":"x0123456789abcdef"}`))
    assert.isFalse(of(`{"confirmHash":"0123456789abcde\\u0066"}`))
    assert.isFalse(of(`{"a":1}`))
  })

  it.effect.prop("restores any JSON", [Schema.Json, Schema.NonEmptyString], ([json, text]) =>
    Effect.sync(() => {
      const confirmHash = Redacted.make(text)
      const body = JSON.stringify({ json, confirmHash: text })
      assert.strictEqual(restore(mask(body, confirmHash), confirmHash), body)
    })
  )
})
