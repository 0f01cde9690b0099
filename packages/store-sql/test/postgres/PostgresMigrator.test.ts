import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Layer, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"
import * as PostgresMigrator from "../../src/postgres/PostgresMigrator.ts"
import { DatabaseIsNewer } from "../../src/sqlite/NodeSqliteMigrator.ts"
import * as StoreSql from "../../src/StoreSql.ts"

const statement = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

const one = { "1_first": Effect.asVoid(statement("CREATE TABLE first (id INTEGER)")) }
const two = { ...one, "2_second": Effect.asVoid(statement("CREATE TABLE second (id INTEGER)")) }
const broken = {
  ...one,
  "2_broken": Effect.asVoid(Effect.andThen(statement("CREATE TABLE half (id INTEGER)"), statement("CREATE nonsense")))
}

const client = (url: string) => PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const migrated = (url: string, migrations: Parameters<typeof Migrator.fromRecord>[0], table = "migrations") =>
  PostgresMigrator.layer({ loader: Migrator.fromRecord(migrations), table }).pipe(Layer.provideMerge(client(url)))

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename
  `
  return rows.map(({ name }) => name)
})

describe("PostgresMigrator", () => {
  it.effect("runs what is pending, once", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      assert.deepStrictEqual(yield* tables.pipe(Effect.provide(migrated(url, one))), ["first", "migrations"])
      assert.deepStrictEqual(yield* tables.pipe(Effect.provide(migrated(url, two))), ["first", "migrations", "second"])
      const again = yield* PostgresMigrator.run({ loader: Migrator.fromRecord(two), table: "migrations" }).pipe(
        Effect.provide(client(url))
      )
      assert.deepStrictEqual(again, [])
    })
  )

  it.effect("a failing migration leaves the database as it was", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      yield* Effect.void.pipe(Effect.provide(migrated(url, one)))
      const error = yield* Effect.flip(Effect.void.pipe(Effect.provide(migrated(url, broken))))
      assert.instanceOf(error, Migrator.MigrationError)
      assert.include(error.message, "2_broken")
      assert.deepStrictEqual(yield* tables.pipe(Effect.provide(client(url))), ["first", "migrations"])
    })
  )

  it.effect("refuses a database migrated by a newer version and runs nothing, whatever its table is called", () =>
    Effect.gen(function* () {
      for (const table of ["migrations", "Mine"]) {
        const url = yield* newDatabase
        yield* Effect.void.pipe(Effect.provide(migrated(url, two, table)))
        const before = yield* tables.pipe(Effect.provide(client(url)))
        const error = yield* Effect.flip(Effect.void.pipe(Effect.provide(migrated(url, one, table))))
        assert.instanceOf(error, DatabaseIsNewer)
        assert.deepStrictEqual([error.found, error.known], [2, 1])
        assert.include(error.message, "migration 2, this version knows up to 1")
        assert.deepStrictEqual(yield* tables.pipe(Effect.provide(client(url))), before)
      }
    })
  )

  it.effect("clients that start together migrate once", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      const start = PostgresMigrator.run({ loader: Migrator.fromRecord(two), table: "migrations" }).pipe(
        Effect.provide(client(url), { local: true })
      )
      const runs = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
      assert.deepStrictEqual(runs.map((run) => run.length).sort(), [0, 0, 2])
    })
  )
})

describe("a store on PostgreSQL", () => {
  it.effect("refuses a database that a newer version has migrated", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      const store = StoreSql.layerPostgres({ url: Redacted.make(url) })
      yield* Effect.void.pipe(Effect.provide(store, { local: true }))
      yield* Effect.gen(function* () {
        const [table] = (yield* tables).filter((name) => name.endsWith("migrations"))
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO ${sql(table!)} (migration_id, name) VALUES (9999, 'from_the_future')`
      }).pipe(Effect.provide(client(url)))
      const error = yield* Effect.flip(Effect.void.pipe(Effect.provide(store, { local: true })))
      assert.instanceOf(error, DatabaseIsNewer)
      assert.strictEqual(error.found, 9999)
    })
  )
})
