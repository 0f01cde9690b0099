import { assert, describe, it } from "@effect/vitest"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import { DateTime, Duration, Effect, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { PixAccounts } from "../src/PixAccount.ts"
import { layerSweep, ReceivedPayments } from "../src/ReceivedPayments.ts"
import { accountAt } from "./fixtures/Simulator.ts"

const start = Date.UTC(2026, 2, 10)

const hours = (instant: DateTime.Utc) => Duration.toHours(Duration.millis(DateTime.toEpochMillis(instant) - start))

describe("a sweep", () => {
  it.effect("starts where a failed sweep started, not only at the usual distance", () =>
    Effect.gen(function* () {
      const spans = yield* Ref.make<ReadonlyArray<readonly [from: number, to: number]>>([])
      const isDown = yield* Ref.make(true)
      const payments = Layer.mock(ReceivedPayments, {
        reportAll: (_account, { from, to }) =>
          Effect.gen(function* () {
            yield* Ref.update(spans, (before) => [...before, [hours(from), hours(to)] as const])
            if (yield* Ref.get(isDown)) return yield* new ProviderError({ provider: "Pix provider", cause: "down" })
            return 0
          })
      })
      const options = { every: Duration.hours(6), back: Duration.hours(2), firstBack: Duration.hours(24) }
      const accounts = PixAccounts.layerOne(accountAt("https://pix.psp.example"))
      yield* TestClock.setTime(start)
      yield* Layer.build(layerSweep(options).pipe(Layer.provide([accounts, payments])))
      yield* TestClock.adjust("6 hours")
      yield* Ref.set(isDown, false)
      yield* TestClock.adjust("6 hours")
      yield* TestClock.adjust("6 hours")
      yield* Ref.set(isDown, true)
      yield* TestClock.adjust("6 hours")
      yield* TestClock.adjust("6 hours")
      assert.deepStrictEqual(yield* Ref.get(spans), [
        [-24, 0],
        [-24, 6],
        [-24, 12],
        [10, 18],
        [16, 24],
        [16, 30]
      ])
    })
  )
})
