import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { companyRestoresOf } from "../src/StoreTransactions.ts"
import { companyTables, staying } from "../src/ServedDatabase.ts"
import { SimulatorStore } from "../src/SimulatorStore.ts"
import { storeNames, stores } from "./fixtures/Layers.ts"

for (const name of storeNames) {
  describe(`the tables of companies in the providers' store (${name})`, () => {
    it.effect("are all its tables: each is in snapshots, or is listed with the reason why not", () =>
      Effect.gen(function* () {
        const sql = yield* SimulatorStore
        const rows = yield* sql.onDialectOrElse({
          pg: () => sql<{ name: string }>`
            SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
          orElse: () => sql<{ name: string }>`
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
        })
        assert.sameMembers(
          rows.map((row) => row.name),
          [...companyTables.map((table) => table.name), ...Object.keys(staying)]
        )
      }).pipe(Effect.provide(stores[name], { local: true }))
    )

    it.effect("are checked against the number of restores of a company, in this process and after a restart", () =>
      Effect.gen(function* () {
        const sql = yield* SimulatorStore
        const restores = companyRestoresOf(sql)
        const holds = Effect.fnUntraced(function* (count: number) {
          const alone = Effect.match(restores.check(1, count), { onSuccess: () => true, onFailure: () => false })
          const both = [yield* alone, yield* sql.transact(() => restores.isCurrent(1, count))]
          assert.strictEqual(both[0], both[1])
          return both[0]
        })
        assert.deepStrictEqual([yield* holds(0), yield* holds(1)], [true, false])
        yield* Effect.flip(sql.withTransaction(Effect.andThen(restores.set(1, 1), Effect.fail("rolled back"))))
        assert.deepStrictEqual([yield* holds(0), yield* holds(1)], [true, false])
        yield* sql.withTransaction(restores.set(1, 1))
        assert.deepStrictEqual([yield* holds(0), yield* holds(1)], [false, true])
        assert.deepStrictEqual([yield* restores.count(1), yield* restores.count(2)], [1, 0])
      }).pipe(Effect.provide(stores[name], { local: true }))
    )
  })
}
