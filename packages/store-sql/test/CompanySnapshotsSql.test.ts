import { assert, describe, it } from "@effect/vitest"
import { CompanySnapshots } from "@parcela/engine/ports/CompanySnapshots"
import * as CompanySnapshotsSuite from "@parcela/testing/CompanySnapshotsSuite"
import { keptChargePayment } from "@parcela/testing/ChargeFixtures"
import { keptPayment } from "@parcela/testing/CommandStoreFixtures"
import { keptCompany, minute, newEntry } from "@parcela/testing/StoreFixtures"
import { writeDeliveries, writeEntries } from "@parcela/testing/StoreWrites"
import { forEachStore, type TestStore } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as CompanyRows from "../src/CompanyRows.ts"
import * as CompanySnapshotsSql from "../src/CompanySnapshotsSql.ts"
import { companyTables, staying } from "../src/tables/CompanyTables.ts"

const withSnapshots = (store: TestStore) => Layer.provideMerge(CompanySnapshotsSql.layerNoDeps, store)

forEachStore(
  (name, store) => CompanySnapshotsSuite.suite(name, withSnapshots(store)),
  ["SQLite in memory", "PostgreSQL"]
)

/** Every table of the database. */
const tablesThere = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<{ name: string }>`
      SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    orElse: () => sql<{ name: string }>`
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
  })
  return rows.map(({ name }) => name).toSorted()
})

/** All rows of the tables that a restore puts back, as texts. */
const allRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of companyTables) {
    const rows = yield* sql.onDialectOrElse({
      pg: () => sql`SELECT row_to_json(t)::text AS row FROM ${sql(name)} AS t`,
      orElse: () => sql`SELECT * FROM ${sql(name)}`
    })
    found[name] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return found
})

forEachStore(
  (name, store) =>
    describe(`the tables of companies (${name})`, () => {
      it.effect("are all that the database has: a new one is to be kept by snapshots, or has a reason not to be", () =>
        Effect.gen(function* () {
          // PostgreSQL numbers by itself.
          const apart = Object.keys(staying).filter((table) => name !== "PostgreSQL" || table !== "sequences")
          const decided = [...companyTables.map((table) => table.name), ...apart]
          assert.deepStrictEqual(yield* tablesThere, decided.toSorted())
        }).pipe(Effect.provide(store, { local: true }))
      )

      it.effect("come back as they were, every column of every row", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const snapshots = yield* CompanySnapshots
          const { companyId, opened } = yield* keptPayment
          yield* keptChargePayment
          const [endpoint] = yield* sql<{ id: number }>`SELECT id FROM webhook_endpoints`
          yield* writeDeliveries([
            {
              companyId,
              endpointId: Number(endpoint!.id),
              event: "transaction.updateStatus",
              transactionId: opened.id,
              payload: '{"quoted":"a \\" ç \\n 𝄞"}',
              createdAt: minute(0)
            }
          ])
          yield* writeEntries([newEntry(companyId, opened.id)])
          yield* sql`INSERT INTO delivery_tries (webhook_id, started_at, duration, problem)
            SELECT webhook_id, 1, 2, ${"a 'problem'"} FROM deliveries`
          yield* sql`INSERT INTO due_work (kind, subject, company_id, due_at, tries, clock)
            VALUES ('send payment', '1', ${companyId}, 9007199254740991, 0, 'business')`
          yield* sql`INSERT INTO named_advances (company_id, name, target) VALUES (${companyId}, 'n', 5)`
          const before = yield* allRows
          assert.isAbove(Object.values(before).filter(({ length }) => length > 0).length, 12)
          const request = { at: minute(1), layout: "", beside: () => Effect.succeed(0) }
          yield* snapshots.take(companyId, "base", request)
          yield* sql`UPDATE customers SET contracts = 5, version = 9 WHERE company_id = ${companyId}`
          yield* sql`DELETE FROM due_work WHERE company_id = ${companyId}`
          yield* snapshots.restore(companyId, "base", { ...request, beside: () => Effect.void })
          assert.deepStrictEqual(yield* allRows, before)
        }).pipe(Effect.provide(withSnapshots(store), { local: true }))
      )

      it.effect(
        "are kept under a number that a take was given before which a crash cut off, of another company too",
        () =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const rows = CompanyRows.make(sql, companyTables)
            const [full, empty] = [(yield* keptPayment).companyId, (yield* keptCompany).id]
            const copied = (companyId: number) => sql.withTransaction(rows.copy(companyId, 7))
            const all = yield* copied(full)
            assert.isAbove(all, 5)
            assert.deepStrictEqual([yield* copied(full), yield* copied(empty)], [all, 0])
          }).pipe(Effect.provide(store, { local: true }))
      )
    }),
  ["SQLite in memory", "PostgreSQL"]
)
