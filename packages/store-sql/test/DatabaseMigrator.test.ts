import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, type Layer, Redacted } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { storedCompany } from "./fixtures/StoreFixtures.ts"
import * as DatabaseMigrator from "@parcela/sqlite/DatabaseMigrator"
import * as Migrations from "../src/migrations/Migrations.ts"
import * as PostgresClient from "../src/postgres/PostgresClient.ts"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as StoreSql from "../src/StoreSql.ts"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

const statement = (text: string) => SqlClient.SqlClient.use((sql) => sql.unsafe<Record<string, unknown>>(text))

const one = { "1_first": Effect.asVoid(statement("CREATE TABLE first (id INTEGER)")) }
const two = { ...one, "2_second": Effect.asVoid(statement("CREATE TABLE second (id INTEGER)")) }
const broken = {
  ...one,
  "2_broken": Effect.asVoid(Effect.andThen(statement("CREATE TABLE half (id INTEGER)"), statement("CREATE nonsense")))
}

/** A new database, as a client and as a store. Both connect again each time they are provided. */
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
    it.effect("upgrades the store's database to the next schema once, and retains its rows", () =>
      Effect.gen(function* () {
        const mine = yield* database
        const openStore = storedCompany.pipe(Effect.provide(mine.store, { local: true }))
        const { id } = yield* openStore
        const next = Migrator.fromRecord({
          "2_colour": Effect.asVoid(statement("ALTER TABLE companies ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'"))
        })
        const upgrade = DatabaseMigrator.run({
          loader: Effect.map(Effect.all([Migrations.loader, next]), (schemas) => schemas.flat()),
          table: Migrations.table
        }).pipe(Effect.provide(mine.client, { local: true }))
        assert.deepStrictEqual(yield* upgrade, [[2, "colour"]])
        assert.deepStrictEqual(yield* upgrade, [])
        const rows = yield* statement("SELECT id, colour FROM companies").pipe(
          Effect.provide(mine.client, { local: true })
        )
        assert.deepStrictEqual(
          rows.map((row) => [Number(row["id"]), row["colour"]]),
          [[id, "blue"]]
        )
        // The program that has only the first schema.
        const error = yield* Effect.flip(openStore)
        assert.instanceOf(error, DatabaseMigrator.DatabaseIsNewer)
        assert.deepStrictEqual([error.found, error.known], [2, 1])
      })
    )

    it.effect("runs before the layers that depend on it", () =>
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

    it.effect("leaves the database unchanged when a migration fails", () =>
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

    it.effect("refuses a database of a newer version and runs nothing, whatever the name of its table", () =>
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
        // A number without a migration is not required.
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

    it.effect("migrates once when several clients start at the same time", () =>
      Effect.gen(function* () {
        const mine = yield* database
        const start = migrate(mine, two)
        const runs = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
        assert.deepStrictEqual(runs.map((run) => run.length).sort(), [0, 0, 2])
      })
    )
  })
}

describe("DatabaseMigrator on SQLite", () => {
  it.effect("finds its table by a name in another case, as SQLite does", () =>
    Effect.gen(function* () {
      const mine = yield* databases.SQLite
      yield* migrate(mine, two, "mine")
      assert.instanceOf(yield* Effect.flip(migrate(mine, one, "MINE")), DatabaseMigrator.DatabaseIsNewer)
    })
  )
})
