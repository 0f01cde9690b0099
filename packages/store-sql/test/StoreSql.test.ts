import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { Cents } from "@parcela/core/money/Cents"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { AccessTokens } from "@parcela/engine/ports/AccessTokens"
import { Companies } from "@parcela/engine/ports/Companies"
import { Journal } from "@parcela/engine/ports/Journal"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { Sequences } from "@parcela/engine/ports/Sequences"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import {
  storedCard,
  storedCompany,
  storedCustomer,
  storedEndpoint,
  storedTransaction,
  minute,
  newCard,
  newEntry
} from "./fixtures/StoreFixtures.ts"
import {
  look,
  recordAttempt,
  writeAttempt,
  writeChange,
  writeDeliveries,
  writeEntries
} from "@parcela/test-world/StoreWrites"
import { Effect, Exit, Layer, Option, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as SequencesSql from "../src/SequencesSql.ts"
import * as StoreSql from "../src/StoreSql.ts"
import { inMemory } from "./fixtures/Stores.ts"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"
import type { StorePorts } from "@parcela/engine/command/StorePorts"

const leaseRequest = { owner: "one", now: minute(2), until: minute(3), limit: 9 }

const reasonOf = <A, R>(effect: Effect.Effect<A, StoreError, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

describe("StoreSql", () => {
  it.effect("retains its rows when it is opened again, and continues its numbers", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const once = Effect.provide(StoreSql.layerSqlite({ filename }), { local: true })
      const stored = yield* Effect.flatMap(storedCompany, ({ id }) => storedTransaction(id)).pipe(once)
      yield* Effect.gen(function* () {
        const transactions = yield* Transactions
        assert.deepStrictEqual(yield* transactions.find(stored.companyId, bySvcPayId(stored.id)), Option.some(stored))
        const sequences = yield* Sequences
        assert.isAbove(yield* sequences.next("transaction"), stored.id)
        const next = yield* storedCompany
        assert.isAbove(next.id, stored.companyId)
      }).pipe(once)
    })
  )

  it.effect("ignores the late result of a worker for a delivery that has ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox
      const { companyId, id: transactionId } = yield* Effect.flatMap(storedCompany, ({ id }) => storedTransaction(id))
      const { id: endpointId } = yield* storedEndpoint(companyId)
      const event = "transaction.updateStatus"
      yield* writeDeliveries([{ companyId, endpointId, transactionId, event, payload: "{}", createdAt: minute(0) }])
      const [leased] = yield* outbox.lease(endpointId, leaseRequest)
      const made = { startedAt: minute(0), duration: 1, status: 200, problem: undefined }
      yield* recordAttempt(leased!, { _tag: "Delivered", at: minute(1) }, made)
      yield* recordAttempt(leased!, { _tag: "Abandoned", at: minute(2), problem: "timeout" }, made)
      const rows = yield* sql`SELECT state, attempts, delivered_at, abandoned_at, last_problem FROM deliveries`
      assert.deepStrictEqual(
        { ...rows[0] },
        { state: "delivered", attempts: 1, delivered_at: minute(1), abandoned_at: null, last_problem: null }
      )
    }).pipe(Effect.provide(inMemory))
  )

  describe("a damaged row is Corrupt, with the name of its table:", () => {
    const damaged: ReadonlyArray<
      readonly [
        table: string,
        damage: string,
        read: (id: CompanyId) => Effect.Effect<unknown, StoreError, StorePorts | SqlClient.SqlClient>
      ]
    > = [
      ["companies", "data = '{}'", (id) => Companies.use((port) => port.find(id))],
      ["credentials", "company_id = -1", () => Companies.use((port) => port.findCredential("5473"))],
      ["access_tokens", "scopes = '[\"everything\"]'", () => AccessTokens.use((port) => port.find("hash"))],
      ["customers", "data = 'no JSON'", (id) => creation(id, { customer: { document: "52998224725" } })],
      ["cards", "data = '{}'", (id) => creation(id, { card: { svcPayId: SvcPayId.make(1) } })],
      ["subscriptions", "data = 'null'", (id) => Subscriptions.use((port) => port.list(id, {}, page))],
      ["transactions", "data = '[]'", (id) => Transactions.use((port) => port.list(id, {}, page))],
      [
        "attempts",
        "value = -1",
        (id) => look("payment", { companyId: id, transaction: { typeId: "attempt", id: AttemptId.make("a") } })
      ],
      ["journal", 'events = \'[{"_tag":"Odd"}]\'', (id) => Journal.use((port) => port.latest(id, 1))],
      ["webhook_endpoints", "events = '[]x'", (id) => WebhookEndpoints.use((port) => port.ofCompany(id))],
      // A process that starts: this one has numbers left.
      [
        "sequences",
        "value = 99999999999",
        () => Effect.provide(nextCard, Layer.fresh(SequencesSql.layerNoDeps), { local: true })
      ]
    ]
    const page = { startAt: 0, limit: 1, order: [] } as const
    const creation = (companyId: CompanyId, asked: { readonly customer?: object; readonly card?: object }) =>
      look("newSubscription", { companyId, myId: MyId.make("none"), customer: {}, ...asked })
    const nextCard = Sequences.use((port) => port.next("card"))

    const oneOfEach = Effect.gen(function* () {
      const { id: companyId } = yield* storedCompany
      const { id: customerId } = yield* storedCustomer(companyId, { document: "52998224725" })
      yield* storedCard(companyId, { customerId })
      const { id: transactionId } = yield* storedTransaction(companyId, { myId: MyId.make("paid") })
      yield* Companies.use((port) => port.putCredential({ clientId: "5473", secretHash: "00", companyId }))
      yield* AccessTokens.use((port) =>
        port.insert({ hash: "hash", companyId, clientId: "5473", scopes: [], expiresAt: minute(0) })
      )
      yield* writeAttempt({
        id: AttemptId.make("a"),
        companyId,
        transactionId,
        kind: "charge",
        value: Cents.make(1),
        provider: "cardOperator",
        businessAt: minute(0),
        startedAt: minute(0)
      })
      yield* writeEntries([newEntry(companyId, customerId)])
      yield* storedEndpoint(companyId)
      return companyId
    })

    it.effect.each(damaged)("%s", ([table, damage, read]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const companyId = yield* oneOfEach
        yield* read(companyId)
        yield* sql`PRAGMA foreign_keys = OFF`
        yield* sql.unsafe(`UPDATE ${table} SET ${damage}`)
        const reason = yield* reasonOf(read(companyId))
        assert.strictEqual(reason._tag, "Corrupt")
        assert.include(reason.message, table)
      }).pipe(Effect.provide(inMemory))
    )
  })

  it.effect("leases readable rows, quarantines a damaged job, and abandons a damaged delivery", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id: companyId } = yield* storedCompany
      const dueWork = yield* DueWork
      const outbox = yield* Outbox
      const { id: endpointId } = yield* storedEndpoint(companyId)
      for (const transactionId of [SvcPayId.make(1), SvcPayId.make(2)]) {
        const event = "transaction.updateStatus"
        yield* writeDeliveries([{ companyId, endpointId, event, transactionId, payload: "{}", createdAt: minute(0) }])
        const subject = String(transactionId)
        yield* dueWork.schedule([{ kind: "send payment", companyId, subject, clock: "business", dueAt: minute(0) }])
      }
      yield* sql`PRAGMA foreign_keys = OFF`
      yield* sql`UPDATE deliveries SET event = 'odd' WHERE transaction_id = 1`
      yield* sql`UPDATE due_work SET company_id = -1 WHERE subject = '1'`
      const lease = dueWork.lease({
        kind: "send payment",
        owner: "one",
        now: minute(2),
        until: minute(3),
        limit: 9,
        perCompany: 9,
        except: []
      })
      assert.deepStrictEqual(
        (yield* lease).map(({ subject }) => subject),
        ["2"]
      )
      const quarantined = yield* sql`SELECT subject, last_problem FROM due_work WHERE quarantined_at IS NOT NULL`
      assert.deepStrictEqual(
        quarantined.map((row) => ({ ...row })),
        [{ subject: "1", last_problem: "The row cannot be read" }]
      )
      assert.deepStrictEqual(
        (yield* outbox.lease(endpointId, leaseRequest)).map(({ transactionId }) => transactionId),
        [2]
      )
      const [dead] = yield* outbox.list(companyId, { state: "abandoned" }, 999, 9)
      assert.deepInclude(dead, { event: "odd", problem: "The row cannot be read" })
    }).pipe(Effect.provide(inMemory))
  )

  describe("a refused write is Rejected, and stores nothing:", () => {
    it.effect("a row of a company that does not exist", () =>
      Effect.gen(function* () {
        const tokens = yield* AccessTokens
        const token = {
          hash: "hash",
          companyId: CompanyId.make(404),
          clientId: "5473",
          scopes: [],
          expiresAt: minute(0)
        }
        const reason = yield* reasonOf(tokens.insert(token))
        assert.strictEqual(reason._tag, "Rejected")
      }).pipe(Effect.provide(inMemory))
    )

    it.effect("a card of another company's customer", () =>
      Effect.gen(function* () {
        const company = yield* storedCompany
        const other = yield* storedCompany
        const { id: customerId } = yield* storedCustomer(other.id)
        const card = yield* newCard(company.id, { customerId })
        assert.strictEqual((yield* reasonOf(writeChange({ table: "cards", next: card })))._tag, "Rejected")
        const args = { companyId: company.id, myId: MyId.make("none"), customer: {}, card: { svcPayId: card.id } }
        assert.isUndefined((yield* look("newSubscription", args)).found!.cards.bySvcPayId)
      }).pipe(Effect.provide(inMemory))
    )

    it.effect("a transaction with an attempt on an unknown payment", () =>
      Effect.gen(function* () {
        const { companyId, id, ...transaction } = yield* Effect.flatMap(storedCompany, ({ id }) =>
          storedTransaction(id)
        )
        const orphan = writeAttempt({
          id: AttemptId.make("a"),
          companyId,
          transactionId: SvcPayId.make(id + 1),
          kind: "charge",
          value: transaction.value,
          provider: "cardOperator",
          businessAt: minute(0),
          startedAt: minute(0)
        })
        assert.strictEqual((yield* reasonOf(orphan))._tag, "Rejected")
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT id FROM attempts`, [])
      }).pipe(Effect.provide(inMemory))
    )

    it.effect("is Unavailable after the store was closed", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const context = yield* Layer.buildWithScope(Layer.fresh(inMemory), scope)
        yield* Scope.close(scope, Exit.void)
        const uses: ReadonlyArray<Effect.Effect<unknown, StoreError, StorePorts>> = [
          Sequences.use((port) => port.next("card")),
          Companies.use((port) => port.find(CompanyId.make(1))),
          look("company", { companyId: CompanyId.make(1) })
        ]
        for (const use of uses) {
          assert.strictEqual((yield* reasonOf(Effect.provide(use, context)))._tag, "Unavailable")
        }
      })
    )
  })
})
