/**
 * What every adapter of the port `Sequences` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { type SequenceName, Sequences } from "@parcela/engine/ports/Sequences"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import * as Effect from "effect/Effect"
import { onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const names: ReadonlyArray<SequenceName> = ["customer", "card", "subscription", "transaction"]

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Sequences (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("rises with every number, each kind by itself", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const first = yield* Effect.forEach(names, sequences.next)
        assert.deepStrictEqual(first, [1, 1, 1, 1])
        const cards = yield* Effect.forEach([1, 2, 3], () => sequences.next("card"))
        assert.deepStrictEqual(cards, [2, 3, 4])
        assert.strictEqual(yield* sequences.next("customer"), 2)
      }).pipe(onEmpty)
    )

    it.effect("gives no number to two callers at once", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const unitOfWork = yield* UnitOfWork
        const two = unitOfWork.transact(
          Effect.all([sequences.next("transaction"), Effect.andThen(Effect.yieldNow, sequences.next("transaction"))])
        )
        const given = yield* Effect.all(
          Array.from({ length: 25 }, () => two),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(given.flat()).size, 50)
        for (const [first, second] of given) assert.isBelow(first, second)
      }).pipe(onEmpty)
    )

    it.effect("leaves no more out than a block, however many one unit takes and whatever inner one is undone", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const { transact } = yield* UnitOfWork
        const one = sequences.next("card")
        const given = yield* transact(
          Effect.gen(function* () {
            const first = yield* one
            yield* Effect.flip(transact(Effect.andThen(Effect.replicateEffect(one, 150), Effect.fail("undone"))))
            return [first, ...(yield* Effect.replicateEffect(one, 150)), yield* transact(one)]
          })
        )
        const all = [...given, yield* one]
        assert.strictEqual(new Set(all).size, 153)
        assert.deepStrictEqual(
          all.toSorted((a, b) => a - b),
          all
        )
        assert.isAtMost(all.at(-1)!, 600)
      }).pipe(onEmpty)
    )

    it.effect("stays above every number that was committed, whatever was undone", () =>
      Effect.gen(function* () {
        const sequences = yield* Sequences
        const unitOfWork = yield* UnitOfWork
        const committed = yield* unitOfWork.transact(sequences.next("subscription"))
        yield* Effect.flip(unitOfWork.transact(Effect.andThen(sequences.next("subscription"), Effect.fail("undone"))))
        assert.isAbove(yield* sequences.next("subscription"), committed)
      }).pipe(onEmpty)
    )
  })
