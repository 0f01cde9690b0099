/**
 * Migrations that are said to leave the rows of companies as they were leave them so. When this fails for a migration that was added,
 * take its name out of `leavingRows`: snapshots of before are then refused.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { companyTables } from "../src/CompanyTables.ts"
import { layouts, loader } from "../src/internal/Migrations.ts"
import { table } from "../src/SimulatorStore.ts"
import { clients } from "./fixtures/Layers.ts"

const migrate = (last: number) =>
  Migrator.make({})({ loader: Effect.map(loader, (all) => all.filter(([id]) => id <= last)), table })

/** A row with a value in each column. No table of the providers refers to another one, or checks what it has. */
const fill = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql.onDialectOrElse({
    pg: () => sql<{ name: string; type: string }>`
      SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = ${name}`,
    orElse: () => sql<{ name: string; type: string }>`SELECT name, type FROM pragma_table_info(${name})`
  })
  const row = Object.fromEntries(columns.map(({ name, type }) => [name, type.toLowerCase() === "text" ? "{}" : 7]))
  const given = sql.onDialectOrElse({ pg: () => sql.literal("OVERRIDING SYSTEM VALUE"), orElse: () => sql.literal("") })
  const names = sql.csv(Object.keys(row).map((name) => sql`${sql(name)}`))
  yield* sql`INSERT INTO ${sql(name)} (${names}) ${given} VALUES (${sql.csv(Object.values(row).map((value) => sql`${value}`))})`
})

describe.each(Object.entries(clients))(
  "migrations of the providers that leave rows as they were, on %s",
  (_, client) => {
    it.effect("change no row of a company, and no column", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = Effect.forEach(companyTables, ({ name }) => sql`SELECT * FROM ${sql(name)}`)
        yield* migrate(Number(layouts.at(-1)!.slice(0, 4)))
        for (const { name } of companyTables) yield* fill(name)
        const before = yield* rows
        assert.strictEqual((yield* migrate(Infinity)).length, layouts.length - 1)
        assert.deepStrictEqual(yield* rows, before)
      }).pipe(Effect.provide(client, { local: true }))
    )
  }
)
