import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, type Layer, Redacted } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import * as DatabaseMigrator from "../src/DatabaseMigrator.ts"
import * as PostgresClient from "../src/postgres/PostgresClient.ts"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as StoreSql from "../src/StoreSql.ts"
import { temporaryFile } from "@parcela/testing/TemporaryFile"

const statement = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))

const one = { "1_first": Effect.asVoid(statement("CREATE TABLE first (id INTEGER)")) }
const two = { ...one, "2_second": Effect.asVoid(statement("CREATE TABLE second (id INTEGER)")) }
const broken = {
  ...one,
  "2_broken": Effect.asVoid(Effect.andThen(statement("CREATE TABLE half (id INTEGER)"), statement("CREATE nonsense")))
}

/** A database that is new, as a client and as a store: each time they are provided they connect anew. */
interface Database {
  readonly client: Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>
  readonly store: ReturnType<typeof StoreSql.layerSqlite>
}

const databases = {
  SQLite: Effect.map(temporaryFile, (filename): Database => ({
    client: NodeSqliteClient.layer({ filename, busyTimeout: "100 millis" }),
    store: StoreSql.layerSqlite({ filename })
  })),
  PostgreSQL: Effect.map(newDatabase, (url): Database => {
    const config = { url: Redacted.make(url), maxConnections: 1 }
    return { client: PostgresClient.layer(config), store: StoreSql.layerPostgres(config) }
  })
}

const migrate = ({ client }: Database, migrations: Parameters<typeof Migrator.fromRecord>[0], table = "migrations") =>
  DatabaseMigrator.run({ loader: Migrator.fromRecord(migrations), table }).pipe(Effect.provide(client, { local: true }))

const tables = ({ client }: Database) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.onDialectOrElse({
      pg: () => sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
      orElse: () =>
        sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`
    })
    return rows.map(({ name }) => name).sort()
  }).pipe(Effect.provide(client, { local: true }))

for (const [name, database] of Object.entries(databases)) {
  describe(`DatabaseMigrator (${name})`, () => {
    it.effect("runs what is pending, once", () =>
      Effect.gen(function* () {
        const mine = yield* database
        yield* migrate(mine, one)
        assert.deepStrictEqual(yield* tables(mine), ["first", "migrations"])
        assert.deepStrictEqual(yield* migrate(mine, two), [[2, "second"]])
        assert.deepStrictEqual(yield* tables(mine), ["first", "migrations", "second"])
        assert.deepStrictEqual(yield* migrate(mine, two), [])
      })
    )

    it.effect("runs before anything that is provided with its layer", () =>
      Effect.gen(function* () {
        const mine = yield* database
        const sql = yield* Effect.provide(
          Effect.provide(
            statement("SELECT id FROM second"),
            DatabaseMigrator.layer({ loader: Migrator.fromRecord(two), table: "migrations" })
          ),
          mine.client
        )
        assert.deepStrictEqual(sql, [])
      })
    )

    it.effect("a failing migration leaves the database as it was", () =>
      Effect.gen(function* () {
        const mine = yield* database
        yield* migrate(mine, one)
        const error = yield* Effect.flip(migrate(mine, broken))
        assert.instanceOf(error, Migrator.MigrationError)
        assert.strictEqual(error.kind, "Failed")
        assert.include(error.message, "2_broken")
        assert.deepStrictEqual(yield* tables(mine), ["first", "migrations"])
      })
    )

    it.effect("refuses a database migrated by a newer version and runs nothing, whatever its table is called", () =>
      Effect.gen(function* () {
        for (const table of ["migrations", "Mine", `it's "mine"`]) {
          const mine = yield* database
          yield* migrate(mine, two, table)
          const before = yield* tables(mine)
          const error = yield* Effect.flip(migrate(mine, one, table))
          assert.instanceOf(error, DatabaseMigrator.DatabaseIsNewer)
          assert.deepStrictEqual([error.found, error.known], [2, 1])
          assert.include(error.message, "migration 2, this version knows up to 1")
          assert.deepStrictEqual(yield* tables(mine), before)
        }
      })
    )

    it.effect("refuses a database that lacks a migration below its highest one, and runs nothing", () =>
      Effect.gen(function* () {
        const mine = yield* database
        const third = { "4_third": Effect.asVoid(statement("CREATE TABLE third (id INTEGER)")) }
        // A number that no migration has is missed by nobody.
        yield* migrate(mine, { ...one, ...third })
        assert.deepStrictEqual(yield* migrate(mine, { ...one, ...third }), [])
        const before = yield* tables(mine)
        const fifth = { "5_fifth": Effect.asVoid(statement("CREATE TABLE fifth (id INTEGER)")) }
        const error = yield* Effect.flip(migrate(mine, { ...two, ...third, ...fifth }))
        assert.instanceOf(error, Migrator.MigrationError)
        assert.strictEqual(error.kind, "BadState")
        assert.include(error.message, "migration 4 and lacks 2_second")
        assert.deepStrictEqual(yield* tables(mine), before)
      })
    )

    it.effect("clients that start together migrate once", () =>
      Effect.gen(function* () {
        const mine = yield* database
        const start = migrate(mine, two)
        const runs = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
        assert.deepStrictEqual(runs.map((run) => run.length).sort(), [0, 0, 2])
      })
    )

    it.effect("a store refuses a database that a newer version has migrated", () =>
      Effect.gen(function* () {
        const mine = yield* database
        const open = Effect.void.pipe(Effect.provide(mine.store, { local: true }))
        yield* open
        const [table] = (yield* tables(mine)).filter((one) => one.endsWith("migrations"))
        yield* Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`INSERT INTO ${sql(table!)} (migration_id, name) VALUES (9999, 'from_the_future')`
        ).pipe(Effect.provide(mine.client, { local: true }))
        const error = yield* Effect.flip(open)
        assert.instanceOf(error, DatabaseMigrator.DatabaseIsNewer)
        assert.strictEqual(error.found, 9999)
      })
    )
  })
}

describe("DatabaseMigrator on SQLite", () => {
  it.effect("knows its table in another case, as SQLite does", () =>
    Effect.gen(function* () {
      const mine = yield* databases.SQLite
      yield* migrate(mine, two, "mine")
      assert.instanceOf(yield* Effect.flip(migrate(mine, one, "MINE")), DatabaseMigrator.DatabaseIsNewer)
    })
  )
})
