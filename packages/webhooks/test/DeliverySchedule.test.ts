import { assert, describe, it } from "@effect/vitest"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { Effect, Schema } from "effect"
import { maximumTries, nextTry } from "../src/DeliverySchedule.ts"

const first = EpochMillis.make(1_785_585_600_000)
const after = (millis: number) => EpochMillis.make(first + millis)
const second = 1000
const minute = 60 * second
const hour = 60 * minute

describe("DeliverySchedule", () => {
  it("makes six tries in 48 hours when each is made in time", () => {
    const at: Array<number> = [first]
    for (let tries = 1; tries < maximumTries; tries++) {
      const next = nextTry(tries, first, EpochMillis.make(at.at(-1)!))
      assert.strictEqual(next._tag, "TryAt")
      at.push((next as { at: number }).at)
    }
    assert.deepStrictEqual(
      at.map((time) => time - first),
      [
        0,
        30 * second,
        10 * minute + 30 * second,
        2 * hour + 10 * minute + 30 * second,
        14 * hour + 10 * minute + 30 * second,
        48 * hour + 10 * minute + 30 * second
      ]
    )
    assert.deepStrictEqual(nextTry(6, first, EpochMillis.make(at.at(-1)!)), { _tag: "GiveUp" })
  })

  it("keeps to the plan after a late try, and to the shortest wait after a very late one", () => {
    assert.deepStrictEqual(nextTry(2, first, after(5 * minute)), {
      _tag: "TryAt",
      at: after(10 * minute + 30 * second)
    })
    assert.deepStrictEqual(nextTry(2, first, after(72 * hour)), { _tag: "TryAt", at: after(72 * hour + 30 * second) })
  })

  it.effect.prop(
    "never plans a try for the past, and gives up after six",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 * hour }))
    ],
    ([tries, late]) =>
      Effect.sync(() => {
        const next = nextTry(tries, first, after(late))
        assert.strictEqual(next._tag, tries < 6 ? "TryAt" : "GiveUp")
        assert.isAtLeast(next._tag === "TryAt" ? next.at : Infinity, first + late + 30 * second)
      })
  )
})
