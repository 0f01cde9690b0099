import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Layer, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { first } from "../../src/migrations/0001_first.ts"
import * as Migrations from "../../src/Migrations.ts"
import * as WebhookEndpointsSql from "../../src/WebhookEndpointsSql.ts"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as DatabaseMigrator from "../../src/DatabaseMigrator.ts"

const table = Migrations.table

/** A database of the first version: one company with webhooks, one that has none any more, deliveries of both. */
const firstVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* DatabaseMigrator.run({ loader: Migrator.fromRecord({ "0001_first": first }), table })
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
      yield* DatabaseMigrator.run({ loader: Migrations.loader, table })
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

const openPostgres = Layer.unwrap(
  Effect.map(Effect.orDie(newDatabase), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
)

for (const { client, name } of [
  { name: "SQLite", client: NodeSqliteClient.layer({ filename: ":memory:" }) },
  { name: "PostgreSQL", client: openPostgres }
]) {
  describe(`the migration to one webhook endpoint of a company (${name})`, () => {
    it.effect("keeps the oldest with its deliveries, and gives up what waits for the others", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const before = Effect.map(Migrations.loader, (all) => all.filter(([id]) => id <= 8))
        yield* DatabaseMigrator.run({ loader: before, table })
        yield* sql`INSERT INTO companies (data) VALUES ('{}'), ('{}')`
        for (const [company, path] of [
          [2, "a"],
          [1, "b"],
          [1, "c"],
          [1, "d"]
        ] as const) {
          yield* sql`
            INSERT INTO webhook_endpoints (company_id, url, events, state, failures, created_at, updated_at)
            VALUES (${company}, ${`https://${path}.example/`}, '[]', 'on', 0, 1, 1)`
        }
        for (const [endpoint, company, state] of [
          [1, 2, "pending"],
          [2, 1, "pending"],
          [3, 1, "pending"],
          [4, 1, "delivered"]
        ] as const) {
          yield* sql`
            INSERT INTO deliveries
              (endpoint_id, company_id, event, transaction_id, payload, created_at, state, tries, due_at)
            VALUES (${endpoint}, ${company}, 'transaction.updateStatus', 7, '{}', 1, ${state}, 0, 5)`
        }
        yield* DatabaseMigrator.run({ loader: Migrations.loader, table })
        assert.deepStrictEqual(yield* sql`SELECT url FROM webhook_endpoints ORDER BY id`.values, [
          ["https://a.example/"],
          ["https://b.example/"]
        ])
        const rows = yield* sql<{ endpoint_id: unknown; state: string }>`
          SELECT endpoint_id, state FROM deliveries ORDER BY webhook_id`
        assert.deepStrictEqual(
          rows.map(({ endpoint_id, state }) => [endpoint_id === null ? null : Number(endpoint_id), state]),
          [
            [1, "pending"],
            [2, "pending"],
            [null, "given_up"],
            [null, "delivered"]
          ]
        )
        const again = sql`
          INSERT INTO webhook_endpoints (company_id, url, events, state, failures, created_at, updated_at)
          VALUES (1, 'https://e.example/', '[]', 'on', 0, 1, 1)`
        assert.strictEqual((yield* Effect.flip(again)).reason._tag, "UniqueViolation")
      }).pipe(Effect.provide(client))
    )
  })
  describe(`the migration to several endpoints with secrets of their own (${name})`, () => {
    it.effect("what was there is the default one, and its first secret the company's own", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const before = Effect.map(Migrations.loader, (all) => all.filter(([id]) => id <= 9))
        yield* DatabaseMigrator.run({ loader: before, table })
        yield* sql`INSERT INTO companies (data) VALUES ('{}')`
        const at = 1_790_000_000_000
        yield* sql`
          INSERT INTO webhook_endpoints (company_id, url, events, state, failures, created_at, updated_at)
          VALUES (1, 'https://a.example/', '[]', 'on', 0, ${at}, 1)`
        yield* DatabaseMigrator.run({ loader: Migrations.loader, table })
        const company = CompanyId.make(1)
        const found = yield* WebhookEndpoints.use((endpoints) => endpoints.ofCompany(company)).pipe(
          Effect.provide(WebhookEndpointsSql.layerNoDeps)
        )
        assert.deepInclude(found[0], {
          isDefault: true,
          isOn: true,
          secrets: [{ version: 1, salt: "", createdAt: MachineTime.make(at) }]
        })
      }).pipe(Effect.provide(client))
    )
  })
}
