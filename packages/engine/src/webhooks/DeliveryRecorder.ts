/**
 * Records delivery attempts, many with one commit.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type { EndedAttempt, Outbox } from "../ports/Outbox.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { supervised } from "../Supervised.ts"

/** Maximum number of attempts in one commit. After a crash, attempts that are not recorded are sent again. */
const maxRecords = 256

/**
 * Maximum number of event-loop ticks in which the recorder collects a batch, and of successive ticks without a new
 * attempt. Node needs several ticks to read responses that arrive together.
 */
const maxTicks = 16
const maxEmptyTicks = 4

interface Ended {
  readonly attempt: EndedAttempt
  readonly recorded: Deferred.Deferred<boolean, StoreError>
}

/**
 * Makes the function that records an attempt and returns false if its lease was lost. One commit records the attempts
 * of all endpoints that ended together or during the previous commit.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (outbox: Outbox["Service"]) {
  const ended = yield* Queue.unbounded<Ended>()
  const collect = Effect.gen(function* () {
    yield* Queue.peek(ended)
    let size = 0
    for (let tick = 0, empty = 0; tick < maxTicks && empty < maxEmptyTicks && size < maxRecords; tick++) {
      yield* Effect.yieldNow
      const before = size
      size = Queue.sizeUnsafe(ended)
      empty = size === before ? empty + 1 : 0
    }
    return yield* Queue.takeBetween(ended, 1, maxRecords)
  })
  const recordBatch = Effect.fnUntraced(function* (batch: ReadonlyArray<Ended>) {
    const exit = yield* Effect.exit(outbox.record(batch.map(({ attempt }) => attempt)))
    for (const { attempt, recorded } of batch) {
      Deferred.doneUnsafe(
        recorded,
        Exit.map(exit, (numbers) => numbers.has(attempt.webhookId))
      )
    }
  })
  const step = Effect.flatMap(collect, (batch) => Effect.forEach(distinct(batch), recordBatch, { discard: true }))
  yield* Effect.forkScoped(supervised("recorder of delivery attempts", step, Effect.sleep))
  return (attempt: EndedAttempt): Effect.Effect<boolean, StoreError> =>
    Effect.suspend(() => {
      const recorded = Deferred.makeUnsafe<boolean, StoreError>()
      Queue.offerUnsafe(ended, { attempt, recorded })
      return Deferred.await(recorded)
    })
})

/**
 * Splits a batch so that each part has at most one attempt of a delivery. Two attempts can end together if a lease
 * expired during the first; each is recorded under its own lease.
 */
const distinct = (batch: ReadonlyArray<Ended>): ReadonlyArray<ReadonlyArray<Ended>> => {
  const first = new Map<number, Ended>()
  const repeated: Array<ReadonlyArray<Ended>> = []
  for (const one of batch) {
    if (first.has(one.attempt.webhookId)) repeated.push([one])
    else first.set(one.attempt.webhookId, one)
  }
  return [[...first.values()], ...repeated]
}
