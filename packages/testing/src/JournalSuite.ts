/**
 * What every adapter of the port `Journal` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import { BillingEvent } from "@parcela/core/BillingEvent"
import type { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { SvcPayId } from "@parcela/core/Identifier"
import { Journal, type JournalEntry } from "@parcela/engine/Journal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { normalized } from "./internal/Arbitraries.ts"
import { keptCompany, minute, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const entries = (companyId: CompanyId, from: number, count: number): ReadonlyArray<JournalEntry> =>
  Array.from({ length: count }, (_, index) => ({
    companyId,
    // Later entries are from an earlier time: order is that of writing.
    at: minute(100 - from - index),
    event: { _tag: "CustomerCreated", customerId: SvcPayId.make(from + index) }
  }))

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Journal (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    withLayer(layer)("with any events", (it) => {
      const written = normalized(Schema.Array(Schema.Struct({ at: EpochMillis, event: BillingEvent })))
      it.effect.prop("answers them as they were appended", [written], ([written]) =>
        Effect.gen(function* () {
          const journal = yield* Journal
          const { id: companyId } = yield* keptCompany
          const entries = written.map((entry) => ({ ...entry, companyId }))
          yield* journal.append(entries)
          assert.deepStrictEqual(yield* journal.latest(companyId, entries.length + 1), entries)
        })
      )
    })

    it.effect("answers the newest, oldest of them first", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const { id } = yield* keptCompany
        yield* journal.append(entries(id, 1, 4))
        yield* journal.append(entries(id, 5, 3))
        assert.deepStrictEqual(yield* journal.latest(id, 4), entries(id, 4, 4))
        assert.deepStrictEqual(yield* journal.latest(id, 7), entries(id, 1, 7))
        assert.deepStrictEqual(yield* journal.latest(id, 100), entries(id, 1, 7))
        assert.deepStrictEqual(yield* journal.latest(id, 0), [])
      }).pipe(onEmpty)
    )

    it.effect("tells companies apart, however their entries are mixed", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const first = yield* keptCompany
        const second = yield* keptCompany
        yield* journal.append([...entries(first.id, 1, 1), ...entries(second.id, 1, 2), ...entries(first.id, 2, 1)])
        assert.deepStrictEqual(yield* journal.latest(first.id, 10), entries(first.id, 1, 2))
        assert.deepStrictEqual(yield* journal.latest(second.id, 1), entries(second.id, 2, 1))
      }).pipe(onEmpty)
    )

    it.effect("appends nothing when there is nothing", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const { id } = yield* keptCompany
        yield* journal.append([])
        assert.deepStrictEqual(yield* journal.latest(id, 10), [])
      }).pipe(onEmpty)
    )
  })
