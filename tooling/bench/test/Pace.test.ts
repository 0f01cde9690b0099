import { assert, describe, it } from "vitest"
import { paced } from "../src/server/Pace.ts"

const plan = {
  operations: ["token"],
  connections: 32,
  open: "before",
  rounds: 2,
  seconds: 1,
  hasFastify: true
} as const
const at = (elapsedSeconds: number, done: number, limitSeconds: number | undefined = 270) =>
  paced(plan, { elapsedSeconds, done, limitSeconds, total: 24 })

describe("a run of the bench", () => {
  it("measures as planned while it is in time", () => {
    assert.strictEqual(at(30, 0), plan)
    assert.strictEqual(at(160, 13), plan)
  })

  it("measures once while it is behind, and as planned when it has caught up", () => {
    assert.deepStrictEqual(at(31, 0), { ...plan, rounds: 1 })
    assert.deepStrictEqual(at(161, 13), { ...plan, rounds: 1 })
    assert.strictEqual(at(161, 14), plan)
  })

  it("takes as long as it takes when it was asked for something of its own", () => {
    assert.strictEqual(paced(plan, { elapsedSeconds: 9_999, done: 0, limitSeconds: undefined, total: 24 }), plan)
  })
})
