import { assert, describe, it } from "@effect/vitest"
import { ExpiringMap } from "@parcela/engine/authentication/ExpiringMap"

const start = 1_790_000_000_000

describe("ExpiringMap", () => {
  it("returns a value for its lifetime, and none after the clock was set back", () => {
    const map = new ExpiringMap<number, string>(5_000)
    map.set(1, "found", start)
    assert.deepStrictEqual(
      [0, 4_999, 5_000, -3_600_000].map((later) => map.get(1, start + later)),
      ["found", "found", undefined, undefined]
    )
  })

  it("returns a value until its own end if that is earlier", () => {
    const map = new ExpiringMap<number, string>(5_000)
    map.set(1, "found", start, start + 10)
    assert.deepStrictEqual([map.get(1, start + 9), map.get(1, start + 10)], ["found", undefined])
  })

  it("drops the oldest of more than ten thousand entries", () => {
    const map = new ExpiringMap<number, string>(5_000)
    for (let index = 0; index <= 10_000; index += 1) map.set(index, "found", start)
    assert.deepStrictEqual(
      [map.get(0, start), map.get(1, start), map.get(10_000, start)],
      [undefined, "found", "found"]
    )
  })
})
