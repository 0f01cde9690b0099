import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { SqliteReads } from "../src/SqliteReads.ts"

const onTable = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | SqliteReads>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
    yield* sql`INSERT INTO items (id, name) VALUES (${1}, ${"one"})`
    return yield* test
  }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))

const names = "SELECT id, name FROM items WHERE id <= ?1 ORDER BY id"

describe("a read at once", () => {
  it.effect("has the rows of its statement, with whole numbers as numbers", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        assert.deepEqual(
          [...(yield* read(names, [1])!)].map((row) => ({ ...row })),
          [{ id: 1, name: "one" }]
        )
        assert.isTrue(Exit.isExit(read(names, [1])), "it has not run yet")
      })
    )
  )

  it.effect("has whole numbers that no number holds as bigints, and the others as numbers", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        const rows = () => read("SELECT ?1 AS large, 1 AS small UNION ALL SELECT 2, 3", [9_007_199_254_740_993n])!
        const expected = [
          { large: 9_007_199_254_740_993n, small: 1 },
          { large: 2, small: 3 }
        ]
        assert.deepEqual(
          (yield* rows()).map((row) => ({ ...row })),
          expected
        )
        assert.deepEqual(
          (yield* rows()).map((row) => ({ ...row })),
          expected
        )
      })
    )
  )

  it.effect("sees nothing of a transaction that a fiber stands in", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        const sql = yield* SqlClient.SqlClient
        const inside = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`UPDATE items SET name = 'two'`
              yield* Deferred.succeed(inside, undefined)
              yield* Deferred.await(end)
            })
          )
        )
        yield* Deferred.await(inside)
        assert.isUndefined(read(names, [1]))
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(fiber)
        assert.deepEqual({ ...(yield* read(names, [1])!)[0] }, { id: 1, name: "two" })
      })
    )
  )

  it.effect("fails with what the database says, and with what cannot be bound", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        assert.strictEqual((yield* Effect.flip(read("SELECT nothing FROM items", [])!))._tag, "SqlError")
        assert.strictEqual((yield* Effect.flip(read(names, [undefined])!))._tag, "SqlError")
      })
    )
  )
})
