/** Query plans of PostgreSQL for long queues, with and without statistics: autovacuum runs a minute late, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Customers } from "@parcela/engine/ports/Customers"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import { storedCompany, minute, myIds, today } from "../fixtures/StoreFixtures.ts"
import { writeDeliveries } from "@parcela/test-world/StoreWrites"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { Array, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { statementsOf } from "../fixtures/Statements.ts"

// Statistics are the table's: a database that another test had may have some.
const store = Layer.unwrap(
  Effect.map(Effect.orDie(newDatabase), (url) => StoreSql.layerPostgres({ url: Redacted.make(url) }))
)

const request = { owner: "one", now: minute(5), until: minute(6), limit: 8 } as const

/** The plan of an effect's first statement, in one line. */
const planOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const [[text, parameters] = ["", []]] = yield* statementsOf(effect)
  const lines = yield* sql.unsafe<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, parameters)
  return lines.map((line) => line["QUERY PLAN"].trim()).join("; ")
})

const fill = Effect.fnUntraced(function* (companyId: CompanyId, count: number) {
  const dueWork = yield* DueWork
  const sql = yield* SqlClient.SqlClient
  const [endpoint] = yield* sql<{ id: number }>`
    INSERT INTO webhook_endpoints (company_id, url, events, state, failures, is_default, secrets, created_at, updated_at)
    VALUES (${companyId}, 'https://shop.example/', '["transaction.updateStatus"]', 'on', 0, 1, '[]', 0, 0) RETURNING id
  `
  for (const ids of Array.chunksOf(Array.range(1, count), 1_000)) {
    yield* dueWork.schedule(
      ids.map((id) => ({
        kind: "send payment",
        companyId,
        subject: String(id),
        clock: "business",
        dueAt: minute(0)
      }))
    )
    yield* writeDeliveries(
      ids.map((id) => ({
        companyId,
        endpointId: endpoint!.id,
        event: "transaction.updateStatus",
        transactionId: SvcPayId.make(id),
        payload: "{}",
        createdAt: minute(0)
      }))
    )
  }
  return endpoint!.id
})

describe("query plans on PostgreSQL", () => {
  it.effect("read the queue of a lease by an index and find each transaction, with and without statistics", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* storedCompany
      const endpointId = yield* fill(id, 10_000)
      const workRequest = { ...request, kind: "send payment", limit: 32, perCompany: 8, except: [] } as const
      for (const isAnalyzed of [false, true]) {
        if (isAnalyzed) yield* sql`ANALYZE`
        const deliveries = yield* planOf(Outbox.use((outbox) => outbox.lease(endpointId, request)))
        assert.match(deliveries, /using deliveries_lane on deliveries mine/)
        assert.match(
          deliveries,
          /using deliveries_of_transaction on deliveries other .*?Index Cond: \(\(endpoint_id = \S+\) AND \(transaction_id = mine.transaction_id\)/
        )
        assert.notMatch(deliveries, /Seq Scan/)
        const work = yield* planOf(DueWork.use((dueWork) => dueWork.lease(workRequest)))
        assert.match(work, /due_work_due/)
        assert.match(work, /Index Cond: [^;]*subject = ANY/)
        // Tables of a row or none are read whole.
        assert.notMatch(work, /Seq Scan on due_work/)
        const queues = yield* planOf(
          WebhookEndpoints.use((endpoints) => endpoints.listDue({ now: request.now, except: [], after: 0, limit: 10 }))
        )
        assert.notMatch(queues, /Seq Scan on deliveries/)
        assert.match(queues, /deliveries_lane on deliveries [^;]*; Index Cond: [^;]*due_at/)
      }
    }).pipe(Effect.provide(store))
  )

  it.effect(
    "read the amounts that customers owe by the indexes of open payments, which name the statuses differently",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* storedCompany
        const page = { startAt: 0, limit: 10, order: [] }
        const delayed = Customers.use((customers) => customers.list(id, { status: ["delayed"] }, page, today))
        // Tables of a row or none are read whole otherwise.
        const plan = yield* sql.withTransaction(Effect.andThen(sql`SET LOCAL enable_seqscan = off`, planOf(delayed)))
        assert.match(plan, /using transactions_owed_on on transactions/)
        assert.match(plan, /using transactions_owed_by on transactions/)
      }).pipe(Effect.provide(store))
  )

  it.effect("read only the rows of a company whose clock is ahead, however many rows others have in that time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const dueWork = yield* DueWork
      const { id: ahead } = yield* storedCompany
      const work = (subject: number, companyId: CompanyId) =>
        ({ kind: "send payment", companyId, subject: String(subject), clock: "business", dueAt: minute(30) }) as const
      yield* sql`UPDATE companies SET clock_offset = ${60 * 60_000} WHERE id = ${ahead}`
      yield* dueWork.schedule(Array.range(1, 9).map((subject) => work(subject, ahead)))
      const others = yield* Effect.forEach(Array.range(1, 50), () => storedCompany)
      for (const [index, { id }] of others.entries()) {
        yield* dueWork.schedule(Array.range(1, 200).map((nth) => work(1_000 * (index + 1) + nth, id)))
      }
      yield* sql`ANALYZE`
      const ask = { ...request, now: minute(5), kind: "send payment", limit: 32, perCompany: 8, except: [] } as const
      const plan = yield* planOf(DueWork.use((dueWork) => dueWork.lease(ask)))
      assert.match(plan, /due_work_company on due_work own/)
      assert.notMatch(plan, /Seq Scan on due_work/)
    }).pipe(Effect.provide(store))
  )

  it.effect("find the due rows of an advance by an index, however many rows are due later", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* storedCompany
      yield* fill(id, 10_000)
      const ofAnAdvance: ReadonlyArray<Effect.Effect<unknown, unknown, DueWork>> = [
        DueWork.use((dueWork) => dueWork.listWaiting(id, minute(-5))),
        DueWork.use((dueWork) => dueWork.nextDue(id, minute(-5))),
        DueWork.use((dueWork) => dueWork.listWaiting(id, minute(-5), 9))
      ]
      for (const isAnalyzed of [false, true]) {
        if (isAnalyzed) yield* sql`ANALYZE`
        for (const effect of ofAnAdvance) {
          const plan = yield* planOf(effect)
          assert.match(plan, /using due_work_(company|due) on due_work w/)
          assert.notMatch(plan, /Seq Scan on due_work/)
        }
      }
    }).pipe(Effect.provide(store))
  )

  it.effect("plan a list each time if its values may choose another index, and a read once", () =>
    Effect.gen(function* () {
      const url = yield* newDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* storedCompany
        const page = { startAt: 0, limit: 100, order: [] }
        const list = (filter: Parameters<Transactions["Service"]["list"]>[1]) =>
          Transactions.use((transactions) => transactions.list(id, filter, page))
        const prepared = sql<{ read: string }>`
          SELECT statement AS read FROM pg_prepared_statements
          WHERE statement LIKE '%FROM transactions%' OR statement LIKE '%FROM customers%'
        `.unprepared
        yield* list({ status: ["denied"], createdAt: { from: minute(0) } })
        const filter = { status: ["active"], createdAt: { from: minute(0) } } as const
        yield* Customers.use((customers) => customers.list(id, filter, page, today))
        assert.deepStrictEqual(yield* prepared, [])
        yield* list({ myIds: myIds("a") })
        assert.lengthOf(yield* prepared, 1)
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url), maxConnections: 1 })))
    })
  )
})
