import { assert, describe, it } from "@effect/vitest"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import * as SharedCommits from "../../src/internal/SharedCommits.ts"

/** A store, how often it was committed to, and commits that requests share. */
const shared = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE t (id INTEGER PRIMARY KEY)`
  let transactions = 0
  const counting: SqlClient.SqlClient = Object.assign(
    // The client is a function with properties.
    ((...about: Parameters<typeof sql>) => sql(...about)) as typeof sql,
    sql,
    {
      withTransaction: <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.tap(sql.withTransaction(work), () => Effect.sync(() => void (transactions += 1)))
    }
  )
  const commit = yield* SharedCommits.make(counting)
  const insert = (id: number) => Effect.as(sql`INSERT INTO t (id) VALUES (${id})`, id)
  const write = (id: number) => commit(insert(id))
  const kept = Effect.map(sql<{ id: number }>`SELECT id FROM t ORDER BY id`, (rows) => rows.map(({ id }) => id))
  return { commit, insert, write, kept, transactions: () => transactions }
})

const inMemory = Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" }))
const ids = Array.from({ length: 32 }, (_, index) => index)

describe("commits that requests share", () => {
  it.effect("are one for all that arrive at the same time, each with its own result", () =>
    Effect.gen(function* () {
      const { kept, transactions, write } = yield* shared
      assert.deepStrictEqual(yield* Effect.forEach(ids, write, { concurrency: "unbounded" }), ids)
      assert.deepStrictEqual(yield* kept, ids)
      assert.strictEqual(transactions(), 1)
    }).pipe(inMemory)
  )

  it.effect("are none for one that fails, which takes no other with it", () =>
    Effect.gen(function* () {
      const { commit, insert, kept, write } = yield* shared
      const denied = Effect.flip(commit(Effect.andThen(insert(99), Effect.fail("denied"))))
      const all = [Effect.exit(write(3)), denied, Effect.exit(write(3)), Effect.exit(write(4))] as const
      const [first, reason, again, other] = yield* Effect.all(all, { concurrency: "unbounded" })
      assert.strictEqual(reason, "denied")
      assert.deepStrictEqual([first, again, other].map(Exit.isSuccess), [true, false, true])
      assert.deepStrictEqual(yield* kept, [3, 4])
    }).pipe(inMemory)
  )
})
