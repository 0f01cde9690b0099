import { assert, describe, it } from "vitest"
import { settle, type Slice, warmUp } from "../src/server/Settling.ts"

const sliced = async (costs: ReadonlyArray<number>, requests = 100) => {
  let at = 0
  const slices = await settle((): Promise<Slice> => {
    const cost = costs[Math.min(at, costs.length - 1)]!
    at += 1
    return Promise.resolve({ requests, cpuMicros: cost * requests })
  })
  return slices.length
}

const most = warmUp.mostSeconds / warmUp.sliceSeconds

describe("a server is warm", () => {
  it("when its requests have not become cheaper for some slices", async () => {
    assert.strictEqual(await sliced([100]), 1 + warmUp.slices)
    assert.strictEqual(await sliced([400, 300, 200, 100]), 4 + warmUp.slices)
  })

  it("not when a slice was dearer in between, or much the same", async () => {
    assert.strictEqual(await sliced([658, 498, 569, 446, 460, 362, 299, 343, 310]), 7 + warmUp.slices)
    assert.strictEqual(await sliced([100, 99, 98, 97.5]), 1 + warmUp.slices)
  })

  it("at the latest after so many seconds or requests", async () => {
    assert.strictEqual(await sliced(Array.from({ length: 100 }, (_, index) => 1_000 * 0.9 ** index)), most)
    assert.strictEqual(await sliced([3, 2, 1], warmUp.mostRequests / 2), 2)
  })
})
