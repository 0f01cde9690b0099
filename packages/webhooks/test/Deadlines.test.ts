import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Deadlines from "../src/Deadlines.ts"

describe("things that take so long at most", () => {
  it.effect("run out in time, each on its own, also after one whose end is a defect", () =>
    Effect.gen(function* () {
      const expired: Array<string> = []
      const { begin } = yield* Deadlines.make<string>(Duration.seconds(5), (one) => {
        expired.push(one)
        if (one === "defect") throw new Error("ours")
      })
      begin("defect")
      const ended = begin("ended")
      yield* TestClock.adjust("2 seconds")
      begin("later")
      ended.end()
      ended.end()
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(expired, ["defect"])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(expired, ["defect", "later"])
      begin("afterwards")
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(expired, ["defect", "later", "afterwards"])
    })
  )
})
