import { assert, describe, it } from "@effect/vitest"
import { maxMembers, exceededLimit } from "@parcela/core/json/JsonChecks"
import * as fc from "fast-check"
import { duplicateKeys } from "../../src/json/JsonChecks.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isSameJson } from "../../src/json/JsonChecks.ts"

const many = (count: number) => Array.from({ length: count }, () => "a")
const keyed = (count: number) => Object.fromEntries(many(count).map((value, index) => [`k${index}`, value]))
const problemsOf = (json: unknown, entity = "Subscription") => exceededLimit(JSON.stringify(json), entity)

describe("the members of a JSON text", () => {
  it("are limited to 1,000 in each list and object at any depth", () => {
    for (const json of [
      null,
      1,
      "x,".repeat(5_000),
      [],
      {},
      many(maxMembers),
      keyed(maxMembers),
      { a: { b: [many(1_000)] } }
    ]) {
      assert.isUndefined(problemsOf(json))
    }
  })

  it("are reported under the field of the list or object that exceeds the limit", () => {
    assert.deepStrictEqual(problemsOf({ Customer: { name: "a", emails: many(1_001) } }), {
      "Customer.emails": ["has more than 1000 items"]
    })
    assert.deepStrictEqual(problemsOf(keyed(90_000), "Transaction"), {
      "Transaction.body": ["has more than 1000 fields"]
    })
    assert.deepStrictEqual(problemsOf({ Card: keyed(1_001) }), { "Subscription.Card": ["has more than 1000 fields"] })
    assert.deepStrictEqual(
      Object.keys(exceededLimit(`{"Cust\\u006fmer":{"emails":[${"1,".repeat(1_000)}1]}}`, "Charge")!),
      ["Customer.emails"]
    )
  })

  it("are counted each time they are written, also under the same key", () => {
    assert.isDefined(exceededLimit(`{${'"a":1,'.repeat(1_000)}"a":1}`, "Charge"))
  })

  it("are limited to 10,000 in the whole text", () => {
    assert.isUndefined(problemsOf(Array.from({ length: 10 }, () => many(990))))
    assert.deepStrictEqual(problemsOf(Array.from({ length: 20 }, () => many(990))), {
      "Subscription.body": ["has more than 10000 items and fields in total"]
    })
    assert.isDefined(problemsOf(Array.from({ length: 900 }, () => many(0).concat(many(12)))))
  })
})

describe("the depth of a JSON text", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
  const tooDeep = { "Charge.body": ["is nested deeper than 64 levels, the maximum"] }

  it("is limited to 64 levels at any position", () => {
    assert.isUndefined(exceededLimit(nested(64), "Charge"))
    assert.isUndefined(exceededLimit(`[${`${nested(63)},`.repeat(50)}1]`, "Charge"))
    assert.deepStrictEqual(exceededLimit(nested(65), "Charge"), tooDeep)
    assert.deepStrictEqual(exceededLimit('{"a":'.repeat(65), "Charge"), tooDeep)
  })

  it("ignores brackets within a text, and does not end a text at an escaped quote", () => {
    assert.isUndefined(exceededLimit(JSON.stringify({ a: "[{".repeat(100), b: `\\"${"[".repeat(100)}` }), "Charge"))
    assert.deepStrictEqual(exceededLimit(`{"a":"\\\\","b":${nested(64)}}`, "Charge"), tooDeep)
  })
})

describe("repeated keys of JSON", () => {
  it.each<readonly [json: string, places: ReadonlyArray<ReadonlyArray<string | number>>]>([
    ['{"value":1,"value":2}', [["value"]]],
    ['{"value":1,"v\\u0061lue":2}', [["value"]]],
    ['{ "a" : 1 , "b" : { "a" : 1 , "a" : 2 } , "a" : 3 }', [["b", "a"], ["a"]]],
    ['{"a":[{"b":1},{"b":1,"c":[1,2],"b":1}]}', [["a", 1, "b"]]],
    ['{"a":1,"a":1,"a":1}', [["a"], ["a"]]],
    ['[{"a":1},{"a":1}]', []],
    ['{"a":"b","b":"a","c":{"a":"\\"a\\":\\\\","b":"{\\"a\\":1,\\"a\\":2}"}}', []],
    ['{"":1,"":2}', [[""]]],
    ['"a:a:"', []],
    ["12", []]
  ])("%s", (json, places) => {
    assert.deepStrictEqual(duplicateKeys(json), places)
  })

  it("are absent in the output of JSON.stringify, for any keys and texts", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1), (json, space) =>
        assert.deepStrictEqual(duplicateKeys(JSON.stringify(JSON.parse(json), undefined, space)), [])
      )
    )
  })

  it("are found at any position of an object with a repeated key", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, nth) => {
        const members = Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
        const keys = Object.keys(object)
        const again = nth % members.length
        const text = `{${[...members, members[again]].join(",")}}`
        assert.deepStrictEqual(duplicateKeys(text), [[keys[again]!]])
      })
    )
  })
})

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
