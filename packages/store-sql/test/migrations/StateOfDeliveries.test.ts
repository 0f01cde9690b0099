/** A delivery keeps its state where the check of it is written anew. */
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DatabaseMigrator from "../../src/DatabaseMigrator.ts"
import * as Migrations from "../../src/Migrations.ts"

const { loader, table } = Migrations

const row = { company_id: 1, event: "e", transaction_id: 1, created_at: 0, tries: 0, due_at: 0 }

describe("the migration of the state of deliveries, on SQLite", () => {
  it.effect("keeps what deliveries there are, and takes no unknown state", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* DatabaseMigrator.run({ loader: Effect.map(loader, (all) => all.filter(([id]) => id < 47)), table })
      yield* sql`INSERT INTO companies (data) VALUES ('{}')`
      const states = ["given_up", "pending", "delivered", "pending"]
      for (const state of states) yield* sql`INSERT INTO deliveries ${sql.insert({ ...row, state })}`
      yield* sql`INSERT INTO delivery_payloads (webhook_id, payload) VALUES (1, '{}')`
      const kept = sql`SELECT * FROM deliveries ORDER BY webhook_id`
      const before = yield* kept
      yield* DatabaseMigrator.run({ loader, table })
      assert.deepStrictEqual(yield* kept, before)
      const error = yield* Effect.flip(sql`INSERT INTO deliveries ${sql.insert({ ...row, state: "lost" })}`)
      assert.strictEqual(error.reason._tag, "ConstraintError")
      yield* sql`DELETE FROM delivery_payloads`
      yield* sql`DELETE FROM deliveries`
      const next = yield* sql`INSERT INTO deliveries ${sql.insert({ ...row, state: "pending" })} RETURNING webhook_id`
      assert.deepStrictEqual(next, [{ webhook_id: states.length + 1 }])
    }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))
  )
})
