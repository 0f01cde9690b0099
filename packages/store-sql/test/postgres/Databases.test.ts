/** Databases as an administrator may have made them: another user, another schema, another collation, another encoding. */
import { assert, describe, it } from "@effect/vitest"
import { MyId } from "@parcela/core/values/Identifier"
import { storedCompany, storedCustomer } from "../fixtures/StoreFixtures.ts"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"
import * as StoreSql from "../../src/StoreSql.ts"

/** Statements of the superuser of the tests, one after the other. */
const asSuperuser = (url: string, ...statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true })
  ).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))

const newName = Effect.sync(() => `test_${randomBytes(6).toString("hex")}`)

/** A database made with those words of `CREATE DATABASE`. */
const databaseWith = Effect.fnUntraced(function* (words: string) {
  const url = new URL(yield* newDatabase)
  const name = yield* newName
  yield* asSuperuser(url.href, `CREATE DATABASE ${name} TEMPLATE template0 ${words}`)
  url.pathname = `/${name}`
  return url.href
})

const used = Effect.gen(function* () {
  const { id } = yield* storedCompany
  yield* Effect.forEach(["b", "A", "a-b", "ab", "Ç"], (myId) =>
    storedCustomer(id, { myId: MyId.make(myId), name: "José 🇧🇷" })
  )
})

describe("a store on PostgreSQL", () => {
  it.effect("is created and used without superuser rights, in the schema of the URL", () =>
    Effect.gen(function* () {
      const url = new URL(yield* newDatabase)
      const user = yield* newName
      yield* asSuperuser(
        url.href,
        `CREATE ROLE ${user} LOGIN PASSWORD 'a password' NOSUPERUSER NOCREATEDB NOCREATEROLE`,
        `CREATE SCHEMA billing AUTHORIZATION ${user}`
      )
      url.username = user
      url.password = "a password"
      url.searchParams.set("options", "-c search_path=billing")
      const open = Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url.href) }), { local: true })
      // The second start finds what the first one made.
      yield* open(used)
      const schemas = yield* open(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql<{ name: string }>`SELECT DISTINCT schemaname AS name FROM pg_tables WHERE tableowner = ${user}`
        )
      )
      assert.deepStrictEqual(
        schemas.map(({ name }) => name),
        ["billing"]
      )
    })
  )

  it.effect("returns lists in the order of times, dates and identifiers, whatever the database's collation", () =>
    Effect.gen(function* () {
      const url = yield* databaseWith("ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'pt-BR' LOCALE 'C'")
      yield* Effect.gen(function* () {
        yield* used
        const sql = yield* SqlClient.SqlClient
        // This collation is another one than that of SQLite, which compares bytes: no list is ordered by such texts.
        const words =
          yield* sql`SELECT word FROM (VALUES ('payExternal'), ('payedBoleto')) AS texts (word) ORDER BY word`.values
        assert.deepStrictEqual(words, [["payedBoleto"], ["payExternal"]])
        const days = ["2026-12-01", "2026-02-28", "2027-01-01", "2026-10-10"]
        const sorted = yield* sql`
          SELECT day FROM (VALUES ${sql.csv(days.map((day) => sql`(${day}::text)`))}) AS texts (day) ORDER BY day
        `.values
        assert.deepStrictEqual(sorted.flat(), days.toSorted())
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) })))
    })
  )

  it.effect("acknowledges writes that are on disk, although the database is set to acknowledge earlier", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      yield* asSuperuser(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
      const found = yield* SqlClient.SqlClient.use((sql) => sql`SHOW synchronous_commit`.values).pipe(
        Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) }))
      )
      assert.deepStrictEqual(found, [["on"]])
    })
  )

  it.effect("is read without parallel workers and JIT, which would delay a page", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      const found = yield* SqlClient.SqlClient.use(
        (sql) => sql`SELECT current_setting('max_parallel_workers_per_gather'), current_setting('jit')`.values
      ).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) })))
      assert.deepStrictEqual(found, [["0", "off"]])
    })
  )

  it.effect("refuses a database whose encoding cannot store every text", () =>
    Effect.gen(function* () {
      const url = yield* databaseWith("ENCODING 'LATIN1' LOCALE 'C'")
      const error = yield* Effect.flip(
        Effect.void.pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) })))
      )
      assert.include(error.message, "has the encoding LATIN1")
    })
  )
})
