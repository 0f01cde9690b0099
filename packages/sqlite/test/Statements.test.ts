import { assert, describe, it } from "@effect/vitest"
import { DatabaseSync } from "node:sqlite"
import { makeCache, prepare, readRows } from "../src/Statements.ts"

describe("a cache of statements", () => {
  const counting = (capacity: number) => {
    const prepared: Array<string> = []
    const cache = makeCache(capacity, (sql) => {
      if (sql === "broken") throw new Error("syntax error")
      prepared.push(sql)
      return { sql }
    })
    return { cache, prepared }
  }

  it("prepares a text once while it is cached", () => {
    const { cache, prepared } = counting(2)
    assert.strictEqual(cache.get("a"), cache.get("a"))
    assert.deepStrictEqual(prepared, ["a"])
  })

  it("evicts the text that was used longest ago, not the one that was prepared first", () => {
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

  it("caches nothing of a text that cannot be prepared, and evicts nothing for it", () => {
    const { cache } = counting(1)
    cache.get("a")
    assert.throws(() => cache.get("broken"), "syntax error")
    assert.isTrue(cache.has("a"))
    assert.strictEqual(cache.size(), 1)
  })
})

describe("a prepared statement", () => {
  it("is planned once, however often its limits are bound, and returns its texts unchanged", () => {
    const native = new DatabaseSync(":memory:")
    native.exec("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    native.exec("INSERT INTO items VALUES (1, 'LIMIT ?1'), (2, 'b'), (3, 'c')")
    let plans = 0
    native.setAuthorizer(() => {
      plans++
      return 0
    })
    const planned = prepare(
      native,
      `SELECT "id" FROM items WHERE name <> 'OFFSET ?' AND (id IN (SELECT id FROM items ORDER BY id LIMIT ?1))
        OR name = 'LIMIT ?1' -- LIMIT ?
        ORDER BY id limit ?2 OFFSET ?3`
    )
    const once = plans
    assert.isAbove(once, 0)
    assert.deepEqual(
      readRows(planned, [2, 9, 1], false).map(({ id }) => id),
      [2]
    )
    assert.deepEqual(
      readRows(planned, [3, 1, 1], false).map(({ id }) => id),
      [2]
    )
    assert.deepEqual(
      readRows(planned, [0, 9, 0], false).map(({ id }) => id),
      [1]
    )
    assert.strictEqual(plans, once)
    native.close()
  })
})
