import { assert, describe, it } from "@effect/vitest"
import { ClockOffset } from "@parcela/core/time/Instant"
import { VaultToken } from "@parcela/core/cards/CardDecider"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { byMyId, bySvcPayId, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import type { FilterOf } from "@parcela/core/lists/ListDefinition"
import type { SubscriptionList, TransactionList } from "@parcela/core/lists/EntityLists"
import { AccessTokens } from "@parcela/engine/ports/AccessTokens"
import { Companies } from "@parcela/engine/ports/Companies"
import { Journal } from "@parcela/engine/ports/Journal"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { Customers } from "@parcela/engine/ports/Customers"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { OldRecords } from "@parcela/engine/ports/OldRecords"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { IncomingPayments } from "@parcela/engine/ports/IncomingPayments"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { WebhookReplays } from "@parcela/engine/ports/WebhookReplays"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { storedCompany, storedEndpoint, minute, myIds, today } from "./fixtures/StoreFixtures.ts"
import { write, writeDeliveries } from "@parcela/test-world/StoreWrites"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sqlite } from "../src/sql/Dialect.ts"
import { rowOf, settleRow } from "../src/outbox/AttemptRecords.ts"
import { loads } from "../src/loads/Loads.ts"
import { owedFrom } from "../src/tables/Customers.ts"
import { statementsOf } from "./fixtures/Statements.ts"
import { inMemory } from "./fixtures/Stores.ts"

const company = CompanyId.make(1)
const reference = { kind: "txid", value: "t" } as const
const id = SvcPayId.make(1)
const ids = [id, SvcPayId.make(2)]
const myId = MyId.make("m")

/** The lines of EXPLAIN QUERY PLAN for each statement of an effect. */
const plansOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  // What the empty store returns does not matter.
  const statements = yield* statementsOf(effect)
  const plans = yield* Effect.forEach(
    statements.filter(([text]) => !/^\s*INSERT/.test(text)),
    ([text, parameters]) => sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
  )
  return plans.flat().map(({ detail }) => detail)
})

/** But of subqueries that end at their own LIMIT, and of companies whose clock is ahead, by an index of them alone. */
const isScan = (line: string): boolean =>
  /^SCAN (?!listed|latest|oldest|placed|chosen|by_machine|ahead USING COVERING INDEX|queues|counted|sizes|walked|found|branch_|kinds|waiting|(\d+ )?CONSTANT ROW|\(subquery)/.test(
    line
  )

const dueRequest = { now: minute(0), except: [7], after: 3, limit: 10 }

const leaseRequest = {
  kind: "send payment",
  owner: "one",
  now: minute(0),
  until: minute(1),
  limit: 10,
  perCompany: 5,
  except: [CompanyId.make(7)],
  among: { of: 2, at: 1 }
} as const
const delivery = { webhookId: 1, token: "one 1" }
const made = { startedAt: minute(0), duration: 1, status: 200, problem: undefined }
const clockLease = { companyId: company, token: "one 1" }
const workLease = { kind: "send payment", subject: "1", token: "one 1" } as const

const look = { limit: 9, now: minute(0), problem: "p" }
const cursor = { transactionId: 1, webhookId: 1 }

const page = { startAt: 0, limit: 100, order: [] } as const
const byPayday = { ...page, order: [{ field: "payday", direction: "desc" }] } as const
const span = { from: minute(0), before: minute(9) }

const subscriptionFilters: ReadonlyArray<FilterOf<SubscriptionList>> = [
  {},
  { svcPayIds: ids },
  { myIds: myIds("a", "b") },
  { customerSvcPayIds: ids },
  { customerMyIds: myIds("a", "b") },
  { status: ["active"] },
  { createdAt: span },
  { createdOrUpdatedAt: span }
]

const transactionFilters: ReadonlyArray<FilterOf<TransactionList>> = [
  {},
  { svcPayIds: ids },
  { myIds: myIds("a", "b") },
  { subscriptionSvcPayIds: ids },
  { subscriptionMyIds: myIds("a", "b") },
  { customerSvcPayIds: ids },
  { customerMyIds: myIds("a", "b") },
  { status: ["denied", "captured"] },
  { createdAt: span },
  { updateStatus: span },
  { payDay: { from: today, to: today } }
]

/** Deliveries that wait. */
const storedQueue = Effect.gen(function* () {
  const { id: companyId } = yield* storedCompany
  const { id: endpointId } = yield* storedEndpoint(companyId)
  const event = "transaction.updateStatus" as const
  const one = { companyId, endpointId, event, transactionId: id, payload: "{}", createdAt: minute(0) }
  yield* writeDeliveries(Array.from({ length: 9 }, () => one))
  return { companyId, endpointId }
})

/** One that has something to look at. */
const storedReplay = Effect.gen(function* () {
  const { companyId } = yield* storedQueue
  yield* SqlClient.SqlClient.use((sql) => sql`UPDATE deliveries SET state = 'abandoned' WHERE webhook_id <= 2`)
  const filter = { state: "abandoned" } as const
  const replay = { id: 1, companyId, filter, upTo: 9, after: 0, replayed: 0, isDone: false, createdAt: minute(0) }
  yield* write(companyId, { changes: [{ table: "webhook_replays", next: replay }] })
})

const advance = WebhookReplays.use((replays) => replays.advance(1, 5, minute(0)))

const queries: ReadonlyArray<
  readonly [name: string, query: Effect.Effect<unknown, unknown, SqlClient.SqlClient | StorePorts>]
> = [
  ["Companies.find", Companies.use((companies) => companies.find(company))],
  ["Companies.findCredential", Companies.use((companies) => companies.findCredential("5473"))],
  ["AccessTokens.find", AccessTokens.use((tokens) => tokens.find("00"))],
  ["AccessTokens.deleteExpired", AccessTokens.use((tokens) => tokens.deleteExpired(minute(0), 10))],
  ...(["keys", "attempts", "journal"] as const).map(
    (kind) => [`OldRecords.delete ${kind}`, OldRecords.use((port) => port.delete(kind, minute(0), 10))] as const
  ),
  ["Subscriptions.find", Subscriptions.use((subscriptions) => subscriptions.find(company, bySvcPayId(id)))],
  ["Subscriptions.find by myId", Subscriptions.use((subscriptions) => subscriptions.find(company, byMyId(myId)))],
  ...subscriptionFilters.map(
    (filter) =>
      [
        `Subscriptions.list ${JSON.stringify(filter)}`,
        Subscriptions.use((subscriptions) => subscriptions.list(company, filter, page))
      ] as const
  ),
  ["Transactions.find", Transactions.use((transactions) => transactions.find(company, bySvcPayId(id)))],
  ["Transactions.find by myId", Transactions.use((transactions) => transactions.find(company, byMyId(myId)))],
  ["Transactions.latestOfSubscriptions", Transactions.use((port) => port.latestOfSubscriptions(company, ids, 10))],
  ...transactionFilters.flatMap((filter) =>
    [page, byPayday].map(
      (page) =>
        [
          `Transactions.list ${JSON.stringify(filter)}, ${page.order.length} orders`,
          Transactions.use((transactions) => transactions.list(company, filter, page))
        ] as const
    )
  ),
  ["Transactions.findByReference", Transactions.use((port) => port.findByReference({ kind: "tid", value: "t" }))],
  ["DueWork.lease", DueWork.use((work) => work.lease(leaseRequest))],
  ["DueWork.done", DueWork.use((work) => work.done(workLease))],
  ["DueWork.postpone", DueWork.use((work) => work.postpone(workLease, { clock: "business", dueAt: minute(1) }))],
  ["DueWork.quarantine", DueWork.use((work) => work.quarantine(workLease, { now: minute(0), problem: "p" }))],
  ["DueWork.cancel", DueWork.use((work) => work.cancel("send payment", ["1", "2"]))],
  ["DueWork.release", DueWork.use((work) => work.release("send payment", "1", minute(0)))],
  ["DueWork.lease of one company", DueWork.use((work) => work.lease({ ...leaseRequest, only: company }))],
  ["DueWork.listWaiting", DueWork.use((work) => work.listWaiting(company, minute(0), 10))],
  ["DueWork.nextDue", DueWork.use((work) => work.nextDue(company, minute(0)))],
  ["CompanyClocks.find", CompanyClocks.use((clocks) => clocks.find(company))],
  ["CompanyClocks.lastAdvance", CompanyClocks.use((clocks) => clocks.lastAdvance(company))],
  ["CompanyClocks.extend", CompanyClocks.use((clocks) => clocks.extend(clockLease, leaseRequest))],
  [
    "CompanyClocks.advance",
    CompanyClocks.use((clocks) => clocks.advance(clockLease, { now: minute(1), offset: ClockOffset.make(1) }))
  ],
  [
    "CompanyClocks.release",
    CompanyClocks.use((clocks) => clocks.release(clockLease, { reached: minute(1), eventsUntil: undefined }))
  ],
  ["DueWork.listQuarantined", DueWork.use((work) => work.listQuarantined(10))],
  ["IncomingPayments.find", IncomingPayments.use((payments) => payments.find(1))],
  [
    "IncomingPayments.mark",
    IncomingPayments.use((payments) => payments.mark({ id: 1, restores: 0 }, { standing: "applied" }))
  ],
  ["IncomingPayments.listWaiting", IncomingPayments.use((payments) => payments.listWaiting([reference]))],
  ...([{ companyId: company }, { standing: "unmatched" }] as const).map(
    (filter) =>
      [
        `IncomingPayments.list ${JSON.stringify(filter)}`,
        IncomingPayments.use((payments) => payments.list(filter, { after: 0, limit: 10 }))
      ] as const
  ),
  ["Journal.latest", Journal.use((journal) => journal.latest(company, 10))],
  ["Journal.follow", Journal.use((journal) => journal.follow(undefined, 10))],
  ["Journal.follow of a company", Journal.use((journal) => journal.follow(undefined, 10, company))],
  ["Outbox.lease", Outbox.use((outbox) => outbox.lease(1, leaseRequest))],
  [
    "Outbox.abandonUnwanted",
    Effect.flatMap(storedQueue, ({ endpointId }) =>
      Outbox.use((outbox) => outbox.abandonUnwanted(endpointId, { ...look, after: cursor }))
    )
  ],
  ["Outbox.abandon", Outbox.use((outbox) => outbox.abandon([delivery], minute(0), "p"))],
  ["Outbox.attempts", Outbox.use((outbox) => outbox.attempts(company, 1))],
  ["Outbox.list", Outbox.use((outbox) => outbox.list(company, {}, 99, 10))],
  ["Outbox.list of dead letters", Outbox.use((outbox) => outbox.list(company, { state: "abandoned" }, 99, 10))],
  ["Outbox.count", Outbox.use((outbox) => outbox.count(1))],
  ["WebhookReplays.find", WebhookReplays.use((replays) => replays.find(1))],
  ["WebhookReplays.advance", Effect.andThen(storedReplay, advance)],
  ["WebhookEndpoints.ofCompany", WebhookEndpoints.use((endpoints) => endpoints.ofCompany(company))],
  ["WebhookEndpoints.find", WebhookEndpoints.use((endpoints) => endpoints.find(1))],
  ["WebhookEndpoints.listDue", WebhookEndpoints.use((endpoints) => endpoints.listDue(dueRequest))],
  ["WebhookEndpoints.fail", WebhookEndpoints.use((endpoints) => endpoints.fail(1, minute(0), minute(1)))]
]

const key = { companyId: company, key: "k", fingerprint: "f" }
const card = { svcPayId: id, myId, vaultToken: VaultToken.make("t") }
const loadStatements = [
  ["company", loads.company.statement(sqlite, { companyId: company }, key)],
  ["delivery", loads.delivery.statement(sqlite, { companyId: company, webhookId: 1 }, key)],
  [
    "newSubscription",
    loads.newSubscription.statement(sqlite, { companyId: company, myId, customer: { document: "1" }, card }, key)
  ],
  [
    "newPayment",
    loads.newPayment.statement(sqlite, { companyId: company, subscription: byMyId(myId), myId, card }, key)
  ],
  ["payment", loads.payment.statement(sqlite, { companyId: company, transaction: bySvcPayId(id) }, key)],
  [
    "instalments",
    loads.instalments.statement(
      sqlite,
      { companyId: company, subscriptionId: id, instalments: { firstId: id, myIds: [myId] } },
      key
    )
  ],
  [
    "paymentEdit",
    loads.paymentEdit.statement(sqlite, { companyId: company, transaction: byMyId(myId), myId, card }, key)
  ],
  ["endpoints", loads.endpoints.statement(sqlite, { companyId: company, endpointId: 7 }, key)],
  ["newReplay", loads.newReplay.statement(sqlite, { companyId: company, replayId: 7 }, key)],
  [
    "subscriptionPayments",
    loads.subscriptionPayments.statement(
      sqlite,
      { companyId: company, subscription: bySvcPayId(id), after: 7, limit: 9 },
      key
    )
  ],
  [
    "payment by its attempt",
    loads.payment.statement(
      sqlite,
      { companyId: company, transaction: { typeId: "attempt", id: AttemptId.make("a") } },
      key
    )
  ]
] as const

describe("query plans", () => {
  it.effect.each(loadStatements)("use an index for the load %s", ([, { text, values }]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lines = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values)
      assert.isNotEmpty(lines)
      // The rows of one entity, which an index found: attempts, endpoints, cards and payments, of these as many as a LIMIT says.
      // SQLite's own table of sequences has a row for each table and no index; a list that was given is no table.
      const scanned = lines.filter(({ detail }) =>
        /^SCAN (?!(e|known|same|states|attempt|counted|listed|found|CONSTANT ROW|sqlite_sequence|json_each)\b)/.test(
          detail
        )
      )
      assert.deepStrictEqual(scanned, [])
    }).pipe(Effect.provide(inMemory))
  )

  it.effect.each(queries)("use an index: %s", ([, query]) =>
    Effect.gen(function* () {
      const plan = yield* plansOf(query)
      assert.isNotEmpty(plan)
      assert.deepStrictEqual(plan.filter(isScan), [])
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("find deliveries by number when attempts are recorded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const values = settleRow.values(rowOf({ ...delivery, result: { _tag: "Delivered", at: minute(0) }, made }))
      const plan = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${settleRow.text}`, values)
      assert.deepStrictEqual(
        plan.map(({ detail }) => detail),
        ["SEARCH deliveries USING INTEGER PRIMARY KEY (rowid=?)"]
      )
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("need no temporary table to insert or update a row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
      const writes = yield* Effect.forEach(tables, ({ name }) =>
        Effect.map(sql<{ name: string; pk: number }>`SELECT name, pk FROM pragma_table_info(${name})`, (columns) => {
          const set = columns.filter(({ pk }) => pk === 0).map(({ name }) => `"${name}" = ?`)
          const where = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}" = ?`)
          const update = `UPDATE "${name}" SET ${set.join(", ")} WHERE ${where.join(" AND ")}`
          const insert = `INSERT INTO "${name}" VALUES (${columns.map(() => "?").join(", ")})`
          return set.length > 0 && where.length > 0 ? [insert, update] : [insert]
        })
      )
      const temporary = yield* Effect.filter(writes.flat(), (text) =>
        Effect.map(sql.unsafe<{ opcode: string }>(`EXPLAIN ${text}`), (program) =>
          program.some(({ opcode }) => opcode === "OpenEphemeral")
        )
      )
      assert.deepStrictEqual(temporary, [])
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("use only the indexes of open payments for the amounts that customers owe", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const planOf = (text: string) => sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
      const [from] = yield* planOf(`SELECT ${owedFrom("1", "2")}`).pipe(
        Effect.map((lines) => lines.filter(({ detail }) => detail.includes("transactions")))
      )
      assert.include(from?.detail, "transactions_owed_by (company_id=? AND customer_id=?)")
      const delayed = Customers.use((customers) => customers.list(company, { status: ["delayed"] }, page, today))
      assert.include((yield* plansOf(delayed)).join(), "transactions_owed_on (company_id=? AND payday<?)")
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("do not sort a page in the order of an index", () =>
    Effect.gen(function* () {
      const list = (field: "createdAt" | "payday") =>
        Transactions.use((transactions) =>
          transactions.list(company, {}, { ...page, order: [{ field, direction: "asc" }] })
        )
      const plan = [
        ...(yield* plansOf(Transactions.use((transactions) => transactions.list(company, {}, page)))),
        ...(yield* plansOf(list("createdAt"))),
        ...(yield* plansOf(list("payday")))
      ]
      // In addition to the subqueries for the columns of each row.
      assert.lengthOf(
        plan.filter((line) => line.includes("transactions")),
        3
      )
      assert.notInclude(plan.join(), "TEMP B-TREE")
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("read only ranges of partial indexes in cleanups", () =>
    Effect.gen(function* () {
      const leased = yield* plansOf(DueWork.use((work) => work.lease(leaseRequest)))
      assert.include(leased.join(), "USING COVERING INDEX due_work_due (kind=? AND due_at<?)")
      assert.include(leased.join(), "SCAN ahead USING COVERING INDEX companies_ahead")
      assert.include(
        leased.join(),
        "own USING INDEX due_work_company (company_id=? AND clock=? AND kind=? AND due_at>? AND due_at<?)"
      )
      const ofCompany = "w USING INDEX due_work_company (company_id=? AND clock=? AND kind=?"
      const waits = (yield* plansOf(DueWork.use((work) => work.listWaiting(company, minute(0), 10)))).join("; ")
      assert.include(waits, `${ofCompany})`)
      assert.include(waits, `${ofCompany} AND due_at<?)`)
      const next = (yield* plansOf(DueWork.use((work) => work.nextDue(company, minute(0))))).join("; ")
      assert.include(next, "w USING INDEX due_work_company (company_id=? AND clock=? AND kind=? AND due_at>?)")
      const due = (yield* plansOf(Outbox.use((outbox) => outbox.lease(1, leaseRequest)))).join("; ")
      assert.include(due, "USING INDEX deliveries_lane (endpoint_id=? AND due_at<?)")
      assert.include(due, "USING INDEX deliveries_of_transaction (endpoint_id=? AND transaction_id=?)")
      const waiting = yield* plansOf(IncomingPayments.use((payments) => payments.listWaiting([reference])))
      assert.include(waiting.join(), "USING INDEX incoming_payments_open (standing=?)")
      const page = { after: 0, limit: 10 }
      const unmatched = yield* plansOf(
        IncomingPayments.use((payments) => payments.list({ standing: "unmatched" }, page))
      )
      assert.include(unmatched.join(), "USING INDEX incoming_payments_open (standing=? AND id>?)")
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("delete payments without a read of the attempts of other payments", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // What a foreign key looks for is in no plan: a table that is read from its beginning is in the program.
      const steps = yield* sql<{ opcode: string }>`EXPLAIN DELETE FROM transactions WHERE company_id = ${company}`
      assert.isNotEmpty(steps)
      assert.deepStrictEqual(
        steps.filter(({ opcode }) => opcode === "Rewind"),
        []
      )
    }).pipe(Effect.provide(inMemory))
  )
})
