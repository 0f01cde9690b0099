import { assert, describe, it } from "@effect/vitest"
import { Sequences } from "@parcela/engine/ports/Sequences"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import * as SequencesSuite from "@parcela/testing/SequencesSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

forEachStore(SequencesSuite.suite)

describe("a block on SQLite", () => {
  it.effect("has a thousand numbers, and is taken once for all callers that wait for it", () =>
    Effect.gen(function* () {
      const sequences = yield* Sequences
      const sql = yield* SqlClient
      const taken = sql`SELECT value FROM sequences WHERE name = 'transaction'`
      yield* Effect.replicateEffect(sequences.next("transaction"), 1_000, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* taken, [{ value: 1_000 }])
      yield* Effect.replicateEffect(sequences.next("transaction"), 10, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* taken, [{ value: 2_000 }])
    }).pipe(Effect.provide(StoreSql.layerSqlite({ filename: ":memory:" })))
  )
})
