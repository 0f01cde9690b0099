import { assert, describe, it } from "@effect/vitest"
import { Sequences } from "@parcela/engine/ports/Sequences"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import * as SequencesSuite from "@parcela/testing/SequencesSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

forEachStore(SequencesSuite.suite)

describe("blocks on SQLite", () => {
  it.effect("have eight times as many numbers as there were who waited for the last one", () =>
    Effect.gen(function* () {
      const sequences = yield* Sequences
      const sql = yield* SqlClient
      yield* Effect.replicateEffect(sequences.next("transaction"), 151, { concurrency: "unbounded" })
      // A hundred for the first, while 150 wait; then of 1,200 the most.
      assert.deepStrictEqual(yield* sql`SELECT value FROM sequences WHERE name = 'transaction'`, [{ value: 1_100 }])
      yield* Effect.replicateEffect(sequences.next("card"), 21, { concurrency: "unbounded" })
      yield* Effect.replicateEffect(sequences.next("card"), 80)
      assert.deepStrictEqual(yield* sql`SELECT value FROM sequences WHERE name = 'card'`, [{ value: 260 }])
    }).pipe(Effect.provide(StoreSql.layerSqlite({ filename: ":memory:" })))
  )

  it.effect("are taken when half of the one before is given out, so that nobody waits for one", () =>
    Effect.gen(function* () {
      const sequences = yield* Sequences
      const sql = yield* SqlClient
      const taken = sql<{ value: number }>`SELECT value FROM sequences WHERE name = 'plan'`
      yield* Effect.replicateEffect(sequences.next("plan"), 50)
      assert.deepStrictEqual(yield* taken, [{ value: 100 }])
      yield* sequences.next("plan")
      // The next write stands behind it.
      yield* sql`DELETE FROM named_advances`
      assert.deepStrictEqual(yield* taken, [{ value: 200 }])
      const ids = yield* Effect.replicateEffect(sequences.next("plan"), 90)
      assert.deepStrictEqual(
        ids,
        Array.from({ length: 90 }, (_, index) => 52 + index)
      )
      assert.deepStrictEqual(yield* taken, [{ value: 200 }])
    }).pipe(Effect.provide(StoreSql.layerSqlite({ filename: ":memory:" })))
  )
})
