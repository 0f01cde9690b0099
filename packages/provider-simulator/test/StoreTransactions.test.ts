import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { SqlClient } from "effect/sql"
import * as Transaction from "../src/StoreTransactions.ts"
import { SimulatorStore } from "../src/SimulatorStore.ts"
import { storeNames, stores } from "./fixtures/Layers.ts"

const find = "SELECT restores FROM company_restores WHERE company_id = ?"

function* counted(step: number): Transaction.Body<number> {
  const [row] = yield* Transaction.lock<{ restores: number }>(find, 1)
  const next = (row?.restores ?? 0) + step
  yield* Transaction.write("UPDATE company_restores SET restores = ? WHERE company_id = ?", next, 1)
  return next
}

describe("work in a SQLite store without group commit", () => {
  it.effect("is a separate transaction, which locks nothing else", () =>
    Effect.gen(function* () {
      const transact = Transaction.makeTransact(yield* SqlClient.SqlClient, undefined)
      yield* transact(() => Transaction.write("CREATE TABLE company_restores (company_id INTEGER, restores INTEGER)"))
      yield* transact(() =>
        Transaction.write("INSERT INTO company_restores (company_id, restores) VALUES (?, ?)", 1, 0)
      )
      assert.strictEqual(yield* transact(() => counted(7)), 7)
      yield* transact(() => Transaction.write("CREATE TABLE claims (id INTEGER PRIMARY KEY)"))
      const claims = [1, 1].map((id) => transact(() => Transaction.claim("INSERT INTO claims (id) VALUES (?)", id)))
      assert.deepStrictEqual(yield* Effect.all(claims), [true, false])
    }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))
  )
})

describe.each(storeNames)("work in the providers' store (%s)", (name) => {
  it.effect("is one commit for each request, reads the previous ones, and a failing one does not affect others", () =>
    Effect.gen(function* () {
      const { transact } = yield* SimulatorStore
      yield* transact(() =>
        Transaction.write("INSERT INTO company_restores (company_id, restores) VALUES (?, ?)", 1, 0)
      )
      const failing = transact(function* () {
        yield* counted(100)
        throw new Error("our own books are wrong")
      })
      const requests = [...Array.from({ length: 7 }, () => transact(() => counted(1))), failing]
      const exits = yield* Effect.forEach(requests, Effect.exit, { concurrency: "unbounded" })
      const results = exits.map((exit) => (Exit.isSuccess(exit) ? exit.value : "failed"))
      assert.deepStrictEqual(results.toSorted(), [1, 2, 3, 4, 5, 6, 7, "failed"])
      const [row] = yield* transact(() => Transaction.read<{ restores: number }>(find, 1))
      assert.strictEqual(row?.restores, 7)
    }).pipe(Effect.provide(stores[name], { local: true }))
  )

  it.effect("creates a missing row once for concurrent requests", () =>
    Effect.gen(function* () {
      const { transact } = yield* SimulatorStore
      const claiming = transact(function* () {
        if ((yield* Transaction.read(find, 1)).length > 0) return "there before"
        const isOwn = yield* Transaction.claim(
          "INSERT INTO company_restores (company_id, restores) VALUES (?, ?)",
          1,
          0
        )
        return isOwn ? "claimed" : "there meanwhile"
      })
      const results = yield* Effect.all(
        Array.from({ length: 5 }, () => claiming),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter((result) => result === "claimed").length, 1)
    }).pipe(Effect.provide(stores[name], { local: true }))
  )
})
