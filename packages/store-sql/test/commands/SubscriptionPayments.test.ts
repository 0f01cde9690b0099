/** The open payments of a subscription are found in two ways, by how much its customer owes: both find the same. */
import { look } from "@parcela/test-world/StoreWrites"
import { assert, describe, it } from "@effect/vitest"
import { owedStatuses } from "@parcela/core/customers/CustomerState"
import { nextStatuses, TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import {
  captured,
  storedCard,
  storedCompany,
  storedCustomer,
  storedSubscription,
  storedTransaction
} from "../fixtures/StoreFixtures.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const setUp = Effect.gen(function* () {
  const { id: companyId } = yield* storedCompany
  const { id: customerId } = yield* storedCustomer(companyId)
  const { id: cardId } = yield* storedCard(companyId, { customerId })
  const contract = Effect.map(storedSubscription(companyId, { customerId, cardId }), ({ id }) => id)
  const add = (id: SvcPayId, become?: typeof captured) =>
    storedTransaction(companyId, { owner: { _tag: "Subscription", id }, cardId }, become)
  const [mine, other] = [yield* contract, yield* contract]
  const first = yield* add(mine)
  const foreign = yield* add(other)
  yield* add(mine, captured)
  const open = [first, yield* add(mine), yield* add(mine)]
  const openOf = (after: SvcPayId | 0, limit: number) =>
    Effect.map(
      look("subscriptionPayments", { companyId, subscription: bySvcPayId(mine), after, limit }),
      ({ found }) => ({ payments: found?.payments, cards: found?.paymentCards.map(({ id }) => id) })
    )
  return { cardId, foreign, open, openOf }
})

/** As many payments of a customer as are not looked through. */
const owe = Effect.fnUntraced(function* (like: SvcPayId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO transactions
      (id, company_id, my_id, subscription_id, customer_id, status, status_at, payday, created_at, data, version, state_version)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)
    SELECT id + 1000 + n, company_id, 'copy ' || n, subscription_id, customer_id, status, status_at, payday, created_at, data,
      version, state_version
    FROM transactions CROSS JOIN numbers WHERE id = ${like}`
})

describe("a payment that can be ended with its contract", () => {
  it("is one that the customer owes, as open payments are found by the index of those", () => {
    const open = TransactionStatus.literals.filter((status) => nextStatuses(status, "cancelContract").length > 0)
    assert.includeMembers([...owedStatuses], open)
  })
})

forEachStore(
  (name, store) =>
    describe(`the open payments of a subscription (${name})`, () => {
      it.effect("are in order and limited to the requested number, also if the customer owes many payments", () =>
        Effect.gen(function* () {
          const { cardId, foreign, open, openOf } = yield* setUp
          const [first, second, third] = open
          const reads: Effect.Effect<ReadonlyArray<unknown>, unknown, StorePorts> = Effect.all([
            openOf(0, 9),
            openOf(0, 2),
            openOf(first!.id, 1),
            openOf(third!.id, 9),
            openOf(0, 0)
          ])
          const cards = [cardId]
          const expected = [
            { payments: open, cards },
            { payments: [first, second], cards },
            { payments: [second], cards },
            { payments: [], cards: [] },
            { payments: [], cards: [] }
          ]
          assert.deepStrictEqual(yield* reads, expected)
          yield* owe(foreign.id)
          assert.deepStrictEqual(yield* reads, expected)
        }).pipe(Effect.provide(store, { local: true }))
      )
    }),
  ["SQLite in memory", "PostgreSQL"]
)
