/** Tests of the states of entities: commands write and load them. */
import { assert, describe, it } from "@effect/vitest"
import { CardState, VaultToken } from "@parcela/core/cards/CardDecider"
import { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { CustomerState } from "@parcela/core/customers/CustomerState"
import { PlanState } from "@parcela/core/plans/PlanDecider"
import { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { TransactionState } from "@parcela/core/transactions/TransactionState"
import { bySvcPayId, type EntityRef, MyId, type SvcPayId } from "@parcela/core/values/Identifier"
import { Text } from "@parcela/core/values/Text"
import { Cards } from "@parcela/engine/ports/Cards"
import { Charges } from "@parcela/engine/ports/Charges"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { Arbitrary, Effect, Option, Schema } from "effect"
import { newCharge } from "./fixtures/ChargeFixtures.ts"
import { localDate, normalized } from "./fixtures/Arbitraries.ts"
import { entityCases, type EntityOptions, updateCases } from "./fixtures/EntityCases.ts"
import {
  conflictOf,
  newPlan,
  storedCompany,
  storedCustomer,
  newCard,
  newCustomer,
  newSubscription,
  newTransaction,
  onEmptyStore,
  type StoreLayer
} from "./fixtures/StoreFixtures.ts"
import { look, writeChange, writeTransaction } from "@parcela/test-world/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const isText = Schema.is(Text)

/** The customer of a request by an identifier. */
const named = (ref: EntityRef) => (ref.typeId === "svcPayId" ? { svcPayId: ref.id } : { myId: ref.id })

const creation = Effect.fnUntraced(function* (
  companyId: CompanyId,
  asked: { readonly customer?: object; readonly card?: object }
) {
  const args = { companyId, myId: MyId.make("no such subscription"), customer: {}, ...asked }
  return (yield* look("newSubscription", args)).found!
})

const findCustomer = (companyId: CompanyId, ref: EntityRef) =>
  Effect.map(creation(companyId, { customer: named(ref) }), ({ customers }) =>
    Option.fromUndefinedOr(customers.bySvcPayId ?? customers.byMyId)
  )

const findByDocument = (companyId: CompanyId, document: string) =>
  Effect.map(creation(companyId, { customer: { document } }), ({ customers }) => customers.byDocument)

const findCard = (companyId: CompanyId, ref: EntityRef) => Cards.use((port) => port.find(companyId, ref))

const customers: EntityOptions<CustomerState> = {
  table: "customers",
  find: findCustomer,
  write: (next, before) => writeChange({ table: "customers", before, next }),
  arbitrary: normalized(CustomerState),
  fresh: newCustomer,
  // They are found by their addresses, which requests cannot give otherwise.
  place: (arbitrary, { companyId, document, id }) => ({
    ...arbitrary,
    companyId,
    document,
    id,
    emails: arbitrary.emails.filter(isText)
  })
}

const cards: EntityOptions<CardState> = {
  table: "cards",
  find: findCard,
  write: (next, before) => writeChange({ table: "cards", before, next }),
  arbitrary: normalized(CardState),
  fresh: newCard,
  // One vault token: a customer has a card once, and each of these has a customer of its own.
  place: (arbitrary, { companyId, customerId, id }) => ({ ...arbitrary, companyId, customerId, id })
}

const plans: EntityOptions<PlanState> = {
  table: "plans",
  find: (companyId, ref) =>
    Effect.map(look("plan", { companyId, ref }), ({ found }) => Option.fromUndefinedOr(found?.entity)),
  write: (next, before) => writeChange({ table: "plans", before, next }),
  arbitrary: normalized(PlanState),
  fresh: newPlan,
  place: (arbitrary, { companyId, id }) => ({ ...arbitrary, companyId, id })
}

const subscriptions: EntityOptions<SubscriptionState> = {
  table: "subscriptions",
  find: (companyId, ref) => Subscriptions.use((port) => port.find(companyId, ref)),
  write: (next, before) => writeChange({ table: "subscriptions", before, next }),
  arbitrary: normalized(SubscriptionState),
  fresh: newSubscription,
  place: (arbitrary, { companyId, customerId, id }) => ({ ...arbitrary, companyId, customerId, id })
}

const charges: EntityOptions<ChargeState> = {
  table: "charges",
  find: (companyId, ref) => Charges.use((port) => port.find(companyId, ref)),
  write: (next, before) => writeChange({ table: "charges", before, next }),
  arbitrary: normalized(ChargeState),
  fresh: newCharge,
  place: (arbitrary, { companyId, customerId, id }) => ({ ...arbitrary, companyId, customerId, id })
}

const transactions: EntityOptions<TransactionState> = {
  table: "transactions",
  find: (companyId, ref) => Transactions.use((port) => port.find(companyId, ref)),
  write: writeTransaction,
  arbitrary: Arbitrary.map(
    Arbitrary.all({ rest: normalized(TransactionState), payday: localDate }),
    ({ payday, rest }) => ({ ...rest, payday })
  ),
  fresh: newTransaction,
  place: (arbitrary, { companyId, id, owner }) => ({ ...arbitrary, companyId, id, owner })
}

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`States (${name})`, () => {
    describe("of customers", () => {
      entityCases(layer, customers)
      updateCases(layer, customers)
      documents(layer)
    })
    describe("of cards", () => {
      entityCases(layer, cards)
      updateCases(layer, cards)
      vaultTokens(layer)
    })
    describe("of plans", () => {
      entityCases(layer, plans)
      updateCases(layer, plans)
    })
    describe("of subscriptions", () => {
      entityCases(layer, subscriptions)
      updateCases(layer, subscriptions)
    })
    describe("of charges", () => {
      entityCases(layer, charges)
      updateCases(layer, charges)
    })
    describe("of transactions", () => {
      entityCases(layer, transactions)
      updateCases(layer, transactions)
    })
    describe("without a myId", () => {
      withoutMyId(layer)
    })
  })

const documents = (layer: StoreLayer): void => {
  const onEmpty = onEmptyStore(layer)

  it.effect("refuses a taken document within a company, and accepts it across companies", () =>
    Effect.gen(function* () {
      const company = yield* storedCompany
      const other = yield* storedCompany
      const document = "52998224725"
      const first = yield* storedCustomer(company.id, { document })
      const second = yield* newCustomer(company.id, { document })
      assert.strictEqual(yield* conflictOf(customers.write(second)), "customers.document")
      const elsewhere = yield* storedCustomer(other.id, { document })
      assert.deepStrictEqual(yield* findByDocument(company.id, document), first)
      assert.deepStrictEqual(yield* findByDocument(other.id, document), elsewhere)
    }).pipe(onEmpty)
  )

  it.effect("refuses an update to another customer's document", () =>
    Effect.gen(function* () {
      const company = yield* storedCompany
      const first = yield* storedCustomer(company.id)
      const second = yield* storedCustomer(company.id)
      const taken = customers.write({ ...second, document: first.document }, second)
      assert.strictEqual(yield* conflictOf(taken), "customers.document")
    }).pipe(onEmpty)
  )

  it.effect("finds a customer by its new document and not by its old one", () =>
    Effect.gen(function* () {
      const company = yield* storedCompany
      const before = yield* storedCustomer(company.id, { document: "52998224725" })
      const after = { ...before, document: "11222333000181" }
      yield* customers.write(after, before)
      assert.isUndefined(yield* findByDocument(company.id, before.document))
      assert.deepStrictEqual(yield* findByDocument(company.id, after.document), after)
    }).pipe(onEmpty)
  )
}

const vaultTokens = (layer: StoreLayer): void => {
  const onEmpty = onEmptyStore(layer)

  it.effect("finds a card by its vault token for its own customer and company only", () =>
    Effect.gen(function* () {
      const company = yield* storedCompany
      const card = yield* newCard(company.id)
      yield* cards.write(card)
      const other = yield* storedCustomer(company.id)
      const found = (companyId: CompanyId, svcPayId: SvcPayId, vaultToken = card.vaultToken) =>
        Effect.map(creation(companyId, { customer: { svcPayId }, card: { vaultToken } }), (asked) => [
          ...asked.cards.byVaultToken
        ])
      assert.deepStrictEqual(yield* found(company.id, card.customerId), [card])
      assert.deepStrictEqual(yield* found(company.id, card.customerId, VaultToken.make("another")), [])
      assert.deepStrictEqual(yield* found(company.id, other.id), [])
      assert.deepStrictEqual(yield* found((yield* storedCompany).id, card.customerId), [])
    }).pipe(onEmpty)
  )

  it.effect("refuses a card that the customer already has, and accepts it for another customer", () =>
    Effect.gen(function* () {
      const company = yield* storedCompany
      const card = yield* newCard(company.id)
      yield* cards.write(card)
      const { customerId, vaultToken } = card
      const twice = yield* newCard(company.id, { customerId, vaultToken })
      assert.strictEqual(yield* conflictOf(cards.write(twice)), "cards.customer_id, cards.vault_token")
      yield* cards.write(yield* newCard(company.id, { vaultToken }))
    }).pipe(onEmpty)
  )
}

const withoutMyId = (layer: StoreLayer): void => {
  it.effect("accepts any number of customers and cards", () =>
    Effect.gen(function* () {
      const { id: companyId } = yield* storedCompany
      for (let count = 0; count < 2; count++) {
        const { myId: _customer, ...customer } = yield* newCustomer(companyId)
        const { myId: _card, ...card } = yield* newCard(companyId)
        yield* customers.write(customer)
        yield* cards.write(card)
        assert.deepStrictEqual(yield* findCustomer(companyId, bySvcPayId(customer.id)), Option.some(customer))
        assert.deepStrictEqual(yield* findCard(companyId, bySvcPayId(card.id)), Option.some(card))
      }
    }).pipe(onEmptyStore(layer))
  )
}

forEachStore(suite)
