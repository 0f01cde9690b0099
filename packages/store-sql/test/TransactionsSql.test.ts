/** Tests of the port `Transactions`. */
import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import { addDays } from "@parcela/core/time/LocalDate"
import type { ReferenceKind, TransactionState } from "@parcela/core/transactions/TransactionState"
import { type FilterOf, maxStartAt, type PageOf } from "@parcela/core/lists/ListDefinition"
import type { TransactionList } from "@parcela/core/lists/EntityLists"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { Effect, Option, Layer } from "effect"
import {
  captured,
  denied,
  storedCompany,
  storedCard,
  storedCustomer,
  storedSubscription,
  storedTransaction,
  minute,
  myIds,
  newTransaction,
  onEmptyStore,
  type OpenedByCard,
  openedPix,
  registeredBoleto,
  type StoreLayer,
  today
} from "./fixtures/StoreFixtures.ts"
import { storedChargePayment } from "./fixtures/ChargeFixtures.ts"
import { storedPayment } from "./fixtures/CommandStoreFixtures.ts"
import { writeAttempt, writeTransaction } from "@parcela/test-world/StoreWrites"
import { all, assertPages, type FilterCase, listCases, type OrderCase, sharedFilters } from "./fixtures/ListSuite.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { SqlClient } from "effect/sql"
import * as CompanyRows from "../src/CompanyRows.ts"
import { companyTables } from "../src/tables/CompanyTables.ts"
import * as TransactionsSql from "../src/TransactionsSql.ts"

type Filter = FilterOf<TransactionList>
type Order = PageOf<TransactionList>["order"][number]

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Transactions (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Four payments of two subscriptions of two customers. */
    const stored = Effect.fnUntraced(function* (companyId: CompanyId) {
      const ana = yield* storedCustomer(companyId, { myId: MyId.make("ana") })
      const bia = yield* storedCustomer(companyId, { myId: MyId.make("bia") })
      const ofAna = yield* storedSubscription(companyId, { customerId: ana.id, myId: MyId.make("of ana") })
      const ofBia = yield* storedSubscription(companyId, { customerId: bia.id, myId: MyId.make("of bia") })
      const one = (
        index: number,
        id: SvcPayId,
        days: number,
        changes: Pick<TransactionState, "createdAt" | "statusAt">,
        become?: (opened: OpenedByCard) => TransactionState
      ) =>
        storedTransaction(
          companyId,
          {
            myId: MyId.make(`t${index}`),
            owner: { _tag: "Subscription", id },
            payday: addDays(today, days),
            ...changes
          },
          become
        )
      const mine = [
        yield* one(0, ofAna.id, 3, { createdAt: minute(0), statusAt: minute(9) }, captured),
        yield* one(1, ofBia.id, 1, { createdAt: minute(1), statusAt: minute(1) }),
        yield* one(2, ofAna.id, 1, { createdAt: minute(1), statusAt: minute(5) }, denied),
        yield* one(3, ofBia.id, 0, { createdAt: minute(3), statusAt: minute(3) })
      ]
      return { mine, subscriptions: [ofAna, ofBia], customers: [ana, bia] }
    })

    const setUp = Effect.gen(function* () {
      const transactions = yield* Transactions
      const company = yield* storedCompany
      const other = yield* storedCompany
      const { customers, mine, subscriptions } = yield* stored(company.id)
      yield* stored(other.id)
      const listed = Effect.fnUntraced(function* (filter: Filter, page: PageOf<TransactionList> = all()) {
        const found = yield* transactions.list(company.id, filter, page)
        return found.map((one) => mine.findIndex(({ id }) => id === one.transaction.id))
      })
      return { company, customers, listed, mine, other, subscriptions, transactions }
    })

    const filters: ReadonlyArray<FilterCase<Filter, Effect.Success<typeof setUp>>> = [
      ...sharedFilters("t"),
      ["subscriptions", ({ subscriptions }) => ({ subscriptionSvcPayIds: [subscriptions[0]!.id] }), [0, 2]],
      ["no subscription at all", () => ({ subscriptionSvcPayIds: [] }), []],
      ["subscriptions' own identifiers", () => ({ subscriptionMyIds: myIds("of bia", "of nobody") }), [1, 3]],
      ["no subscription's identifier at all", () => ({ subscriptionMyIds: [] }), []],
      ["customers", ({ customers }) => ({ customerSvcPayIds: [customers[1]!.id] }), [1, 3]],
      [
        "customers by both identifiers",
        ({ customers }) => ({ customerMyIds: myIds("ana"), customerSvcPayIds: [customers[1]!.id] }),
        []
      ],
      ["statuses", () => ({ status: ["captured", "denied"] }), [0, 2]],
      ["change of status from", () => ({ updateStatus: { from: minute(5) } }), [2, 0]],
      ["change of status before", () => ({ updateStatus: { before: minute(5) } }), [1, 3]],
      ["payday from", () => ({ payDay: { from: addDays(today, 1) } }), [1, 2, 0]],
      ["payday to", () => ({ payDay: { to: addDays(today, 1) } }), [3, 1, 2]],
      ["payday on one day", () => ({ payDay: { from: addDays(today, 3), to: addDays(today, 3) } }), [0]],
      ["several at once", () => ({ customerMyIds: myIds("bia"), status: ["notSend"], payDay: { to: today } }), [3]]
    ]

    const orders: ReadonlyArray<OrderCase<Order>> = [
      ["identifier", [], [0, 1, 2, 3]],
      ["payday, ties by identifier", [{ field: "payday", direction: "asc" }], [3, 1, 2, 0]],
      ["payday backwards, ties by identifier backwards", [{ field: "payday", direction: "desc" }], [0, 2, 1, 3]],
      ["creation backwards, ties by identifier backwards", [{ field: "createdAt", direction: "desc" }], [3, 2, 1, 0]],
      [
        "payday and then creation backwards, ties as the last term",
        [
          { field: "payday", direction: "asc" },
          { field: "createdAt", direction: "desc" }
        ],
        [3, 2, 1, 0]
      ]
    ]

    listCases(layer, setUp, filters, orders)

    it.effect(
      "returns all rows in pages without repeats or gaps, although many have the same day, and then an empty page",
      () =>
        Effect.gen(function* () {
          const transactions = yield* Transactions
          const company = yield* storedCompany
          const { id: subscriptionId } = yield* storedSubscription(company.id)
          const stored = yield* Effect.all(
            Array.from({ length: 10 }, () =>
              storedTransaction(company.id, { owner: { _tag: "Subscription", id: subscriptionId } })
            )
          )
          const order = [{ field: "payday", direction: "desc" }] as const
          yield* assertPages(stored, (startAt, limit) =>
            Effect.map(transactions.list(company.id, {}, { startAt, limit, order }), (found) =>
              found.map(({ transaction }) => transaction)
            )
          )
          const beyond = { startAt: maxStartAt, limit: 100, order: [] }
          const filter = { status: ["notSend"], subscriptionSvcPayIds: [subscriptionId] } as const
          assert.deepStrictEqual(yield* transactions.list(company.id, filter, beyond), [])
        }).pipe(onEmpty)
    )

    it.effect("finds transactions of companies by their identifiers, and no others", () =>
      Effect.gen(function* () {
        const { company, mine, other, transactions } = yield* setUp
        const [first, , third] = mine
        const foreign = yield* storedTransaction(other.id)
        const ids = [third!.id, foreign.id, first!.id, SvcPayId.make(999_999)]
        assert.deepStrictEqual(yield* transactions.ofIds([company.id], ids), [first!, third!])
        assert.deepStrictEqual(yield* transactions.ofIds([company.id, other.id], ids), [first!, third!, foreign])
        assert.deepStrictEqual(yield* transactions.ofIds([company.id], []), [])
      }).pipe(onEmpty)
    )

    it.effect("finds a transaction of any company by its document key, and none by another key", () =>
      Effect.gen(function* () {
        const transactions = yield* Transactions
        const shown = yield* storedTransaction((yield* storedCompany).id, {}, registeredBoleto("the key"))
        const other = yield* storedTransaction((yield* storedCompany).id, {}, openedPix("another key"))
        const without = yield* storedTransaction(other.companyId)
        assert.deepStrictEqual(yield* transactions.findByDocument(shown.id, "the key"), Option.some(shown))
        assert.deepStrictEqual(yield* transactions.findByDocument(other.id, "another key"), Option.some(other))
        assert.deepStrictEqual(yield* transactions.findByDocument(shown.id, "another key"), Option.none())
        assert.deepStrictEqual(yield* transactions.findByDocument(shown.id, "THE KEY"), Option.none())
        assert.deepStrictEqual(yield* transactions.findByDocument(shown.id, ""), Option.none())
        assert.deepStrictEqual(yield* transactions.findByDocument(without.id, ""), Option.none())
        assert.deepStrictEqual(yield* transactions.findByDocument(without.id, "undefined"), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("finds a transaction of any company by its provider's reference, once that is stored", () =>
      Effect.gen(function* () {
        const transactions = yield* Transactions
        const company = yield* storedCompany
        const opened = yield* newTransaction(company.id)
        const boleto = yield* storedTransaction(company.id, {}, registeredBoleto("k"))
        const pix = yield* storedTransaction((yield* storedCompany).id, {}, openedPix("k"))
        const found = (kind: ReferenceKind, value: string) => transactions.findByReference({ kind, value })
        yield* writeTransaction(opened)
        assert.deepStrictEqual(yield* found("tid", `denied-${opened.id}`), [])
        const denial = denied(opened)
        yield* writeTransaction(denial, opened)
        assert.deepStrictEqual(yield* found("tid", `denied-${opened.id}`), [denial])
        const taken = captured(opened)
        yield* writeTransaction(taken, denial)
        assert.deepStrictEqual(yield* found("tid", `tid-${opened.id}`), [taken])
        assert.deepStrictEqual(yield* found("tid", `denied-${opened.id}`), [taken], "what it was called before")
        assert.deepStrictEqual(yield* found("txid", `tid-${opened.id}`), [])
        assert.deepStrictEqual(yield* found("barcode", String(boleto.id).padStart(44, "0")), [boleto])
        assert.deepStrictEqual(yield* found("txid", String(pix.id).padStart(26, "a")), [pix])
      }).pipe(onEmpty)
    )

    it.effect("finds a transaction by its provider's reference of an attempt, whatever else has that reference", () =>
      Effect.gen(function* () {
        const { attempt, opened } = yield* storedPayment
        const boleto = yield* storedTransaction(attempt.companyId, {}, registeredBoleto("k"))
        const ended = { outcome: "denied", reference: "T-1", at: minute(2) } as const
        const write = { id: AttemptId.make("register"), kind: "register", provider: "boletoBank" } as const
        const found = (kind: ReferenceKind, value: string) =>
          Transactions.use((transactions) => transactions.findByReference({ kind, value }))
        yield* writeAttempt({ ...attempt, id: AttemptId.make("denied"), result: ended })
        yield* writeAttempt({ ...attempt, ...write, transactionId: boleto.id, result: ended })
        yield* writeAttempt({
          ...attempt,
          id: AttemptId.make("long"),
          result: { ...ended, reference: Array.from({ length: 2_000 }, (_, n) => Math.sin(n)).join() }
        })
        assert.deepStrictEqual(yield* found("tid", "T-1"), [opened])
        assert.deepStrictEqual(yield* found("barcode", "T-1"), [boleto])
        assert.deepStrictEqual(yield* found("txid", "T-1"), [])
        assert.deepStrictEqual(yield* found("ourNumber", "T-1"), [])
      }).pipe(onEmpty)
    )

    it.effect("stores and finds both of two transactions with the same provider reference", () =>
      Effect.gen(function* () {
        const transactions = yield* Transactions
        const numbered = registeredBoleto("k", { ourNumber: "42" })
        const first = yield* storedTransaction((yield* storedCompany).id, {}, numbered)
        const second = yield* storedTransaction((yield* storedCompany).id, {}, numbered)
        const reference = { kind: "ourNumber", value: "42" } as const
        assert.deepStrictEqual(yield* transactions.findByReference(reference), [first, second])
      }).pipe(onEmpty)
    )

    it.effect("lists each transaction with its subscription, its customer, and its card if it has one", () =>
      Effect.gen(function* () {
        const transactions = yield* Transactions
        const company = yield* storedCompany
        const ana = yield* storedCustomer(company.id)
        const bia = yield* storedCustomer(company.id)
        const first = yield* storedSubscription(company.id, { customerId: ana.id })
        const second = yield* storedSubscription(company.id, { customerId: bia.id })
        yield* storedCard(company.id)
        const card = yield* storedCard(company.id)
        const one = (of: typeof first, cardId: SvcPayId) =>
          storedTransaction(company.id, { owner: { _tag: "Subscription", id: of.id }, cardId })
        const byCard = yield* one(second, card.id)
        const byUnknown = yield* one(first, SvcPayId.make(99_999_999_999))
        assert.deepStrictEqual(yield* transactions.list(company.id, {}, all()), [
          {
            transaction: byCard,
            card,
            customer: bia,
            owner: { _tag: "Subscription", subscription: second }
          },
          {
            transaction: byUnknown,
            card: undefined,
            customer: ana,
            owner: { _tag: "Subscription", subscription: first }
          }
        ])
      }).pipe(onEmpty)
    )

    it.effect("lists a transaction of a charge with the charge and its customer", () =>
      Effect.gen(function* () {
        const { card, charge, company, customer, opened: transaction } = yield* storedChargePayment
        assert.deepStrictEqual(yield* Transactions.use((port) => port.list(company.id, {}, all())), [
          { transaction, card, customer, owner: { _tag: "Charge", charge } }
        ])
      }).pipe(onEmpty)
    )

    it.effect("returns the latest transactions of each given subscription", () =>
      Effect.gen(function* () {
        const { company, mine, other, subscriptions, transactions } = yield* setUp
        const [ofAna, ofBia] = [subscriptions[0]!.id, subscriptions[1]!.id]
        const card = yield* storedCard(company.id)
        yield* Effect.forEach([...mine.keys()], (index) => {
          const before = mine[index]!
          mine[index] = { ...before, cardId: card.id } as TransactionState
          return writeTransaction(mine[index], before)
        })
        const withCard = (states: ReadonlyArray<TransactionState>) =>
          states.map((transaction) => ({ transaction, card }))
        const latest = (ids: ReadonlyArray<SvcPayId>, most: number, from = company) =>
          transactions.latestOfSubscriptions(from.id, ids, most)
        assert.deepStrictEqual(yield* latest([ofBia, ofAna], 2), withCard(mine))
        assert.deepStrictEqual(yield* latest([ofBia, ofAna], 1), withCard([mine[2]!, mine[3]!]))
        assert.deepStrictEqual(yield* latest([ofAna], 100), withCard([mine[0]!, mine[2]!]))
        assert.deepStrictEqual(yield* latest([ofAna, ofBia], 100, other), [])
        assert.deepStrictEqual(yield* latest([], 100), [])
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)

/** A client that resets a company once its first statement was read. */
const resettingAfterOne = (sql: SqlClient.SqlClient, companyId: number) => {
  let statements = 0
  const reset = sql.withTransaction(CompanyRows.make(sql, companyTables).clear(companyId))
  const unsafe: SqlClient.SqlClient["unsafe"] = (...statement) => {
    const read = sql.unsafe(...statement)
    // It is run as an effect, and nothing else.
    return (statements++ === 0 ? Effect.tap(read, () => reset) : read) as typeof read as never
  }
  return new Proxy(sql, { get: (target, key) => (key === "unsafe" ? unsafe : Reflect.get(target, key)) })
}

forEachStore(
  (name, store) =>
    describe(`a list that is interrupted by a reset of its company (${name})`, () => {
      it.effect("has the rows from before or after the reset", () =>
        Effect.gen(function* () {
          const { companyId } = yield* storedPayment
          const sql = yield* SqlClient.SqlClient
          const racing = TransactionsSql.layerNoDeps.pipe(
            Layer.provide(Layer.succeed(SqlClient.SqlClient, resettingAfterOne(sql, companyId)))
          )
          const listed = yield* Transactions.use((all) =>
            all.list(companyId, {}, { startAt: 0, limit: 9, order: [] })
          ).pipe(Effect.provide(Layer.fresh(racing)))
          assert.deepStrictEqual(listed, [])
        }).pipe(Effect.provide(store, { local: true }))
      )
    }),
  // On SQLite both statements are read without a suspension.
  ["PostgreSQL"]
)
