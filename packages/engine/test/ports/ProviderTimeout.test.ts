import { assert, describe, it } from "@effect/vitest"
import * as ProviderTimeout from "@parcela/engine/ports/ProviderError"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"

/** The timeout of the default settings. */
const limit = "20 seconds"

describe("a request to a provider", () => {
  it.effect("returns its response, failure or defect within the timeout", () =>
    Effect.gen(function* () {
      const inTime = yield* ProviderTimeout.makeProviderTimeout
      const lost = new ProviderError({ provider: "boleto bank", cause: "cut" })
      const late = yield* Effect.forkChild(inTime("boleto bank", Effect.as(Effect.sleep("19 seconds"), "response")))
      assert.strictEqual(yield* inTime("boleto bank", Effect.succeed("at once")), "at once")
      assert.strictEqual(yield* Effect.flip(inTime("boleto bank", Effect.fail(lost))), lost)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(inTime("boleto bank", Effect.die("a defect of the adapter")))))
      yield* TestClock.adjust(limit)
      assert.strictEqual(yield* Fiber.join(late), "response")
    })
  )

  it.effect("ends after the timeout although its caller is uninterruptible, each request after its own time", () =>
    Effect.gen(function* () {
      const inTime = yield* ProviderTimeout.makeProviderTimeout
      const ended: Array<string> = []
      const hanging = (name: string) =>
        inTime(
          "card operator",
          Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.push(name)))
        ).pipe(Effect.flip, Effect.uninterruptible)
      const first = yield* Effect.forkChild(hanging("first"))
      yield* TestClock.adjust("5 seconds")
      const second = yield* Effect.forkChild(hanging("second"))
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(ended, ["first"])
      assert.include(String((yield* Fiber.join(first)).cause), "no response within 20s")
      assert.isUndefined(second.pollUnsafe())
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(second)
      assert.deepStrictEqual(ended, ["first", "second"])
    })
  )

  it.effect("continues an uninterruptible step, and its late response is ignored", () =>
    Effect.gen(function* () {
      const inTime = yield* ProviderTimeout.makeProviderTimeout
      const committed = yield* Deferred.make<string>()
      const request = Effect.uninterruptible(Deferred.await(committed))
      const requesting = yield* Effect.forkChild(Effect.flip(inTime("Pix provider", request)))
      yield* TestClock.adjust(limit)
      assert.isUndefined(requesting.pollUnsafe())
      yield* Deferred.succeed(committed, "done")
      assert.instanceOf(yield* Fiber.join(requesting), ProviderError)
    })
  )

  it.effect("is interrupted with its caller", () =>
    Effect.gen(function* () {
      const inTime = yield* ProviderTimeout.makeProviderTimeout
      let isEnded = false
      const request = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (isEnded = true)))
      const requesting = yield* Effect.forkChild(inTime("card operator", request), { startImmediately: true })
      yield* Fiber.interrupt(requesting)
      assert.isTrue(isEnded)
    })
  )
})
