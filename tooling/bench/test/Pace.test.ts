import { assert, describe, it } from "vitest"
import { paced, planned } from "../src/server/Pace.ts"

const plan = {
  operations: ["token"],
  connections: 32,
  open: "before",
  rounds: 2,
  seconds: 1,
  stores: ["sqlite"],
  hasFastify: true
} as const
const at = (elapsedSeconds: number, done: number, limitSeconds: number | undefined = 270) =>
  paced(plan, { elapsedSeconds, done, limitSeconds, total: 23 })

describe("a run of the bench", () => {
  it("measures as planned while it is in time", () => {
    assert.strictEqual(at(40, 0), plan)
    assert.strictEqual(at(170, 13), plan)
  })

  it("measures a third of the rounds while it is behind, and as planned when it has caught up", () => {
    assert.deepStrictEqual(at(41, 0), { ...plan, rounds: 1 })
    const progress = { elapsedSeconds: 41, done: 0, limitSeconds: 270, total: 23 }
    assert.strictEqual(paced({ ...plan, rounds: 16 }, progress).rounds, 6)
    assert.deepStrictEqual(at(171, 13), { ...plan, rounds: 1 })
    assert.strictEqual(at(171, 14), plan)
  })

  it("plans a server's warm-up where it is measured with an operation for the first time", () => {
    assert.strictEqual(planned(plan, false), 2 * 3)
    assert.strictEqual(planned(plan, true), 8 + 2 + 2 * 3)
  })

  it("plans floors for the rounds in which they take part", () => {
    assert.strictEqual(planned({ ...plan, rounds: 16, floorRounds: 3 }, false), 16 + 3 * 2)
    assert.strictEqual(planned({ ...plan, rounds: 2, floorRounds: 3 }, false), 2 + 2 * 2)
  })

  it("takes as long as it takes when it was asked for something of its own", () => {
    assert.strictEqual(paced(plan, { elapsedSeconds: 9_999, done: 0, limitSeconds: undefined, total: 24 }), plan)
  })
})
