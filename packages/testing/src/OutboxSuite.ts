/**
 * What every adapter of the port `Outbox` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/Identifier"
import { type Delivery, type NewDelivery, Outbox } from "@parcela/engine/Outbox"
import { UnitOfWork } from "@parcela/engine/UnitOfWork"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { keptCompany, minute, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const numbers = (deliveries: ReadonlyArray<Delivery>) => deliveries.map(({ transactionId }) => transactionId)

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Outbox (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Deliveries are told apart by their transaction, 1, 2, .. in the order they are appended in. */
    const setUp = Effect.fnUntraced(function* (count: number, createdAt = minute(0)) {
      const outbox = yield* Outbox
      const { id: companyId } = yield* keptCompany
      const deliveries = Array.from({ length: count }, (_, index): NewDelivery => ({
        companyId,
        event: "transaction.updateStatus",
        transactionId: SvcPayId.make(index + 1),
        payload: `{"Transaction":{"myId":"não 🎈 ${index}"}}`,
        createdAt
      }))
      yield* outbox.append(deliveries)
      const claim = (at: number, limit = 100, minutes = 5) => outbox.claimDue(minute(at), minute(at + minutes), limit)
      return { claim, deliveries, outbox }
    })

    it.effect("answers what was appended, numbered upwards, before any try", () =>
      Effect.gen(function* () {
        const { claim, deliveries } = yield* setUp(3)
        const claimed = yield* claim(0)
        assert.deepStrictEqual(
          claimed.map(Struct.omit(["webhookId"])),
          deliveries.map((delivery) => ({ ...delivery, tries: 0 }))
        )
        const ids = claimed.map(({ webhookId }) => webhookId)
        assert.isAbove(ids[0]!, 0)
        assert.deepStrictEqual(
          ids,
          [...new Set(ids)].toSorted((a, b) => a - b)
        )
      }).pipe(onEmpty)
    )

    it.effect("appends nothing when there is nothing", () =>
      Effect.gen(function* () {
        const { claim } = yield* setUp(0)
        assert.deepStrictEqual(yield* claim(0), [])
      }).pipe(onEmpty)
    )

    it.effect("keeps nothing of a unit that is undone", () =>
      Effect.gen(function* () {
        const { claim, deliveries, outbox } = yield* setUp(1)
        yield* claim(0)
        const unitOfWork = yield* UnitOfWork
        yield* Effect.flip(unitOfWork.transact(Effect.andThen(outbox.append(deliveries), Effect.fail("undone"))))
        assert.deepStrictEqual(yield* claim(1), [])
      }).pipe(onEmpty)
    )

    it.effect("goes on with higher numbers once all is delivered", () =>
      Effect.gen(function* () {
        const { claim, deliveries, outbox } = yield* setUp(2)
        const first = yield* claim(0)
        for (const { webhookId } of first) yield* outbox.record(webhookId, { _tag: "Delivered", at: minute(1) })
        yield* outbox.append(deliveries)
        const second = yield* claim(1)
        assert.isAbove(second[0]!.webhookId, first[1]!.webhookId)
      }).pipe(onEmpty)
    )

    it.effect("claims what is due from the instant on that it was made at", () =>
      Effect.gen(function* () {
        const { claim } = yield* setUp(1, minute(5))
        assert.deepStrictEqual(yield* claim(4), [])
        assert.lengthOf(yield* claim(5), 1)
      }).pipe(onEmpty)
    )

    it.effect("claims at most so many, lowest number first, whatever became due first", () =>
      Effect.gen(function* () {
        const { claim, outbox } = yield* setUp(5)
        const all = yield* claim(0)
        // They are due again in another order than that of their numbers.
        for (const [index, at] of [4, 1, 2, 3, 1].entries()) {
          yield* outbox.record(all[index]!.webhookId, { _tag: "TryAgain", at: minute(at), problem: "503" })
        }
        assert.deepStrictEqual(numbers(yield* claim(4, 2)), [1, 2])
        assert.deepStrictEqual(numbers(yield* claim(4, 2)), [3, 4])
        assert.deepStrictEqual(numbers(yield* claim(4, 2)), [5])
      }).pipe(onEmpty)
    )

    it.effect("one whose claim ran out is due again, with no try counted", () =>
      Effect.gen(function* () {
        const { claim } = yield* setUp(1)
        const first = yield* claim(0)
        assert.deepStrictEqual(yield* claim(4), [])
        assert.deepStrictEqual(yield* claim(5), first)
      }).pipe(onEmpty)
    )

    it.effect("hands none to two workers that claim at once, and leaves none", () =>
      Effect.gen(function* () {
        const { claim } = yield* setUp(20)
        const claims = yield* Effect.all(
          Array.from({ length: 12 }, () => claim(0, 3)),
          { concurrency: "unbounded" }
        )
        for (const one of claims) {
          assert.deepStrictEqual(
            numbers(one),
            numbers(one).toSorted((a, b) => a - b)
          )
        }
        const claimed = numbers(claims.flat())
        assert.lengthOf(claimed, 20)
        assert.strictEqual(new Set(claimed).size, 20)
      }).pipe(onEmpty)
    )

    it.effect("what is delivered is over", () =>
      Effect.gen(function* () {
        const { claim, outbox } = yield* setUp(2)
        const [first] = yield* claim(0)
        yield* outbox.record(first!.webhookId, { _tag: "Delivered", at: minute(1) })
        assert.deepStrictEqual(numbers(yield* claim(1_000)), [2])
      }).pipe(onEmpty)
    )

    it.effect("what is given up is over", () =>
      Effect.gen(function* () {
        const { claim, outbox } = yield* setUp(2)
        const [first] = yield* claim(0)
        yield* outbox.record(first!.webhookId, { _tag: "GivenUp", at: minute(1), problem: "410 Gone" })
        assert.deepStrictEqual(numbers(yield* claim(1_000)), [2])
      }).pipe(onEmpty)
    )

    it.effect("a failed try is counted, and comes again at its instant though the claim ran longer", () =>
      Effect.gen(function* () {
        const { claim, outbox } = yield* setUp(1)
        const [first] = yield* claim(0, 1, 60)
        yield* outbox.record(first!.webhookId, { _tag: "TryAgain", at: minute(10), problem: "timeout" })
        assert.deepStrictEqual(yield* claim(9), [])
        assert.deepStrictEqual(yield* claim(10), [{ ...first!, tries: 1 }])
        yield* outbox.record(first!.webhookId, { _tag: "TryAgain", at: minute(11), problem: "timeout" })
        assert.deepStrictEqual(yield* claim(11), [{ ...first!, tries: 2 }])
      }).pipe(onEmpty)
    )

    it.effect("what is over stays over, whatever a late worker says", () =>
      Effect.gen(function* () {
        const { claim, outbox } = yield* setUp(2)
        const [first, second] = yield* claim(0)
        yield* outbox.record(first!.webhookId, { _tag: "Delivered", at: minute(1) })
        yield* outbox.record(second!.webhookId, { _tag: "GivenUp", at: minute(1), problem: "410 Gone" })
        yield* outbox.record(first!.webhookId, { _tag: "TryAgain", at: minute(2), problem: "timeout" })
        yield* outbox.record(second!.webhookId, { _tag: "TryAgain", at: minute(2), problem: "timeout" })
        assert.deepStrictEqual(yield* claim(1_000), [])
      }).pipe(onEmpty)
    )
  })
