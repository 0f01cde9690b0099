/** Databases for tests: each test has one of its own, empty, for as long as its scope is open. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { serverUrl } from "./ServerUrl.ts"

const clientOf = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const on = (url: string) => Effect.provide(clientOf(url))

const server = Effect.promise(serverUrl)

// To create a database takes fifty milliseconds, to empty one five. Each test process keeps those that it made; the
// server's end is theirs.
const idle: Array<IdleDatabase> = []

/**
 * A database and what empties it over a connection that stays open, in real time: a new one first reads what tables there
 * are, which takes longer than to empty them. At most one for each database that tests of this process have at once.
 */
interface IdleDatabase {
  readonly url: string
  readonly client: ManagedRuntime.ManagedRuntime<SqlClient.SqlClient, unknown>
}

const create = Effect.gen(function* () {
  const base = yield* server
  const name = `test_${randomBytes(6).toString("hex")}`
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE DATABASE ${sql(name)}`
  }).pipe(on(`${base}/postgres`))
  return `${base}/${name}`
})

// Deletes rows and not tables, so that migrations do not run again; their table stays unchanged. Foreign keys are not
// checked, and sequences start again at 1. A table without a page has no rows, and an unused sequence needs no restart:
// reading all tables and restarting all sequences took most of the time of a test's database.
const emptying = SqlClient.SqlClient.use((sql) =>
  sql.unsafe(`
    DO $$ DECLARE it record; BEGIN
      SET LOCAL session_replication_role = replica;
      FOR it IN SELECT oid::regclass AS name FROM pg_class
        WHERE relkind = 'r' AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')
          AND relname NOT LIKE '%migrations' AND pg_relation_size(oid) > 0 LOOP
        EXECUTE format('DELETE FROM %s', it.name);
      END LOOP;
      PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE last_value IS NOT NULL;
    END $$
  `)
)

const emptied = (database: IdleDatabase) =>
  Effect.as(
    Effect.promise(() => database.client.runPromise(emptying)),
    database
  )

/**
 * The address of a database without rows, `postgres://..`. Its tables may be there already, as migrations leave them:
 * a test that changes tables takes `newDatabase`.
 */
export const emptyDatabase = Effect.acquireRelease(
  Effect.suspend(() => {
    const database = idle.pop()
    return database === undefined
      ? Effect.map(create, (url): IdleDatabase => ({ url, client: ManagedRuntime.make(clientOf(url)) }))
      : emptied(database)
  }),
  (database) => Effect.sync(() => void idle.push(database))
).pipe(Effect.map(({ url }) => url))

/** The address of a new database without tables, which no other test receives. */
export const newDatabase = create

/** The rows that a statement returns, over a connection of its own. */
export const rowsIn = (url: string, statement: string) =>
  SqlClient.SqlClient.use((sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(on(url))
