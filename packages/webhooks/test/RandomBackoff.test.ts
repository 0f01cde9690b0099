import { assert, describe, it } from "@effect/vitest"
import { randomBackoff } from "@parcela/webhooks/RandomBackoff"
import { Duration, Effect, Random, Schema } from "effect"

const base = Duration.seconds(5)
const longest = Duration.minutes(5)
const millis = (failedBefore: number) => Effect.map(randomBackoff(failedBefore, base, longest), Duration.toMillis)

const FailedBefore = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 }))

describe("a backoff", () => {
  it.effect.prop(
    "is between half and the whole of what doubles with each failure, up to the longest",
    [FailedBefore],
    ([failedBefore]) =>
      Effect.gen(function* () {
        const whole = Math.min(5_000 * 2 ** failedBefore, 300_000)
        const waited = yield* millis(failedBefore)
        assert.isAtLeast(waited, whole / 2)
        assert.isAtMost(waited, whole)
      })
  )

  it.effect("takes its random part from the service, at its longest too", () =>
    Effect.gen(function* () {
      const ten = Effect.forEach(Array.from({ length: 10 }), () => millis(99))
      const waits = yield* Random.withSeed(ten, "one")
      assert.deepStrictEqual(yield* Random.withSeed(ten, "one"), waits)
      assert.notDeepEqual(yield* Random.withSeed(ten, "two"), waits)
      assert.isAbove(new Set(waits).size, 1)
    })
  )
})
