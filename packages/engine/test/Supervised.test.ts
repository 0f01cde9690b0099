import { assert, describe, it } from "@effect/vitest"
import { Rejected, StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { supervised } from "@parcela/engine/Supervised"
import { type Cause, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"

interface Line {
  readonly level: string
  readonly text: string
  readonly cause: Cause.Cause<unknown>
}

const refused = new Error("connect ECONNREFUSED 127.0.0.1:5432")
const out = new StoreError({ reason: new Unavailable({ cause: new Error("a driver's words", { cause: refused }) }) })
const rejected = new StoreError({ reason: new Rejected({ cause: new Error("syntax error") }) })

/** The step fails as the test sets it, and counts how often it was taken. */
const watched = Effect.gen(function* () {
  const lines: Array<Line> = []
  const state: { error: StoreError | undefined; steps: number } = { error: undefined, steps: 0 }
  const step = Effect.suspend(() => {
    state.steps += 1
    return state.error === undefined ? Effect.sleep("1 second") : Effect.fail(state.error)
  })
  const logger = Logger.make(
    ({ cause, logLevel, message }) => void lines.push({ level: logLevel, text: String(message), cause })
  )
  yield* supervised("worker", step, Effect.sleep).pipe(Effect.provide(Logger.layer([logger])), Effect.forkScoped)
  return { lines, state }
})

describe("a supervised loop", () => {
  it.effect(
    "logs an outage once at its start and once at its end, without stack traces, and retries ever less often",
    () =>
      Effect.gen(function* () {
        const { lines, state } = yield* watched
        state.error = out
        yield* TestClock.adjust("10 minutes")
        const meanwhile = state.steps
        assert.isBelow(meanwhile, 100)
        assert.isAbove(meanwhile, 30)
        state.error = undefined
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(
          lines.map(({ level, text }) => [level, text]),
          [
            ["Warn", "The worker waits for the store and then continues: connect ECONNREFUSED 127.0.0.1:5432"],
            ["Info", "The worker can use the store again"]
          ]
        )
        assert.isTrue(lines.every(({ cause }) => cause.reasons.length === 0))
        // A second time is said again.
        state.error = out
        yield* TestClock.adjust("1 minute")
        assert.lengthOf(lines, 3)
      })
  )

  it.effect("logs every other failure with its cause, each time, with growing delays", () =>
    Effect.gen(function* () {
      const { lines, state } = yield* watched
      state.error = rejected
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(lines.length, state.steps)
      assert.isBelow(lines.length, 100)
      for (const { cause, level, text } of lines) {
        assert.deepStrictEqual([level, text], ["Error", "The worker failed and continues"])
        assert.lengthOf(cause.reasons, 1)
      }
    })
  )
})
