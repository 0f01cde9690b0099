/**
 * Records tries of deliveries, many with each commit: those of all endpoints that ended while the last commit was made.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import { type EndedTry, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryRecords extends Context.Service<
  DeliveryRecords,
  {
    /** Records a try, and returns when it is on disk; false when its lease was lost, and then nothing is recorded. */
    readonly record: (ended: EndedTry) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/workers/DeliveryRecords") {
  static readonly layer: Layer.Layer<DeliveryRecords, never, Outbox> = Layer.effect(
    DeliveryRecords,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const waiting = yield* Queue.unbounded<Waiting>()
      yield* Queue.takeAll(waiting).pipe(
        Effect.flatMap((all) => recordAll(outbox, all)),
        Effect.forever,
        Effect.forkScoped
      )
      return DeliveryRecords.of({
        record: (ended) => Effect.callback((resume) => void Queue.offerUnsafe(waiting, { ended, resume }))
      })
    })
  )
}

interface Waiting {
  readonly ended: EndedTry
  readonly resume: (end: Effect.Effect<boolean, StoreError>) => void
}

/** A delivery whose lease ran out while it was tried may be there twice: each try is recorded, or not, by its own lease. */
const recordAll = Effect.fnUntraced(function* (outbox: Outbox["Service"], all: ReadonlyArray<Waiting>) {
  const numbers = new Set<number>()
  const [first, again] = Arr.partition(all, (one) => {
    const isAgain = numbers.has(one.ended.webhookId)
    numbers.add(one.ended.webhookId)
    return isAgain ? Result.fail(one) : Result.succeed(one)
  })
  yield* recordOnce(outbox, first)
  for (const one of again) yield* recordOnce(outbox, [one])
})

const recordOnce = Effect.fnUntraced(function* (outbox: Outbox["Service"], all: ReadonlyArray<Waiting>) {
  const exit = yield* Effect.exit(outbox.record(all.map(({ ended }) => ended)))
  for (const { ended, resume } of all) {
    resume(Effect.map(exit, (recorded) => recorded.has(ended.webhookId)))
  }
})
