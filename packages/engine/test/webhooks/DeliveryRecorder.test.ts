import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { type EndedAttempt, Outbox } from "@parcela/engine/ports/Outbox"
import * as DeliveryRecorder from "@parcela/engine/webhooks/DeliveryRecorder"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"

const at = MachineTime.make(0)

const ended = (webhookId: number, token: string): EndedAttempt => ({
  webhookId,
  token,
  result: { _tag: "Delivered", at },
  made: { startedAt: at, duration: 1, status: 200, problem: undefined }
})

/** A recorder over an outbox with this `record`. */
const recorderOver = (record: (typeof Outbox)["Service"]["record"]) =>
  Effect.flatMap(Outbox, DeliveryRecorder.make).pipe(Effect.provide(Layer.mock(Outbox, { record })))

describe("the recorder of delivery attempts", () => {
  it.effect("records each of two attempts of one delivery under its own lease", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<string>> = []
      // Like a store: returns the numbers of the deliveries whose lease was held.
      const record = yield* recorderOver((attempts) => {
        batches.push(attempts.map(({ token }) => token))
        return Effect.succeed(new Set(attempts.filter(({ token }) => token !== "lost").map((one) => one.webhookId)))
      })
      const attempts = [ended(1, "lost"), ended(1, "held"), ended(2, "held")]
      const recorded = yield* Effect.forEach(attempts, record, { concurrency: "unbounded" })
      assert.deepStrictEqual(recorded, [false, true, true])
      assert.deepStrictEqual(batches, [["lost", "held"], ["held"]])
    })
  )

  it.effect("continues after a defect of the store, which fails only the attempts of that commit", () =>
    Effect.gen(function* () {
      let commits = 0
      const record = yield* recorderOver((attempts) =>
        ++commits === 1
          ? Effect.die(new Error("a defect"))
          : Effect.succeed(new Set(attempts.map((one) => one.webhookId)))
      )
      assert.isTrue(Exit.hasDies(yield* Effect.exit(record(ended(1, "held")))))
      assert.isTrue(yield* record(ended(2, "held")))
    })
  )

  it.effect("records the attempts that end during a commit with the next commit", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<number>> = []
      const started = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const record = yield* recorderOver((attempts) => {
        const numbers = attempts.map(({ webhookId }) => webhookId)
        batches.push(numbers)
        return Deferred.succeed(started, undefined).pipe(
          Effect.andThen(Deferred.await(mayEnd)),
          Effect.as(new Set(numbers))
        )
      })
      const first = yield* Effect.forkChild(record(ended(1, "held")))
      yield* Deferred.await(started)
      const others = yield* Effect.forEach([2, 3, 4], (number) =>
        Effect.forkChild(record(ended(number, "held")), { startImmediately: true })
      )
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.joinAll([first, ...others])
      assert.deepStrictEqual(batches, [[1], [2, 3, 4]])
    })
  )
})
