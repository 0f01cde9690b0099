/** A new SQLite database is made in one go, and nobody can tell it from one that every migration has changed. */
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DatabaseMigrator from "../../src/DatabaseMigrator.ts"
import * as Migrations from "../../src/Migrations.ts"

const { loader, squashed, table } = Migrations

const upToSquashed = Effect.map(loader, (all) => all.filter(([id]) => id <= squashed.upTo))

const read = (value: unknown) =>
  value === null ? "NULL" : typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)

/** The statements that make the database of this client: its tables in the order of their making, and what rows are in them. */
const statements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const made = yield* sql<{ type: string; name: string; text: string }>`
    SELECT type, name, sql AS text FROM sqlite_schema
    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ${table} ORDER BY rowid`
  const rows = yield* Effect.forEach(
    made.filter(({ type }) => type === "table"),
    ({ name }) =>
      Effect.map(sql<Record<string, unknown>>`SELECT * FROM ${sql(name)}`, (rows) =>
        rows.map((row) => `INSERT INTO ${name} VALUES (${Object.values(row).map(read).join(", ")})`)
      )
  )
  return [...made.map(({ text }) => text.trim()), ...rows.flat()]
})

const recorded = SqlClient.SqlClient.use((sql) => sql`SELECT migration_id, name FROM ${sql(table)} ORDER BY 1`)

const inNew = (options: { readonly squashed?: DatabaseMigrator.SquashedMigrations }) =>
  Effect.gen(function* () {
    const ran = yield* DatabaseMigrator.run({ loader: upToSquashed, table, ...options })
    return { ran, statements: yield* statements, recorded: yield* recorded }
  }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))

describe("a new SQLite database", () => {
  it.effect("is what the migrations come to, and says that they have run", () =>
    Effect.gen(function* () {
      const migrated = yield* inNew({})
      assert.deepStrictEqual(yield* inNew({ squashed }), migrated)
    })
  )

  // `vitest run test/migrations/NewDatabase.test.ts -u` writes it anew, after `upTo` was raised to the newest migration.
  it.effect("is made of statements that are written from the migrations", () =>
    Effect.gen(function* () {
      const written = (yield* inNew({})).statements.map((statement) => `  \`${statement}\``).join(",\n")
      yield* Effect.promise(() =>
        expect(
          `/**
 * The tables of a new SQLite database, written by \`test/migrations/NewDatabase.test.ts\`.
 *
 * @since 0.1.0
 */

/**
 * @category migrations
 * @since 0.1.0
 */
export const newDatabase: ReadonlyArray<string> = [
${written}
]
`
        ).toMatchFileSnapshot("../../src/migrations/newDatabase.ts")
      )
    })
  )
})
