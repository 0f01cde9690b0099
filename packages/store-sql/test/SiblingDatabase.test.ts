import { assert, describe, it } from "@effect/vitest"
import * as PostgresClient from "@parcela/store-sql/postgres/PostgresClient"
import * as SiblingDatabase from "@parcela/store-sql/SiblingDatabase"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

describe("a sibling of a file", () => {
  it("is in the same folder with a derived name, and in memory for a database in memory", () => {
    const cases = [
      ["sandbox.db", "sandbox.simulators.db"],
      ["/var/lib/parcela/live", "/var/lib/parcela/live.simulators"],
      [":memory:", ":memory:"]
    ] as const
    for (const [file, sibling] of cases) {
      assert.strictEqual(SiblingDatabase.siblingFileOf(file, "simulators"), sibling)
    }
  })
})

describe("a sibling of a schema", () => {
  it.effect("is separate for each schema of a database, and the same when it is opened again or concurrently", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* newDatabase)
      const serviceIn = (schema: string) => ({ url, schema })
      const open = <A, E>(schema: string, use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
        Effect.provide(use, SiblingDatabase.layerPostgres(serviceIn(schema), "simulators"), { local: true })
      const named = SqlClient.SqlClient.use((sql) => sql<{ name: string }>`SELECT name FROM it`)
      const write = (name: string) =>
        SqlClient.SqlClient.use((sql) =>
          Effect.andThen(sql`CREATE TABLE it (name TEXT)`, sql`INSERT INTO it VALUES (${name})`)
        )
      yield* SqlClient.SqlClient.use((sql) => sql`CREATE SCHEMA other`).pipe(
        Effect.provide(PostgresClient.layer({ url }), { local: true })
      )
      yield* Effect.all(
        Array.from({ length: 4 }, () => open("public", Effect.void)),
        { concurrency: "unbounded" }
      )
      yield* open("public", write("of public"))
      yield* open("other", write("of other"))
      assert.deepStrictEqual(
        (yield* open("public", named)).map(({ name }) => name),
        ["of public"]
      )
      assert.deepStrictEqual(
        (yield* open("other", named)).map(({ name }) => name),
        ["of other"]
      )
    }).pipe(Effect.provide(realTime))
  )
})
