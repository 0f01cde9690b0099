/** Tests of the port `Journal`. */
import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Journal, JournalCursor, type JournalEntry, JournalSubject } from "@parcela/engine/ports/Journal"
import { Actor, OriginCause } from "@parcela/engine/ports/WriteContext"
import { Effect, Schema } from "effect"
import { normalized } from "./fixtures/Arbitraries.ts"
import { storedCompany, minute, newEntry, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { writeEntries } from "@parcela/test-world/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const entries = (companyId: CompanyId, from: number, count: number): ReadonlyArray<JournalEntry> =>
  Array.from({ length: count }, (_, index) =>
    // Later entries are from an earlier time: order is that of writing.
    newEntry(companyId, SvcPayId.make(from + index), minute(100 - from - index))
  )

const fields = Schema.optionalKey(
  Schema.Struct({
    value: Schema.optionalKey(Schema.Int),
    status: Schema.optionalKey(Schema.NullOr(Schema.String)),
    owner: Schema.optionalKey(Schema.Struct({ ids: Schema.Array(Schema.Int) }))
  })
)

const written = normalized(
  Schema.Array(
    Schema.Struct({
      subject: Schema.Struct({ kind: JournalSubject.fields.kind, id: Schema.Literals(["1", "default", "k3-ä"]) }),
      at: MachineTime,
      businessAt: BusinessTime,
      origin: Schema.Struct({
        actor: Actor,
        cause: Schema.optionalKey(OriginCause),
        requestId: Schema.optionalKey(Schema.Literals(["1f-2", "0"]))
      }),
      events: Schema.Array(BillingEvent),
      before: fields,
      after: fields
    })
  )
)

/** The pages of a follower with the given size, up to the given number of entries. */
const followed = Effect.fnUntraced(function* (count: number, limit: number, companyId?: CompanyId) {
  const journal = yield* Journal
  const seen: Array<JournalEntry> = []
  let cursor: JournalCursor | undefined
  // Another transaction of the server, of another test too, may keep an entry back for a while.
  while (seen.length < count) {
    const { entries, next } = yield* journal.follow(cursor, limit, companyId)
    assert.isAtMost(entries.length, limit)
    seen.push(...entries)
    cursor = next
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return { seen, cursor }
})

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Journal (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    withLayer(layer)("with any entries", (it) => {
      it.effect.prop("returns the appended entries unchanged", [written], ([written]) =>
        Effect.gen(function* () {
          const journal = yield* Journal
          const { id: companyId } = yield* storedCompany
          const entries = written.map((entry) => ({ ...entry, companyId }))
          yield* writeEntries(entries)
          assert.deepStrictEqual(yield* journal.latest(companyId, entries.length + 1), entries)
        })
      )
    })

    it.effect("returns the newest entries in ascending order", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const { id } = yield* storedCompany
        yield* writeEntries(entries(id, 1, 4))
        yield* writeEntries(entries(id, 5, 3))
        assert.deepStrictEqual(yield* journal.latest(id, 4), entries(id, 4, 4))
        assert.deepStrictEqual(yield* journal.latest(id, 7), entries(id, 1, 7))
        assert.deepStrictEqual(yield* journal.latest(id, 100), entries(id, 1, 7))
        assert.deepStrictEqual(yield* journal.latest(id, 0), [])
      }).pipe(onEmpty)
    )

    it.effect("returns the entries of one company only, however entries are interleaved", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const first = yield* storedCompany
        const second = yield* storedCompany
        yield* writeEntries([...entries(first.id, 1, 1), ...entries(second.id, 1, 2), ...entries(first.id, 2, 1)])
        assert.deepStrictEqual(yield* journal.latest(first.id, 10), entries(first.id, 1, 2))
        assert.deepStrictEqual(yield* journal.latest(second.id, 1), entries(second.id, 2, 1))
      }).pipe(onEmpty)
    )

    it.effect("appends nothing for an empty list", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const { id } = yield* storedCompany
        yield* writeEntries([])
        assert.deepStrictEqual(yield* journal.latest(id, 10), [])
        assert.deepStrictEqual(yield* journal.follow(undefined, 10), { entries: [], next: undefined })
      }).pipe(onEmpty)
    )

    it.effect("returns complete pages without overlap to a follower of one company or of all", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const first = yield* storedCompany
        const second = yield* storedCompany
        yield* writeEntries([...entries(first.id, 1, 2), ...entries(second.id, 1, 2)])
        yield* writeEntries(entries(first.id, 3, 3))
        const { cursor, seen } = yield* followed(7, 3)
        assert.deepStrictEqual(seen, [
          ...entries(first.id, 1, 2),
          ...entries(second.id, 1, 2),
          ...entries(first.id, 3, 3)
        ])
        assert.deepStrictEqual(yield* journal.follow(cursor, 3), { entries: [], next: cursor })
        assert.deepStrictEqual((yield* followed(5, 2, first.id)).seen, entries(first.id, 1, 5))
        assert.deepStrictEqual((yield* followed(2, 5, second.id)).seen, entries(second.id, 1, 2))
      }).pipe(onEmpty)
    )

    it.effect("returns the entries of one command separately, and continues after any of them", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const { id } = yield* storedCompany
        const origin = { actor: { _tag: "Service" } } as const
        const entry = (customer: number, rest: Partial<JournalEntry>): JournalEntry => ({
          ...newEntry(id, SvcPayId.make(customer)),
          origin,
          ...rest
        })
        const created = { _tag: "CustomerCreated", customerId: SvcPayId.make(3) } as const
        const updated = { _tag: "CustomerUpdated", customerId: SvcPayId.make(3) } as const
        const together = [
          entry(1, {}),
          entry(2, { events: [], before: { result: null }, after: { result: "x" } }),
          entry(3, { events: [created, updated] })
        ]
        const all = [...together, entry(4, {})]
        yield* writeEntries(together)
        yield* writeEntries(all.slice(3))
        for (const limit of [1, 2, 3, 4]) assert.deepStrictEqual((yield* followed(4, limit, id)).seen, all)
        assert.deepStrictEqual(yield* journal.latest(id, 2), all.slice(2))
        const counts = [yield* journal.countUnrequested(id, undefined)]
        for (const read of [1, 2, 3]) {
          const { next } = yield* journal.follow(undefined, read, id)
          counts.push(yield* journal.countUnrequested(id, next))
        }
        const end = yield* journal.end(id)
        const { next: first } = yield* journal.follow(undefined, 1, id)
        yield* writeEntries([entry(9, {})])
        assert.deepStrictEqual(yield* journal.countUnrequested(id, undefined, end), counts[0])
        assert.deepStrictEqual(yield* journal.countUnrequested(id, first, end), counts[1])
        assert.deepStrictEqual(yield* journal.countUnrequested(id, end, end), [])
        const of = (customersCreated: number) => ({ event: "CustomerCreated" as const, count: customersCreated })
        const update = { event: "CustomerUpdated" as const, count: 1 }
        assert.deepStrictEqual(counts, [[of(3), update], [of(2), update], [of(2), update], [of(1)]])
      }).pipe(onEmpty)
    )

    it.effect("returns each entry once to a follower during concurrent writes", () =>
      Effect.gen(function* () {
        const { id } = yield* storedCompany
        const numbers = Array.from({ length: 24 }, (_, index) => index + 1)
        const write = (number: number) =>
          // Some are written later than others that began after them.
          Effect.andThen(
            Effect.forEach(Array.from({ length: number % 5 }), () => Effect.yieldNow),
            writeEntries(entries(id, number, 1))
          )
        const [{ seen }] = yield* Effect.all(
          [followed(numbers.length, 5), Effect.forEach(numbers, write, { concurrency: 4 })],
          { concurrency: "unbounded" }
        )
        const subjects = seen.map(({ subject }) => Number(subject.id))
        assert.deepStrictEqual(
          subjects.toSorted((a, b) => a - b),
          numbers
        )
      }).pipe(onEmpty)
    )

    it.effect("refuses a cursor that it did not return", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        for (const odd of [
          "yesterday",
          "0-",
          "-1",
          "0-01",
          "00-1",
          "0-1e3",
          "0 -1",
          "0-1-0",
          `0-${2 ** 53}`,
          `${2n ** 64n}-1`
        ]) {
          const refused = yield* Effect.flip(journal.follow(JournalCursor.make(odd), 1))
          assert.strictEqual(refused._tag, "UnknownCursor", odd)
        }
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
