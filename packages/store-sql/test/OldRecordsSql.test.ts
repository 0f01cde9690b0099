/** Tests of the port `OldRecords`. */
import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Journal } from "@parcela/engine/ports/Journal"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { OldRecords } from "@parcela/engine/ports/OldRecords"
import { Effect } from "effect"
import {
  storedCompany,
  storedEndpoint,
  minute,
  newEntry,
  onEmptyStore,
  type StoreLayer
} from "./fixtures/StoreFixtures.ts"
import { recordAttempt, writeDeliveries, writeEntries } from "@parcela/test-world/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { SqlClient } from "effect/sql"

const minutes = [3, 0, 2, 1]

/** Entries of these minutes, in no order. */
const storedEntries = Effect.gen(function* () {
  const journal = yield* Journal
  const { id: companyId } = yield* storedCompany
  const entries = minutes.map((index) => newEntry(companyId, SvcPayId.make(index + 1), minute(index)))
  yield* writeEntries(entries)
  return Effect.map(journal.latest(companyId, 100), (found) => found.map(({ at }) => at))
})

/** A delivery with a try in each of these minutes. */
const storedAttempts = Effect.gen(function* () {
  const outbox = yield* Outbox
  const { id: companyId } = yield* storedCompany
  const { id: endpointId } = yield* storedEndpoint(companyId)
  yield* writeDeliveries([
    {
      companyId,
      endpointId,
      event: "transaction.updateStatus",
      transactionId: SvcPayId.make(1),
      payload: "{}",
      createdAt: minute(0)
    }
  ])
  let webhookId = 0
  for (const index of minutes.toSorted()) {
    const [leased] = yield* outbox.lease(endpointId, {
      owner: "one",
      now: minute(index),
      until: minute(index + 1),
      limit: 1
    })
    webhookId = leased!.webhookId
    yield* recordAttempt(
      leased!,
      { _tag: "Retry", at: minute(index + 1), problem: "down" },
      { startedAt: minute(index), duration: 1, status: 500, problem: "down" }
    )
  }
  return Effect.map(outbox.attempts(companyId, webhookId), (found) => found.map(({ startedAt }) => startedAt))
})

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`OldRecords (${name})`, () => {
    it.effect.each([
      ["journal", storedEntries],
      ["attempts", storedAttempts]
    ] as const)("deletes older records of the kind %s up to the limit, oldest first", ([kind, stored]) =>
      Effect.gen(function* () {
        const records = yield* OldRecords
        const remaining = yield* stored
        const stay = (...left: ReadonlyArray<number>) =>
          Effect.map(remaining, (found) =>
            assert.sameDeepMembers(
              [...found],
              left.map((index) => minute(index))
            )
          )
        assert.strictEqual(yield* records.delete(kind, minute(0), 10), 0)
        assert.strictEqual(yield* records.delete(kind, minute(3), 2), 2)
        yield* stay(2, 3)
        assert.strictEqual(yield* records.delete(kind, minute(3), 2), 1)
        yield* stay(3)
        assert.strictEqual(yield* records.delete(kind, minute(3), 2), 0)
        yield* stay(3)
      }).pipe(onEmptyStore(layer))
    )

    it.effect("deletes each record once by two concurrent deletions", () =>
      Effect.gen(function* () {
        const records = yield* OldRecords
        const remaining = yield* storedEntries
        const step = records.delete("journal", minute(9), 3)
        const counts = yield* Effect.all([step, step, step], { concurrency: "unbounded" })
        yield* records.delete("journal", minute(9), 3)
        assert.isAtMost(
          counts.reduce((sum, count) => sum + count, 0),
          4
        )
        assert.deepStrictEqual(yield* remaining, [])
      }).pipe(onEmptyStore(layer))
    )
  })

forEachStore(suite)

forEachStore((name, store) =>
  it.effect(`deletes old keys, except one whose response is not known yet (${name})`, () =>
    Effect.gen(function* () {
      const records = yield* OldRecords
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* storedCompany
      const { id: other } = yield* storedCompany
      const keep = (company: number, key: string, at: number, status: number | null) => sql`
        INSERT INTO idempotency_keys
          (company_id, idempotency_key, fingerprint, subject, response_status, response_body, created_at)
        VALUES (${company}, ${key}, ${"f"}, ${"{}"}, ${status}, ${null}, ${minute(at)})
      `
      yield* keep(id, "open", 0, null)
      yield* keep(id, "third", 2, 200)
      yield* keep(other, "second", 1, 400)
      yield* keep(id, "first", 0, 200)
      yield* keep(id, "fresh", 3, 200)
      const left = Effect.map(
        sql<{ idempotency_key: string }>`SELECT idempotency_key FROM idempotency_keys ORDER BY idempotency_key`,
        (rows) => rows.map((row) => row.idempotency_key)
      )
      assert.strictEqual(yield* records.delete("keys", minute(3), 2), 2)
      assert.deepStrictEqual(yield* left, ["fresh", "open", "third"])
      assert.strictEqual(yield* records.delete("keys", minute(3), 2), 1)
      assert.deepStrictEqual(yield* left, ["fresh", "open"])
      assert.strictEqual(yield* records.delete("keys", minute(3), 2), 0)
    }).pipe(Effect.provide(store, { local: true }))
  )
)
