import { assert, describe, it } from "@effect/vitest"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { keptPayment } from "@parcela/testing/CommandStoreFixtures"
import * as TransactionsSuite from "@parcela/testing/TransactionsSuite"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as CompanyRows from "../src/CompanyRows.ts"
import { companyTables } from "../src/tables/CompanyTables.ts"
import * as TransactionsSql from "../src/TransactionsSql.ts"

forEachStore(TransactionsSuite.suite)

/** A client that resets a company once its first statement was read. */
const resettingAfterOne = (sql: SqlClient.SqlClient, companyId: number) => {
  let statements = 0
  const reset = sql.withTransaction(CompanyRows.make(sql, companyTables).clear(companyId))
  const unsafe: SqlClient.SqlClient["unsafe"] = (...statement) => {
    const read = sql.unsafe(...statement)
    // It is run as an effect, and nothing else.
    return (statements++ === 0 ? Effect.tap(read, () => reset) : read) as typeof read as never
  }
  return new Proxy(sql, { get: (target, key) => (key === "unsafe" ? unsafe : Reflect.get(target, key)) })
}

forEachStore(
  (name, store) =>
    describe(`a list that a reset of its company comes between (${name})`, () => {
      it.effect("is that of before or after it", () =>
        Effect.gen(function* () {
          const { companyId } = yield* keptPayment
          const sql = yield* SqlClient.SqlClient
          const racing = TransactionsSql.layerNoDeps.pipe(
            Layer.provide(Layer.succeed(SqlClient.SqlClient, resettingAfterOne(sql, companyId)))
          )
          const listed = yield* Transactions.use((all) =>
            all.list(companyId, {}, { startAt: 0, limit: 9, order: [] })
          ).pipe(Effect.provide(Layer.fresh(racing)))
          assert.deepStrictEqual(listed, [])
        }).pipe(Effect.provide(store, { local: true }))
      )
    }),
  // On SQLite both statements are read without a suspension.
  ["PostgreSQL"]
)
