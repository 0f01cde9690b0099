/** Tests of the port `Sequences`. */
import { assert, describe, it } from "@effect/vitest"
import { type SequenceName, Sequences } from "@parcela/engine/ports/Sequences"
import { Array as Arr, Effect, Fiber, Option, References } from "effect"
import { TestClock } from "effect/testing"
import { onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { SqlClient } from "effect/sql/SqlClient"

const names: ReadonlyArray<SequenceName> = [
  "customer",
  "card",
  "plan",
  "subscription",
  "charge",
  "transaction",
  "replay"
]

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Sequences (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("increases with every number, separately for each kind", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const first = yield* Effect.forEach(names, sequences.next)
        assert.deepStrictEqual(first, [1, 1, 1, 1, 1, 1, 1])
        const cards = yield* Effect.forEach([1, 2, 3], () => sequences.next("card"))
        assert.deepStrictEqual(cards, [2, 3, 4])
        assert.strictEqual(yield* sequences.next("customer"), 2)
      }).pipe(onEmpty)
    )

    it.effect("gives each number to one caller", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const two = Effect.all([
          sequences.next("transaction"),
          Effect.andThen(Effect.yieldNow, sequences.next("transaction"))
        ])
        const given = yield* Effect.all(
          Array.from({ length: 25 }, () => two),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(given.flat()).size, 50)
        for (const [first, second] of given) assert.isBelow(first, second)
      }).pipe(onEmpty)
    )

    it.effect("skips no number for concurrent callers", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const given = yield* Effect.replicateEffect(sequences.next("transaction"), 250, { concurrency: "unbounded" })
        assert.deepStrictEqual(
          given.toSorted((one, other) => one - other),
          Array.from({ length: 250 }, (_, index) => index + 1)
        )
      }).pipe(onEmpty)
    )

    it.effect("continues for other callers when one is interrupted at any step", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const next = sequences.next("card")
        const interruptedAfter = Effect.fnUntraced(function* (steps: number) {
          // The next number reserves a block, and yields to other fibers after the given number of steps.
          while ((yield* next) % 100 !== 0) continue
          const requesting = yield* Effect.forkChild(Effect.provideService(next, References.MaxOpsBeforeYield, steps))
          yield* Effect.yieldNow
          yield* Fiber.interrupt(requesting)
          return yield* Effect.timeoutOption(next, "5 seconds")
        })
        const given = yield* TestClock.withLive(Effect.forEach(Arr.range(4, 30), interruptedAfter))
        assert.isTrue(given.every(Option.isSome))
      }).pipe(onEmpty)
    )

    it.effect("skips at most one block of numbers", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const given = yield* Effect.replicateEffect(sequences.next("card"), 250)
        assert.deepStrictEqual(
          given,
          Array.from({ length: 250 }, (_, index) => index + 1)
        )
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)

describe("a block on SQLite", () => {
  it.effect("has a thousand numbers, and is reserved once for all waiting callers", () =>
    Effect.gen(function* () {
      const sequences = yield* Sequences
      const sql = yield* SqlClient
      const taken = sql`SELECT value FROM sequences WHERE name = 'transaction'`
      yield* Effect.replicateEffect(sequences.next("transaction"), 1_000, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* taken, [{ value: 1_000 }])
      yield* Effect.replicateEffect(sequences.next("transaction"), 10, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* taken, [{ value: 2_000 }])
    }).pipe(Effect.provide(StoreSql.layerSqlite({ filename: ":memory:" })))
  )
})
