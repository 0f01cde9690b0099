import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { first } from "../../src/migrations/0001_first.ts"
import * as Migrations from "../../src/Migrations.ts"
import * as NodeSqliteClient from "../../src/sqlite/NodeSqliteClient.ts"
import * as NodeSqliteMigrator from "../../src/sqlite/NodeSqliteMigrator.ts"

const table = Migrations.table

/** A database of the first version: one company with webhooks, one that has none any more, deliveries of both. */
const firstVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* NodeSqliteMigrator.run({ loader: Migrator.fromRecord({ "0001_first": first }), table })
  const rest = { name: "A", scopes: [], allowedAddresses: [], createdAt: 1_790_000_000_000 }
  const webhooks = { url: "https://a.example/hooks", events: ["transaction.updateStatus"] }
  yield* sql`
    INSERT INTO companies (id, data)
    VALUES (1, ${JSON.stringify({ ...rest, webhooks })}), (2, ${JSON.stringify(rest)})`
  for (const [company, state] of [
    [1, "pending"],
    [1, "delivered"],
    [2, "pending"]
  ] as const) {
    yield* sql`
      INSERT INTO deliveries (company_id, event, transaction_id, payload, created_at, state, tries, due_at)
      VALUES (${company}, 'transaction.updateStatus', 7, '{}', 1, ${state}, 0, 5)`
  }
})

describe("the migration to webhook endpoints", () => {
  it.effect("takes the addresses over, and what waits for them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* firstVersion
      yield* NodeSqliteMigrator.run({ loader: Migrations.loader, table })
      const endpoints = yield* sql`SELECT id, company_id, url, events, state, failures FROM webhook_endpoints`
      assert.deepStrictEqual(
        endpoints.map((row) => ({ ...row })),
        [
          {
            id: 1,
            company_id: 1,
            url: "https://a.example/hooks",
            events: '["transaction.updateStatus"]',
            state: "on",
            failures: 0
          }
        ]
      )
      const companies = yield* sql<{ data: string }>`SELECT data FROM companies ORDER BY id`
      for (const { data } of companies) assert.notProperty(JSON.parse(data), "webhooks")
      const deliveries = yield* sql`SELECT endpoint_id, state, last_problem FROM deliveries ORDER BY webhook_id`
      assert.deepStrictEqual(
        deliveries.map((row) => ({ ...row })),
        [
          { endpoint_id: 1, state: "pending", last_problem: null },
          { endpoint_id: 1, state: "delivered", last_problem: null },
          { endpoint_id: null, state: "given_up", last_problem: "The company has no webhook address" }
        ]
      )
    }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))
  )
})
