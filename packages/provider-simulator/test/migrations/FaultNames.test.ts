import { assert, describe, it } from "@effect/vitest"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { SimulatorStore } from "@parcela/provider-simulator/SimulatorStore"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { faultNames } from "../../src/migrations/0002_fault_names.ts"

const store = Layer.provideMerge(SimulatorStore.layer, NodeSqliteClient.layer({ filename: ":memory:" }))

describe("the names of faults in a ledger of before", () => {
  it.effect("are those of now, and all else stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const fault of ["NeverArrived", "AnswerLost", "AnsweredTwice", "Slow", null]) {
        const line = { provider: "card operator", kind: "charge", effect: "none", is_repeat: 0, received_at: 1, fault }
        yield* sql`INSERT INTO ledger ${sql.insert(line)}`
      }
      yield* faultNames
      const rows = yield* sql<{ fault: string | null }>`SELECT fault FROM ledger ORDER BY id`
      assert.deepStrictEqual(
        rows.map(({ fault }) => fault),
        ["RequestLost", "ResponseLost", "Duplicated", "Slow", null]
      )
    }).pipe(Effect.provide(store))
  )
})
