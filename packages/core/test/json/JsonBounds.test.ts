import { assert, describe, it } from "@effect/vitest"
import { isTooDeep, mostLevels, mostMembers, oversized } from "@parcela/core/json/JsonBounds"

const many = (count: number) => Array.from({ length: count }, () => "a")
const keyed = (count: number) => Object.fromEntries(many(count).map((value, index) => [`k${index}`, value]))

describe("the size of a JSON value", () => {
  it("is fine up to 1,000 members of each list and object, however deep they are", () => {
    for (const json of [
      null,
      1,
      "x".repeat(5_000),
      [],
      {},
      many(mostMembers),
      keyed(mostMembers),
      { a: { b: [many(1_000)] } }
    ]) {
      assert.isUndefined(oversized(json, "Subscription"))
    }
  })

  it("is told of the list or object that has more, where it is", () => {
    assert.deepStrictEqual(oversized({ Customer: { emails: many(1_001) } }, "Subscription"), {
      "Customer.emails": ["has 1001 items, and at most 1000 are read"]
    })
    assert.deepStrictEqual(Object.keys(oversized(keyed(90_000), "Transaction")!), ["Transaction.body"])
    assert.deepStrictEqual(Object.keys(oversized({ Card: keyed(1_001) }, "Subscription")!), ["Subscription.Card"])
  })

  it("is found without walking a deep value on the stack", () => {
    let deep: unknown = []
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    assert.isUndefined(oversized(deep, "Subscription"))
  })
})

describe("the depth of a JSON text", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

  it("is fine up to 64 levels, wherever they are", () => {
    assert.isFalse(isTooDeep(nested(mostLevels)))
    assert.isFalse(isTooDeep(`[${`${nested(mostLevels - 1)},`.repeat(50)}1]`))
    assert.isTrue(isTooDeep(nested(mostLevels + 1)))
    assert.isTrue(isTooDeep('{"a":'.repeat(mostLevels + 1)))
  })

  it("does not count brackets within text, nor end a text at an escaped quote", () => {
    assert.isFalse(isTooDeep(JSON.stringify({ a: "[{".repeat(100), b: `\\"${"[".repeat(100)}` })))
    assert.isTrue(isTooDeep(`{"a":"\\\\","b":${nested(mostLevels)}}`))
  })
})
