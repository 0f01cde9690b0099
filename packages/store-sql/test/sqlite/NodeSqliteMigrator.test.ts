import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as NodeSqliteClient from "../../src/sqlite/NodeSqliteClient.ts"
import * as NodeSqliteMigrator from "../../src/sqlite/NodeSqliteMigrator.ts"
import { temporaryFile } from "./fixtures/TemporaryFile.ts"

const statement = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

const one = { "1_first": Effect.asVoid(statement("CREATE TABLE first (id INTEGER) STRICT")) }
const two = { ...one, "2_second": Effect.asVoid(statement("CREATE TABLE second (id INTEGER) STRICT")) }
const broken = {
  ...one,
  "2_broken": Effect.asVoid(Effect.andThen(statement("CREATE TABLE half (id INTEGER)"), statement("CREATE nonsense")))
}

const migrated = (filename: string, migrations: Parameters<typeof Migrator.fromRecord>[0], table?: string) =>
  NodeSqliteMigrator.layer({ loader: Migrator.fromRecord(migrations), table }).pipe(
    Layer.provideMerge(NodeSqliteClient.layer({ filename }))
  )

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    name: string
  }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`
  return rows.map((row) => row.name)
})

describe("NodeSqliteMigrator", () => {
  it.effect("runs what is pending, once, before anything above it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const first = yield* tables.pipe(Effect.provide(migrated(filename, one)))
      assert.deepStrictEqual(first, ["effect_sql_migrations", "first"])
      const second = yield* tables.pipe(Effect.provide(migrated(filename, two)))
      assert.deepStrictEqual(second, ["effect_sql_migrations", "first", "second"])
      const again = yield* NodeSqliteMigrator.run({ loader: Migrator.fromRecord(two) }).pipe(
        Effect.provide(NodeSqliteClient.layer({ filename }))
      )
      assert.deepStrictEqual(again, [])
    })
  )

  it.effect("a failing migration leaves the database as it was", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.void.pipe(Effect.provide(migrated(filename, one)))
      const error = yield* Effect.flip(Effect.void.pipe(Effect.provide(migrated(filename, broken))))
      assert.instanceOf(error, Migrator.MigrationError)
      assert.strictEqual(error.kind, "Failed")
      assert.include(error.message, "2_broken")
      const left = yield* tables.pipe(Effect.provide(NodeSqliteClient.layer({ filename })))
      assert.deepStrictEqual(left, ["effect_sql_migrations", "first"])
    })
  )

  it.effect("refuses a database migrated by a newer version and runs nothing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.void.pipe(Effect.provide(migrated(filename, two)))
      const error = yield* Effect.flip(Effect.void.pipe(Effect.provide(migrated(filename, one))))
      assert.instanceOf(error, NodeSqliteMigrator.DatabaseIsNewer)
      assert.strictEqual(error.found, 2)
      assert.strictEqual(error.known, 1)
      assert.include(error.message, "migration 2, this version knows up to 1")
    })
  )

  it.effect("keeps its record in a table of any name", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const table = `it's "mine"`
      yield* Effect.void.pipe(Effect.provide(migrated(filename, two, table)))
      const error = yield* Effect.flip(Effect.void.pipe(Effect.provide(migrated(filename, one, table.toUpperCase()))))
      assert.instanceOf(error, NodeSqliteMigrator.DatabaseIsNewer)
    })
  )

  it.effect("two clients that start together migrate once", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const start = NodeSqliteMigrator.run({ loader: Migrator.fromRecord(two) }).pipe(
        Effect.provide(NodeSqliteClient.layer({ filename, busyTimeout: "100 millis" }), { local: true })
      )
      const runs = yield* Effect.all([start, start], { concurrency: "unbounded" })
      assert.deepStrictEqual(runs.map((run) => run.length).sort(), [0, 2])
    })
  )
})
