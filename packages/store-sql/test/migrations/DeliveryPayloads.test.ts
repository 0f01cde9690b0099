import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { minute } from "@parcela/testing/StoreFixtures"
import { recordTry } from "@parcela/testing/StoreWrites"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as DatabaseMigrator from "../../src/DatabaseMigrator.ts"
import * as Migrations from "../../src/Migrations.ts"
import * as OutboxSql from "../../src/OutboxSql.ts"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"

const upTo = (last: number) =>
  DatabaseMigrator.run({
    loader: Effect.map(Migrations.loader, (all) => all.filter(([id]) => id <= last)),
    table: Migrations.table
  })

const clients = {
  SQLite: NodeSqliteClient.layer({ filename: ":memory:" }),
  PostgreSQL: Layer.unwrap(
    Effect.map(Effect.orDie(newDatabase), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
  )
}

describe.each(Object.entries(clients))("the migration to rows of payloads on %s", (_, client) => {
  it.effect("keeps payloads, waits, and leases that are held meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* upTo(38)
      yield* sql`INSERT INTO companies (data) VALUES ('{}')`
      yield* sql`
        INSERT INTO webhook_endpoints (company_id, url, events, state, failures, created_at, updated_at)
        VALUES (1, 'https://a.example/', '[]', 'on', 0, 1, 1)`
      const row = { company_id: 1, endpoint_id: 1, event: "transaction.updateStatus", created_at: minute(0), tries: 1 }
      const lease = { lease_owner: "one", lease: "one 1" }
      for (const [index, own] of [
        { state: "pending", due_at: minute(9), waits_since: minute(4), ...lease },
        { state: "pending", due_at: minute(5), waits_since: minute(2), lease_owner: null, lease: null },
        { state: "delivered", due_at: minute(0), waits_since: minute(0), lease_owner: null, lease: null },
        { state: "pending", due_at: minute(0), waits_since: minute(0), lease_owner: null, lease: null }
      ].entries()) {
        // The last one is of the same transaction as the first, and so waits for it.
        const columns = { ...row, ...own, transaction_id: 1 + (index % 3), payload: `{"of":${index}}` }
        yield* sql`INSERT INTO deliveries ${sql.insert(columns)}`
      }
      yield* upTo(Infinity)
      yield* Effect.gen(function* () {
        const outbox = yield* Outbox
        const shown = yield* outbox.follow(CompanyId.make(1), {}, 0, 9)
        assert.deepStrictEqual(
          shown.map(({ at, state }) => [state, at]),
          [
            ["pending", minute(9)],
            ["pending", minute(5)],
            ["delivered", minute(0)],
            ["pending", minute(0)]
          ]
        )
        const leasing = (at: number) => outbox.lease(1, { owner: "two", now: minute(at), until: minute(60), limit: 9 })
        assert.deepStrictEqual(
          (yield* leasing(8)).map(({ payload }) => payload),
          ['{"of":1}']
        )
        const made = { startedAt: minute(5), duration: 1, status: 200, problem: undefined }
        const held = shown[0]!
        const again = { _tag: "TryAgain", at: minute(9), problem: "timeout" } as const
        assert.isTrue(yield* recordTry({ webhookId: held.webhookId, token: "one 1" }, again, made))
        assert.deepStrictEqual(
          (yield* leasing(9)).map(({ payload, tries }) => [payload, tries]),
          [['{"of":0}', 2]]
        )
      }).pipe(Effect.provide(OutboxSql.layerNoDeps))
    }).pipe(Effect.provide(client, { local: true }))
  )
})
