import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/Identifier"
import { Outbox } from "@parcela/engine/Outbox"
import { keptCompany, keptEndpoint, minute } from "@parcela/testing/StoreFixtures"
import { Array, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { statementsOf } from "./fixtures/Statements.ts"
import { inMemory } from "./fixtures/Stores.ts"

describe("a replay of dead letters", () => {
  it.effect("takes a bounded number with each statement", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { id: companyId } = yield* keptCompany
      const { id: endpointId } = yield* keptEndpoint(companyId)
      const event = "transaction.updateStatus"
      yield* outbox.append(
        Array.makeBy(1_100, (index) => ({
          companyId,
          endpointId,
          event,
          transactionId: SvcPayId.make(index + 1),
          payload: "{}",
          createdAt: minute(0)
        }))
      )
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE deliveries SET state = 'given_up', given_up_at = ${minute(1)}`
      assert.lengthOf(yield* statementsOf(outbox.replay(companyId, {}, minute(2))), 3)
    }).pipe(Effect.provide(inMemory))
  )
})
