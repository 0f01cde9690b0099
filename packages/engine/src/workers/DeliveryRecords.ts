/**
 * Records tries of deliveries, many with each commit: those of all endpoints that end while others do.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import { type EndedTry, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { supervised } from "../Supervised.ts"

/** The most tries of one commit: what a crash finds sent and not recorded is sent again. */
const mostTogether = 256

/**
 * How long a try waits for others: some turns of the event loop, and as long as the last commit took where a disk is slow, so that
 * it is made seldom. In milliseconds.
 */
const mostTurns = 16
const mostEmptyTurns = 4
const longestWait = 10

/**
 * @category services
 * @since 0.1.0
 */
export class DeliveryRecords extends Context.Service<
  DeliveryRecords,
  {
    /** Records a try. `recorded` is called once it is on disk; with false when its lease was lost, and nothing is recorded. */
    readonly record: (ended: EndedTry, recorded: (exit: Exit.Exit<boolean, StoreError>) => void) => void
  }
>()("@parcela/engine/workers/DeliveryRecords") {
  static readonly layer: Layer.Layer<DeliveryRecords, never, Outbox> = Layer.effect(
    DeliveryRecords,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const signal = yield* Queue.sliding<void>(1)
      let waiting: Array<Waiting> = []
      let took = 0
      const gather = Effect.gen(function* () {
        const until = (yield* Clock.currentTimeMillis) + longestWait
        let seen = 0
        let empty = 0
        for (let turn = 0; turn < mostTurns && empty < mostEmptyTurns && waiting.length < mostTogether; turn++) {
          empty = waiting.length === seen ? empty + 1 : 0
          seen = waiting.length
          yield* Effect.yieldNow
          // Turns are long while requests are handled.
          if ((yield* Clock.currentTimeMillis) >= until) return
        }
        const left = until - (yield* Clock.currentTimeMillis)
        if (took > 0 && left > 0 && waiting.length < mostTogether) yield* Effect.sleep(Math.min(took, left))
      })
      const step = Effect.gen(function* () {
        yield* Queue.take(signal)
        yield* gather
        const all = waiting
        waiting = []
        const start = yield* Clock.currentTimeMillis
        for (const together of Arr.chunksOf(all, mostTogether)) yield* recordAll(outbox, together)
        took = (yield* Clock.currentTimeMillis) - start
      })
      yield* Effect.forkScoped(supervised("recorder of delivery attempts", step, Effect.sleep))
      return DeliveryRecords.of({
        record: (ended, recorded) => {
          waiting.push({ ended, recorded })
          Queue.offerUnsafe(signal, undefined)
        }
      })
    })
  )
}

interface Waiting {
  readonly ended: EndedTry
  readonly recorded: (exit: Exit.Exit<boolean, StoreError>) => void
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
  for (const { ended, recorded } of all) {
    // A defect of one caller must not keep the result of another caller's delivery.
    yield* Effect.ignoreCause(
      Effect.sync(() => recorded(Exit.map(exit, (numbers) => numbers.has(ended.webhookId)))),
      { log: "Error" }
    )
  }
})
