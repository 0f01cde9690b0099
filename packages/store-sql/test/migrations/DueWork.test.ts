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
        SELECT kind, subject, company_id, clock, due_at, waits_since, tries, parked_at FROM due_work ORDER BY kind, subject`
      const work = { company_id: 1, waits_since: null, tries: 0, parked_at: null }
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        [
          { ...work, kind: "resolve attempt", clock: "machine", subject: "open", due_at: 61_000, waits_since: 1_000 },
          { ...work, kind: "send payment", clock: "business", subject: "1", due_at: Date.UTC(2026, 8, 22, 3) },
          { ...work, kind: "send payment", clock: "business", subject: "2", due_at: Date.UTC(1000, 0, 1, 3) }
        ]
      )
    }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))
  )

  it.effect(
    "puts paydays on the clock of their company, and leases, failed tries and what is due at once on the machine's",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const upTo = (last: number) =>
          DatabaseMigrator.run({
            loader: Effect.map(Migrations.loader, (all) => all.filter(([id]) => id <= last)),
            table
          })
        yield* upTo(16)
        yield* sql`INSERT INTO companies (id, data) VALUES (1, '{}')`
        const row = { kind: "send payment", company_id: 1, due_at: 5_000, tries: 0 }
        for (const [subject, changes] of Object.entries({
          payday: {},
          "taken up too early": { waits_since: 1_000 },
          "at once": { waits_since: 5_000 },
          leased: { waits_since: 1_000, lease_owner: "one", lease: "one 1" },
          failed: { waits_since: 1_000, tries: 2, last_problem: "no answer" },
          parked: { waits_since: 1_000, parked_at: 2_000 }
        })) {
          yield* sql`INSERT INTO due_work ${sql.insert({ ...row, subject, ...changes })}`
        }
        yield* upTo(17)
        const dates = yield* sql<{ subject: string }>`
        SELECT subject FROM due_work WHERE clock = 'business' AND waits_since IS NULL ORDER BY subject`
        assert.deepStrictEqual(
          dates.map(({ subject }) => subject),
          ["payday", "taken up too early"]
        )
        const [others] = yield* sql<{ rows: number }>`SELECT count(*) AS "rows" FROM due_work WHERE clock = 'machine'`
        assert.strictEqual(others?.rows, 4)
      }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))
  )
})
