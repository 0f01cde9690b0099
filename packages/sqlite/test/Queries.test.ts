import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"

const onTable = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
    yield* sql`INSERT INTO items (id, name) VALUES (${1}, ${"one"})`
    return yield* test
  }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))

const names = "SELECT id, name FROM items WHERE id <= ?1 ORDER BY id"

describe("a query outside of a transaction", () => {
  it.effect("returns whole numbers as numbers, and those that no number holds as bigints", () =>
    onTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepEqual([...(yield* sql.unsafe(names, [1]))], [{ id: 1, name: "one" }])
        for (const _ of [1, 2]) {
          const rows = yield* sql.unsafe("SELECT ?1 AS large, 1 AS small UNION ALL SELECT 2, 3", [
            9_007_199_254_740_993n
          ])
          assert.deepEqual(
            [...rows],
            [
              { large: 9_007_199_254_740_993n, small: 1 },
              { large: 2, small: 3 }
            ]
          )
        }
      })
    )
  )

  it.effect("waits for the end of another fiber's transaction, and reads what that committed", () =>
    onTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inside = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const writer = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`UPDATE items SET name = 'two'`
              yield* Deferred.succeed(inside, undefined)
              yield* Deferred.await(end)
            })
          )
        )
        yield* Deferred.await(inside)
        const reader = yield* Effect.forkChild(sql.unsafe<{ readonly name: string }>(names, [1]), {
          startImmediately: true
        })
        assert.isUndefined(reader.pollUnsafe())
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(writer)
        assert.strictEqual((yield* Fiber.join(reader))[0]?.name, "two")
      })
    )
  )

  it.effect("fails with the error of the database, and with a value that cannot be bound", () =>
    onTable(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.strictEqual((yield* Effect.flip(sql.unsafe("SELECT nothing FROM items", [])))._tag, "SqlError")
        assert.strictEqual((yield* Effect.flip(sql.unsafe(names, [undefined])))._tag, "SqlError")
      })
    )
  )
})
