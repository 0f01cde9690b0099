/** Contracts of a customer are counted by units on SQLite, on from what triggers counted. */
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DatabaseMigrator from "../../src/DatabaseMigrator.ts"
import * as Migrations from "../../src/Migrations.ts"

const { loader, table } = Migrations

describe("the contracts of a customer, on SQLite", () => {
  it.effect("are as many as triggers counted, which are gone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = Effect.map(loader, (all) => all.filter(([id]) => id <= 42))
      yield* DatabaseMigrator.run({ loader: before, table })
      yield* sql`INSERT INTO companies (data) VALUES ('{}')`
      yield* sql`INSERT INTO customers (id, company_id, document, data) VALUES (8, 1, 'd', '{}')`
      yield* sql`
        INSERT INTO subscriptions (id, company_id, my_id, customer_id, status, created_at, updated_at, data)
        VALUES (5, 1, 's', 8, 'active', 0, 0, '{}'), (6, 1, 't', 8, 'canceled', 0, 0, '{}')
      `
      yield* DatabaseMigrator.run({ loader, table })
      assert.deepStrictEqual(yield* sql`SELECT contracts FROM customers`.values, [[1]])
      assert.deepStrictEqual(yield* sql`SELECT name FROM sqlite_schema WHERE type = 'trigger'`, [])
    }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))
  )
})
