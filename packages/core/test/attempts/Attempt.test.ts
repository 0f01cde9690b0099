import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Random, Schema } from "effect"
import { backoff, randomBackoff } from "../../src/attempts/Backoff.ts"

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

const randomMillis = (failedBefore: number) =>
  Effect.map(randomBackoff(failedBefore, Duration.seconds(5), Duration.minutes(5)), Duration.toMillis)

const FailedBefore = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 }))

describe("randomBackoff", () => {
  it.effect.prop(
    "returns between half and all of the doubled delay, up to the maximum",
    [FailedBefore],
    ([failedBefore]) =>
      Effect.gen(function* () {
        const whole = Math.min(5_000 * 2 ** failedBefore, 300_000)
        const waited = yield* randomMillis(failedBefore)
        assert.isAtLeast(waited, whole / 2)
        assert.isAtMost(waited, whole)
      })
  )

  it.effect("uses the Random service, also at the maximum", () =>
    Effect.gen(function* () {
      const ten = Effect.forEach(Array.from({ length: 10 }), () => randomMillis(99))
      const waits = yield* Random.withSeed(ten, "one")
      assert.deepStrictEqual(yield* Random.withSeed(ten, "one"), waits)
      assert.notDeepEqual(yield* Random.withSeed(ten, "two"), waits)
      assert.isAbove(new Set(waits).size, 1)
    })
  )
})
