import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { type EndedTry, Outbox } from "@parcela/engine/ports/Outbox"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { DeliveryRecords } from "@parcela/engine/workers/DeliveryRecords"
import { Effect, Layer } from "effect"

const at = MachineTime.make(0)

const ended = (webhookId: number, token: string): EndedTry => ({
  webhookId,
  token,
  result: { _tag: "Delivered", at },
  made: { startedAt: at, duration: 1, status: 200, problem: undefined }
})

describe("tries that end together", () => {
  it.effect("of one delivery are recorded each by its own lease", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<string>> = []
      // As a store does: the numbers of those whose lease held.
      const outbox = Layer.mock(Outbox, {
        record: (tries) => {
          batches.push(tries.map(({ token }) => token))
          return Effect.succeed(new Set(tries.filter(({ token }) => token !== "lost").map((one) => one.webhookId)))
        }
      })
      const tries = [ended(1, "lost"), ended(1, "held"), ended(2, "held")]
      const recorded = yield* DeliveryRecords.use(({ record }) =>
        Effect.forEach(tries, (one) => Effect.callback<boolean, StoreError>((resume) => record(one, resume)), {
          concurrency: "unbounded"
        })
      ).pipe(Effect.provide(DeliveryRecords.layer.pipe(Layer.provide(outbox))))
      assert.deepStrictEqual(recorded, [false, true, true])
      assert.deepStrictEqual(batches, [["lost", "held"], ["held"]])
    })
  )

  it.effect("are recorded also after a defect of one of their callers", () =>
    Effect.gen(function* () {
      const outbox = Layer.mock(Outbox, {
        record: (tries) => Effect.succeed(new Set(tries.map((one) => one.webhookId)))
      })
      yield* Effect.gen(function* () {
        const { record } = yield* DeliveryRecords
        const recorded = (number: number) =>
          Effect.callback<boolean, StoreError>((resume) => record(ended(number, "held"), resume))
        record(ended(1, "held"), () => {
          throw new Error("a defect")
        })
        assert.isTrue(yield* recorded(2))
        assert.isTrue(yield* recorded(3))
      }).pipe(Effect.provide(DeliveryRecords.layer.pipe(Layer.provide(outbox))))
    })
  )
})
