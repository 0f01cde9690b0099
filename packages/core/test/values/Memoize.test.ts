import { assert, describe, it } from "@effect/vitest"
import { memoize } from "../../src/values/Memoize.ts"

describe("memoize", () => {
  it("computes each result once, also undefined", () => {
    const computed: Array<number> = []
    const half = memoize(10, (number: number) => {
      computed.push(number)
      return number % 2 === 0 ? number / 2 : undefined
    })
    assert.deepStrictEqual([4, 3, 4, 3].map(half), [2, undefined, 2, undefined])
    assert.deepStrictEqual(computed, [4, 3])
  })

  it("caches at most so many results, and returns the right ones after it drops them", () => {
    let computed = 0
    const double = memoize(2, (number: number) => {
      computed += 1
      return number * 2
    })
    assert.deepStrictEqual([1, 2, 3, 1].map(double), [2, 4, 6, 2])
    assert.strictEqual(computed, 4)
  })
})
