import { assert, it } from "@effect/vitest"
import { OldRecords } from "@parcela/engine/ports/OldRecords"
import * as OldRecordsSuite from "@parcela/testing/OldRecordsSuite"
import { keptCompany, minute } from "@parcela/testing/StoreFixtures"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

forEachStore(OldRecordsSuite.suite)

forEachStore((name, store) =>
  it.effect(`old keys are deleted, and one whose response is not known yet stays (${name})`, () =>
    Effect.gen(function* () {
      const records = yield* OldRecords
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* keptCompany
      const { id: other } = yield* keptCompany
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
