import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isSameJson } from "../../src/values/Decision.ts"

/** The same value with the fields of every object sorted by name. */
const inOrder = (value: Schema.Json): Schema.Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, field]) => [name, inOrder(field)])
  )
}

describe("SameJson", () => {
  it.effect.prop(
    "is true for a value and its copy, and for two values exactly if their sorted JSON is equal",
    [Schema.Json, Schema.Json],
    ([one, other]) =>
      Effect.sync(() => {
        assert.isTrue(isSameJson(one, JSON.parse(JSON.stringify(one))))
        assert.strictEqual(isSameJson(one, other), JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other)))
      })
  )

  it("ignores the order of fields and undefined fields", () => {
    assert.isTrue(isSameJson({ a: 1, b: { c: [1, null] } }, { b: { c: [1, null] }, a: 1 }))
    assert.isTrue(isSameJson({ a: 1, b: undefined }, { a: 1 }))
    assert.isTrue(isSameJson({ a: 1 }, { a: 1, b: undefined }))
  })

  it.each([
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: 1, b: null }, { a: 1 }],
    [[1, 2], [1]],
    [[1], [1, 2]],
    [[], {}],
    [{}, null],
    ["1", 1],
    [{ a: [{ b: "x" }] }, { a: [{ b: "y" }] }]
  ])("distinguishes %j from %j", (one, other) => {
    assert.isFalse(isSameJson(one, other))
  })
})
