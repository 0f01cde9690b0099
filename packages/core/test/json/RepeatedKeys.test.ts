import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { duplicateKeys } from "../../src/json/JsonText.ts"

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
