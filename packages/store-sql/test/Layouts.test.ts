/**
 * Migrations that are said to leave the rows of companies as they were leave them so. When this fails for a migration that was added,
 * take its name out of `leavingRows`: snapshots of before are then refused. When it lacks a column, give its rows here one.
 */
import { assert, describe, it } from "@effect/vitest"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as CompanyRows from "../src/CompanyRows.ts"
import { layouts, loader } from "../src/Migrations.ts"
import * as PostgresClient from "../src/postgres/PostgresClient.ts"
import { companyTables } from "../src/tables/CompanyTables.ts"
import { insert, json, migrate, type Rows } from "./fixtures/GoldenRows.ts"
import { statementsOf } from "./fixtures/Statements.ts"

const clients = {
  SQLite: NodeSqliteClient.layer({ filename: ":memory:" }),
  PostgreSQL: Layer.unwrap(
    Effect.map(Effect.orDie(newDatabase), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
  )
}

const numberOf = (layout: string) => Number(layout.slice(0, 4))
const golden = json("state-version-4.json") as Rows

const of = { company_id: 1 }
const state = { ...of, id: 1, my_id: "m", status: "active", created_at: 1, updated_at: 2, version: 3, data: "{}" }

/** In tables that the golden rows have none in. */
const others: Rows = {
  customer_emails: [{ ...of, email: "e", customer_id: 1 }],
  plans: [state],
  charges: [{ ...state, customer_id: 1 }],
  charge_tags: [{ ...of, tag: "t", charge_id: 1 }],
  idempotency_keys: [{ ...of, idempotency_key: "k", fingerprint: "f", response_body: "{}", created_at: 1 }],
  deliveries: [
    { ...of, webhook_id: 99, event: "e", transaction_id: 1, created_at: 1, tries: 9, due_at: 1, state: "given_up" }
  ],
  delivery_tries: [{ webhook_id: 1, started_at: 1, duration: 2, status: 500, problem: "p" }],
  webhook_replays: [{ ...of, filter: "{}", after_id: 1, up_to: 2, replayed: 3, is_done: 1, created_at: 4 }],
  clock_advances: [{ ...of, target: 1, due_at: 2, waits_since: 3, lease_owner: "o", lease: "l" }],
  last_advances: [{ ...of, name: "n", from_at: 1, target: 2, hops: 3, events_after: "a" }],
  named_advances: [{ ...of, name: "n", target: 1 }]
}

/** What changes no row, and what copies a column of every row: the rows here would show that. */
const leavesRows = /^(?:CREATE(?!.* AS SELECT )|DROP|ALTER|SET CONSTRAINTS|UPDATE "?\w+"? SET "?\w+"? = "?\w+"?$)/u

/** What a loader gives as anything. */
type Loaded = Effect.Effect<Effect.Effect<unknown, unknown, SqlClient.SqlClient>>

/** The rows that a snapshot has, by table. */
const kept = Effect.fnUntraced(function* (snapshotId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly row: string }>`
    SELECT table_name AS name, row_data AS row FROM snapshot_rows WHERE snapshot_id = ${snapshotId}`
  const found = new Map<string, Array<unknown>>()
  for (const { name, row } of rows) found.set(name, [...(found.get(name) ?? []), JSON.parse(row)])
  return found
})

describe.each(Object.entries(clients))("migrations that leave rows as they were, on %s", (_, client) => {
  // 0042 removed references of one kind: rows that a test has none of would not show that.
  it.effect("pick no rows", () =>
    Effect.gen(function* () {
      yield* migrate(numberOf(layouts.at(-1)!))
      const named = (yield* loader).filter(([id]) => id > numberOf(layouts.at(-1)!))
      const statements = yield* Effect.forEach(named, ([, , migration]) =>
        statementsOf(Effect.flatten(migration as Loaded))
      )
      const texts = statements.flat().map(([text]) => text.trim().replaceAll(/\s+/gu, " "))
      assert.deepStrictEqual(
        texts.filter((text) => !leavesRows.test(text)),
        []
      )
    }).pipe(Effect.provide(client, { local: true }))
  )

  it.effect("change nothing that a snapshot keeps, and what it kept before them is put back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = CompanyRows.make(sql, companyTables)
      yield* migrate(34)
      yield* insert(golden)
      yield* migrate(numberOf(layouts.at(-1)!))
      yield* insert(others)
      yield* sql.withTransaction(rows.copy(1, 7))
      const before = yield* kept(7)
      assert.sameMembers(
        [...before.keys()],
        companyTables.map(({ name }) => name)
      )
      assert.strictEqual((yield* migrate(Infinity)).length, layouts.length - 1)
      yield* sql.withTransaction(rows.copy(1, 8))
      const after = yield* kept(8)
      for (const { name } of companyTables) assert.sameDeepMembers(after.get(name)!, before.get(name)!, name)
      yield* sql.withTransaction(Effect.andThen(rows.clear(1), rows.putBack(7)))
      yield* sql.withTransaction(rows.copy(1, 9))
      for (const [name, all] of yield* kept(9)) assert.lengthOf(all, before.get(name)!.length, name)
    }).pipe(Effect.provide(client, { local: true }))
  )
})
