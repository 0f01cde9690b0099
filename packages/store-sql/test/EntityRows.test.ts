/** What rows of entities carry beside their state, on each database. */
import { assert, describe, it } from "@effect/vitest"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { Customers } from "@parcela/engine/ports/Customers"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import { keptCompany, keptCustomer, keptTransaction, minute } from "@parcela/testing/StoreFixtures"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"

const reasonOf = <A, R>(effect: Effect.Effect<A, StoreError, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

/** The texts of the statements that `effect` runs. */
const statementsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const texts: Array<string> = []
  yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      texts.push(statement.compile()[0].replace(/\s+/g, " ").trim())
      return statement
    })
  )
  return texts
})

forEachStore((name, layer) =>
  describe(`EntityRows (${name})`, () => {
    const onEmpty = Effect.provide(layer, { local: true })

    it.effect("a row's version rises with each update, whatever changed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const customers = yield* Customers
        const { id: companyId } = yield* keptCompany
        const kept = yield* keptCustomer(companyId)
        const version = Effect.map(sql<{ version: number }>`SELECT version FROM customers`, ([row]) => row!.version)
        assert.strictEqual(yield* version, 1)
        yield* customers.update({ ...kept, name: "Ana Maria" })
        yield* customers.update({ ...kept, name: "Ana Maria" })
        assert.strictEqual(yield* version, 3)
      }).pipe(onEmpty)
    )

    it.effect("an update writes the columns that differ, and no other", () =>
      Effect.gen(function* () {
        const { transact } = yield* UnitOfWork
        const transactions = yield* Transactions
        const { companyId, id } = yield* Effect.flatMap(keptCompany, (company) => keptTransaction(company.id))
        const statements = yield* statementsOf(
          transact(
            Effect.gen(function* () {
              const found = Option.getOrThrow(yield* transactions.find(companyId, bySvcPayId(id)))
              yield* transactions.update({ ...found, updatedAt: minute(1) })
            })
          )
        )
        const update = statements.find(
          (text) => text.startsWith("UPDATE transactions") || text.startsWith('UPDATE "tr')
        )
        const columns = [...(update ?? "").matchAll(/"(\w+)" = [?$]/g)].map(([, column]) => column)
        assert.deepStrictEqual(columns, ["data", "version"])
        assert.lengthOf(statements, 2)
      }).pipe(onEmpty)
    )

    it.effect("a row that a newer version wrote is not read, and the error says which version to run", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const customers = yield* Customers
        const { id: companyId } = yield* keptCompany
        const kept = yield* keptCustomer(companyId)
        yield* sql`UPDATE customers SET state_version = 2`
        const reason = yield* reasonOf(customers.find(companyId, bySvcPayId(kept.id)))
        assert.strictEqual(reason._tag, "WrittenByNewer")
        assert.include(reason.message, "customers")
        assert.strictEqual((yield* reasonOf(customers.update(kept)))._tag, "WrittenByNewer")
      }).pipe(onEmpty)
    )
  })
)
