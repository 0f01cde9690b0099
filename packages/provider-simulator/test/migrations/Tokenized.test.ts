import { assert, describe, it } from "@effect/vitest"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { SimulatorStore } from "@parcela/provider-simulator/SimulatorStore"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { tokenized } from "../../src/migrations/0006_tokenized.ts"

const store = Layer.provideMerge(SimulatorStore.layer, NodeSqliteClient.layer({ filename: ":memory:" }))

describe("cards that were kept, in a store of before", () => {
  it.effect("are tokenized in the ledger and in planned faults, and all else stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lines = [
        ["keep", "Kept", "kept"],
        ["keep", "Kept", "none"],
        ["keep", null, "none"],
        ["charge", "Captured", "captured"]
      ] as const
      for (const [kind, outcome, effect] of lines) {
        const line = { provider: "card operator", kind, outcome, effect, is_repeat: 0, received_at: 1 }
        yield* sql`INSERT INTO ledger ${sql.insert(line)}`
      }
      for (const call of ["keep", "charge", null]) {
        yield* sql`INSERT INTO faults ${sql.insert({ call, fault: "{}", created_at: 1 })}`
      }
      yield* tokenized
      const ledger = yield* sql<{ kind: string; outcome: string | null; effect: string }>`
        SELECT kind, outcome, effect FROM ledger ORDER BY id`
      assert.deepStrictEqual(
        ledger.map(({ effect, kind, outcome }) => [kind, outcome, effect]),
        [
          ["tokenize", "Tokenized", "tokenized"],
          ["tokenize", "Tokenized", "none"],
          ["tokenize", null, "none"],
          ["charge", "Captured", "captured"]
        ]
      )
      const faults = yield* sql<{ call: string | null }>`SELECT call FROM faults ORDER BY id`
      assert.deepStrictEqual(
        faults.map(({ call }) => call),
        ["tokenize", "charge", null]
      )
    }).pipe(Effect.provide(store))
  )
})
