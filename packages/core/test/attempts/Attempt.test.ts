import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { backoff } from "../../src/attempts/Attempt.ts"

const base = Duration.seconds(1)
const longest = Duration.seconds(10)
const millis = (failedBefore: number, random: number) => Duration.toMillis(backoff(failedBefore, base, longest, random))

describe("backoff", () => {
  it("doubles the delay with each failed attempt, up to the maximum", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 2_000].map((failedBefore) => millis(failedBefore, 0)),
      [500, 1_000, 2_000, 4_000, 5_000, 5_000]
    )
  })

  it("adds random jitter and never exceeds the maximum", () => {
    assert.deepStrictEqual(
      [0, 0.5, 0.9999].map((random) => millis(0, random)),
      [500, 750, 1_000]
    )
    assert.strictEqual(millis(9, 0.9999), 10_000)
  })
})
