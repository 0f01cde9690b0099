import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { first } from "../../src/migrations/0001_first.ts"
import * as Migrations from "../../src/Migrations.ts"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as DatabaseMigrator from "../../src/DatabaseMigrator.ts"

const table = Migrations.table

/** A database of the first version, with what was due in it. */
const firstVersion = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* DatabaseMigrator.run({ loader: Migrator.fromRecord({ "0001_first": first }), table })
  yield* sql`INSERT INTO companies (id, data) VALUES (1, '{"name":"A","scopes":[],"allowedAddresses":[],"createdAt":1}')`
  yield* sql`INSERT INTO customers (id, company_id, document, data) VALUES (1, 1, '1', '{}')`
  yield* sql`
    INSERT INTO subscriptions (id, company_id, my_id, customer_id, status, created_at, updated_at, data)
    VALUES (1, 1, 's', 1, 'active', 1, 1, '{}')`
  for (const [id, day] of [
    [1, "2026-09-22"],
    [2, "1000-01-01"],
    [3, null]
  ] as const) {
    yield* sql`
      INSERT INTO transactions
        (id, company_id, my_id, subscription_id, status, status_at, payday, attempt_from, created_at, data)
      VALUES (${id}, 1, ${`t${id}`}, 1, 'notSend', 1, '2026-09-22', ${day}, 1, '{"method":"creditcard","value":100}')`
  }
  yield* sql`
    INSERT INTO attempts (id, company_id, transaction_id, started_at, claimed_until, settled_at)
    VALUES ('open', 1, 3, 1000, 61000, NULL), ('settled', 1, 3, 1000, 61000, 2000)`
})

describe("the migration to due work", () => {
  it.effect("takes over what was due, and nothing that was over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* firstVersion
      yield* DatabaseMigrator.run({ loader: Migrations.loader, table })
      const rows = yield* sql`
        SELECT kind, subject, company_id, due_at, waits_since, tries, parked_at FROM due_work ORDER BY kind, subject`
      const work = { company_id: 1, waits_since: null, tries: 0, parked_at: null }
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        [
          { ...work, kind: "resolve attempt", subject: "open", due_at: 61_000, waits_since: 1_000 },
          { ...work, kind: "send payment", subject: "1", due_at: Date.UTC(2026, 8, 22, 3) },
          { ...work, kind: "send payment", subject: "2", due_at: Date.UTC(1000, 0, 1, 3) }
        ]
      )
    }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))
  )
})
