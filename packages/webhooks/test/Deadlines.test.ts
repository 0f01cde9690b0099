import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
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
  it.effect("leave nothing of what has ended to a look through the whole heap", () =>
    Effect.gen(function* () {
      setFlagsFromString("--expose-gc")
      const collect: (options?: { readonly type: "minor" }) => void = runInNewContext("gc")
      const { begin } = yield* Deadlines.make<ReadonlyArray<number>>(Duration.minutes(1), () => {})
      const rounds = (count: number) => {
        for (let round = 0; round < count; round++) {
          const begun = Array.from({ length: 32 }, () => begin(Array.from({ length: 1_000 }, () => round)))
          for (const one of begun) one.end()
        }
      }
      const youngGarbageGone = () => {
        collect({ type: "minor" })
        collect({ type: "minor" })
        return process.memoryUsage().heapUsed
      }
      rounds(20)
      // What is there now is old from here on.
      collect()
      const before = youngGarbageGone()
      rounds(200)
      assert.isBelow(youngGarbageGone() - before, 3_000_000)
    })
  )
})
