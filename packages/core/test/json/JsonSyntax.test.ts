import { assert, describe, it } from "@effect/vitest"
import { jsonSyntaxError, jsonSyntaxMessage } from "@parcela/core/json/JsonSyntax"
import { Effect, Schema } from "effect"

const words = (text: string) => {
  const fault = jsonSyntaxError(text)
  return fault === undefined ? undefined : jsonSyntaxMessage(fault)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Tokens of JSON, and tokens that look like JSON. */
const pieces =
  `{ } [ ] : , " \\ \\" \\u00e9 \\u00 \\x 0 01 -1 - 1.5e3 1. .5 1e NaN true false null undefined ' // "a" "b" "a":1 "[" "}"`
    .split(" ")
    .concat([" ", "\n", "\t", "\u0001", "\u00a0", "\ufeff", "é", "😀", "[]", "{}", '""'])
    .concat(['"\\u00"', '"\\x"', '"\\u00e9"', '"\u0001"', '"\\', '\\"'])

describe("the syntax error of a text", () => {
  it.effect.prop(
    "is found exactly if JSON.parse refuses the text",
    [Schema.Array(Schema.Literals(pieces)).check(Schema.isMaxLength(12))],
    ([parts]) =>
      Effect.sync(() => {
        const text = parts.join("")
        assert.strictEqual(jsonSyntaxError(text) === undefined, isJson(text), JSON.stringify(text))
      }),
    { arbitrary: { runs: 5_000 } }
  )

  it.effect.prop(
    "is found exactly if JSON.parse refuses the text, also after a change of one position",
    [Schema.Json, Schema.Natural, Schema.Literals(pieces), Schema.Boolean],
    ([json, place, piece, isReplaced]) =>
      Effect.sync(() => {
        const text = JSON.stringify(json)
        const at = place % (text.length + 1)
        const changed = text.slice(0, at) + piece + text.slice(at + (isReplaced ? 1 : 0))
        assert.strictEqual(jsonSyntaxError(changed) === undefined, isJson(changed), JSON.stringify(changed))
      }),
    { arbitrary: { runs: 2_000 } }
  )

  it.effect.prop("is absent for every value written as JSON in any layout", [Schema.Json], ([json]) =>
    Effect.sync(() => {
      for (const space of [0, 2, "\t"]) assert.isUndefined(jsonSyntaxError(JSON.stringify(json, undefined, space)))
    })
  )

  it.each([
    ["", "it ends at line 1, column 1, where a value should follow"],
    ["  ", "it ends at line 1, column 3, where a value should follow"],
    [`{"myId":`, "it ends at line 1, column 9, where a value should follow"],
    [`{"myId"`, "it ends at line 1, column 8, where a colon should follow"],
    [`{"myId":"a`, "it ends at line 1, column 11, where a closing double quote should follow"],
    [`{"a":1`, "it ends at line 1, column 7, where a comma or } should follow"],
    [`[1`, "it ends at line 1, column 3, where a comma or ] should follow"],
    [`{"value":NaN}`, "at line 1, column 10 should be a value"],
    [`{"a":1,}`, "at line 1, column 8 should be a key in double quotes"],
    [`{a:1}`, "at line 1, column 2 should be a key in double quotes or }"],
    [`[1,]`, "at line 1, column 4 should be a value"],
    [`[`, "it ends at line 1, column 2, where a value or ] should follow"],
    [`{"a" 1}`, "at line 1, column 6 should be a colon"],
    [`{"a":1 "b":2}`, "at line 1, column 8 should be a comma or }"],
    [`[1}`, "at line 1, column 3 should be a comma or ]"],
    [`{} // x`, "at line 1, column 4 should be nothing more"],
    [`{"a":"\\x"}`, 'at line 1, column 7 should be an escape such as \\n, \\" or \\u00e9'],
    [`{"a":"b\nc"}`, "at line 1, column 8 should be the rest of a text, with escaped control characters"],
    [`{\n  "name": "José 😀",\r\n  "value": 1,,\r}`, "at line 3, column 14 should be a key in double quotes"],
    [`{"😀😀": x}`, "at line 1, column 8 should be a value"]
  ])("of %j is reported with its line and column", (text, message) => {
    assert.strictEqual(words(text), `is not JSON: ${message}`)
  })

  it("contains nothing of the text", () => {
    for (const text of [
      `{"number":4111111111111111"cvv":"951"}`,
      `{"number":"4111111111111111,"cvv":"951"}`,
      `4111111111111111 951`,
      `{4111111111111111:951}`
    ]) {
      assert.notMatch(words(text)!, /4111|951/)
    }
  })

  it("is found in 1 MiB without deep recursion", () => {
    const deep = "[".repeat(1_000_000)
    assert.strictEqual(jsonSyntaxError(deep)?.column, 1_000_001)
    assert.strictEqual(jsonSyntaxError(`"${"x\\n".repeat(350_000)}`)?.isEnd, true)
  })
})
