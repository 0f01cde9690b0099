import { assert, describe, it } from "@effect/vitest"
import { Sequences } from "@parcela/engine/ports/Sequences"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import * as SequencesSuite from "@parcela/testing/SequencesSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

forEachStore(SequencesSuite.suite)

describe("blocks on SQLite", () => {
  it.effect("are as large as there were who waited for the last one", () =>
    Effect.gen(function* () {
      const sequences = yield* Sequences
      const sql = yield* SqlClient
      yield* Effect.replicateEffect(sequences.next("transaction"), 500, { concurrency: "unbounded" })
      // A hundred, and then as many as the 499 who waited for that.
      assert.deepStrictEqual(yield* sql`SELECT value FROM sequences WHERE name = 'transaction'`, [{ value: 599 }])
    }).pipe(Effect.provide(StoreSql.layerSqlite({ filename: ":memory:" })))
  )
})
