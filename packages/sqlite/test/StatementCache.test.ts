import { assert, describe, it } from "@effect/vitest"
import * as StatementCache from "../src/StatementCache.ts"

describe("StatementCache", () => {
  const counting = (capacity: number) => {
    const prepared: Array<string> = []
    const cache = StatementCache.make(capacity, (sql) => {
      if (sql === "broken") throw new Error("syntax error")
      prepared.push(sql)
      return { sql }
    })
    return { cache, prepared }
  }

  it("prepares a text once while it is kept", () => {
    const { cache, prepared } = counting(2)
    assert.strictEqual(cache.get("a"), cache.get("a"))
    assert.deepStrictEqual(prepared, ["a"])
  })

  it("forgets the text used longest ago, not the one prepared first", () => {
    const { cache, prepared } = counting(2)
    cache.get("a")
    cache.get("b")
    cache.get("a")
    cache.get("c")
    assert.isTrue(cache.has("a"))
    assert.isFalse(cache.has("b"))
    assert.isTrue(cache.has("c"))
    assert.strictEqual(cache.size(), 2)
    cache.get("b")
    assert.deepStrictEqual(prepared, ["a", "b", "c", "b"])
  })

  it("keeps nothing of a text that cannot be prepared, and forgets nothing for it", () => {
    const { cache } = counting(1)
    cache.get("a")
    assert.throws(() => cache.get("broken"), "syntax error")
    assert.isTrue(cache.has("a"))
    assert.strictEqual(cache.size(), 1)
  })
})
