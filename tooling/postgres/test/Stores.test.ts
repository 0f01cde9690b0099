import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { forEachStore, storeNames, storeOf } from "../src/Stores.ts"

describe("Stores", () => {
  it("a store that does not exist throws, and names those that do", () => {
    assert.throws(() => storeOf("PostgresSQL"), /PostgresSQL.*SQLite in memory.*PostgreSQL/)
  })

  it("calls a suite with each store, PostgreSQL among them", () => {
    const called: Array<string> = []
    forEachStore((name) => void called.push(name))
    assert.deepStrictEqual(called, [...storeNames])
    assert.include(called, "PostgreSQL")
  })

  describe("a PostgreSQL store is empty each time, and each test's own:", () => {
    const companies = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ count: number }>`SELECT count(*) AS count FROM companies`
      return row!.count
    })
    const insertOne = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql`INSERT INTO companies (data) VALUES ('{}') RETURNING id`
    })
    const run = Effect.provide(storeOf("PostgreSQL"), { local: true })

    it.effect("one after the other, numbered from 1 again", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* run(insertOne), [{ id: 1 }])
        assert.strictEqual(yield* run(companies), 0)
        assert.deepStrictEqual(yield* run(insertOne), [{ id: 1 }])
      })
    )

    it.effect("two at once", () =>
      Effect.gen(function* () {
        yield* run(
          Effect.gen(function* () {
            yield* insertOne
            assert.strictEqual(yield* run(companies), 0)
            assert.strictEqual(yield* companies, 1)
          })
        )
      })
    )
  })
})
