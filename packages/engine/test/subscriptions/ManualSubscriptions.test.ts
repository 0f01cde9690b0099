import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import type { View } from "@parcela/core/json/ResponseSerializer"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import { Listings } from "@parcela/engine/queries/Listings"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as FullDisk from "../fixtures/FullDisk.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { refusalOf } = World

const by = (Customer: object, myId = "sub") => ({ myId, mainPaymentMethodId: "pix", Customer })

describe("the customer of a new subscription", () => {
  it.effect("is found by svcPayId, by myId and by document", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { Customer } = yield* World.subscribe(company, by(Samples.ana))
      const named = [{ svcPayId: Customer.svcPayId }, { myId: "ana" }, { document: Samples.cpf }]
      for (const [index, customer] of named.entries()) {
        const again = yield* World.subscribe(company, by(customer, `again ${index}`))
        assert.deepStrictEqual(again.Customer, Customer)
      }
      assert.strictEqual(yield* Rows.count("customers"), 1)
    }).pipe(World.inWorld())
  )

  it.effect("is updated by the other given fields only", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribe(company, by(Samples.ana))
      yield* World.passTime("1 hour")
      const Address = {
        zipCode: "01310100",
        street: "Avenida Paulista",
        number: "1000",
        neighborhood: "Bela Vista",
        city: "São Paulo",
        state: "SP"
      }
      const { Customer } = yield* World.subscribe(company, by({ myId: "ana", name: "Ana Lima", Address }, "second"))
      assert.strictEqual(Customer.name, "Ana Lima")
      assert.deepStrictEqual(Customer.emails, Samples.ana.emails)
      assert.deepStrictEqual(Customer.Address, Address)
      assert.strictEqual(Customer.createdAt, "2026-09-21 11:13:20")
      assert.strictEqual(Customer.updatedAt, "2026-09-21 12:13:20")
      assert.deepStrictEqual((yield* Rows.journal).slice(-2), ["CustomerUpdated", "SubscriptionCreated"])
    }).pipe(World.inWorld())
  )

  it.effect("is refused as ambiguous when its identifiers belong to two customers, and neither is changed", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribe(company, by(Samples.ana))
      const bia = { myId: "bia", name: "Bia Reis", document: Samples.otherCpf, emails: ["bia@example.com"] }
      const { Customer } = yield* World.subscribe(company, by(bia, "second"))
      for (const customer of [
        { myId: "ana", document: Samples.otherCpf, name: "X" },
        { svcPayId: Customer.svcPayId, myId: "ana", name: "X" },
        { svcPayId: Customer.svcPayId, document: Samples.cpf, name: "X" }
      ]) {
        assert.strictEqual(
          refusalOf(yield* Effect.flip(World.subscribe(company, by(customer, "third")))),
          "CustomersDiffer"
        )
      }
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ data: string }>`SELECT data FROM customers ORDER BY id`
      assert.deepStrictEqual(
        rows.map(({ data }) => (JSON.parse(data) as { name: string }).name),
        ["Ana Souza", "Bia Reis"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("is not replaced by its document: a different myId is refused, and both customers stay unchanged", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const first = yield* World.subscribe(company, by(Samples.ana))
      const beatriz = { ...Samples.ana, myId: "bia", name: "Beatriz" }
      const error = yield* Effect.flip(World.subscribe(company, by(beatriz, "second")))
      assert.strictEqual(refusalOf(error), "CustomerHasOtherMyId")
      assert.include(error.message, '"ana"')
      assert.strictEqual(yield* Rows.count("subscriptions"), 1)
      const again = yield* World.subscribe(company, by({ myId: "ana" }, "third"))
      assert.deepStrictEqual(again.Customer, first.Customer)
      assert.strictEqual(
        refusalOf(yield* Effect.flip(World.subscribe(company, by({ myId: "bia" })))),
        "CustomerNotFound"
      )
      const renamed = { svcPayId: first.Customer.svcPayId, myId: "ana maria" }
      assert.strictEqual((yield* World.subscribe(company, by(renamed, "fourth"))).Customer.myId, "ana maria")
    }).pipe(World.inWorld())
  )

  it.effect(
    "that returns with a new myId is accepted under another naming profile, updated, and retains its first myId",
    () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        const first = yield* World.subscribe(company, by({ ...Samples.ana, myId: "order 1" }))
        const back = { ...Samples.ana, myId: "order 2", emails: ["new@example.com"] }
        const { Customer } = yield* World.subscribe(company, by(back, "second"))
        assert.strictEqual(Customer.svcPayId, first.Customer.svcPayId)
        assert.strictEqual(Customer.myId, "order 1")
        assert.deepStrictEqual(Customer.emails, ["new@example.com"])
        assert.strictEqual(yield* Rows.count("customers"), 1)
      }).pipe(World.inWorld({ settings: { naming: galaxPay } }))
  )

  it.effect("is refused with all missing fields of a new customer", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const error = yield* Effect.flip(World.subscribe(company, by({ phones: [11987654321] })))
      const missing = ["is required for a new customer"]
      assert.deepStrictEqual("details" in error && error.details, {
        "Customer.name": missing,
        "Customer.document": missing,
        "Customer.emails": missing
      })
      assert.strictEqual(yield* Rows.count("customers"), 0)
    }).pipe(World.inWorld())
  )

  it.effect("is not found by an unknown identifier only, or by an unassigned svcPayId", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      for (const customer of [
        { myId: "x" },
        { document: Samples.cpf },
        { ...Samples.ana, svcPayId: 77 },
        { svcPayId: 77 }
      ]) {
        assert.strictEqual(
          refusalOf(yield* Effect.flip(World.subscribe(company, by(customer)))),
          "CustomerNotFound",
          JSON.stringify(customer)
        )
      }
    }).pipe(World.inWorld())
  )

  it.effect("is not found in another company, where its identifiers are free", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const other = yield* World.company()
      const { Customer } = yield* World.subscribe(company, by(Samples.ana))
      const stolen = World.subscribe(other, by({ svcPayId: Customer.svcPayId }))
      assert.strictEqual(refusalOf(yield* Effect.flip(stolen)), "CustomerNotFound")
      assert.strictEqual(
        refusalOf(yield* Effect.flip(World.subscribe(other, by({ document: Samples.cpf })))),
        "CustomerNotFound"
      )
      const theirs = yield* World.subscribe(other, by(Samples.ana))
      assert.notStrictEqual(theirs.Customer.svcPayId, Customer.svcPayId)
    }).pipe(World.inWorld())
  )

  it.effect("is created once by concurrent subscriptions for the same new customer", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const created = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, index) => `sub ${index}`),
        (myId) => World.subscribe(company, by(Samples.ana, myId)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(created.map(({ Customer }) => Customer.svcPayId)).size, 1)
      assert.strictEqual(yield* Rows.count("customers"), 1)
    }).pipe(World.inWorld())
  )
})

describe("the card of a new subscription", () => {
  const byCard = (Card: object, myId: string, Customer: object = { myId: "ana" }) => ({
    myId,
    mainPaymentMethodId: "creditcard",
    Customer,
    PaymentMethodCreditCard: { Card }
  })
  const cardIn = (subscription: View<Subscription>) =>
    subscription.PaymentMethodCreditCard?.Card as { svcPayId: number; number: string; myId?: string }

  it.effect("is reused by svcPayId and by myId, without a second vault entry", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { Card } = Samples.card(Samples.cards.captured, { myId: "visa" })
      const first = cardIn(yield* World.subscribe(company, byCard(Card, "first", Samples.ana)))
      assert.match(first.number, /^4111\d{0,2}\*+1111$/)
      const bySvcPayId = yield* World.subscribe(company, byCard({ svcPayId: first.svcPayId }, "second"))
      const byMyId = yield* World.subscribe(company, byCard({ myId: "visa" }, "third"))
      assert.deepStrictEqual(cardIn(bySvcPayId), first)
      assert.deepStrictEqual(cardIn(byMyId), first)
      assert.strictEqual((yield* World.vault).cards, 1)
      yield* World.pay(company, "p", {}, "third")
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("is refused as unknown when it belongs to another customer or company", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { Card } = Samples.card(Samples.cards.captured, { myId: "visa" })
      const anas = cardIn(yield* World.subscribe(company, byCard(Card, "first", Samples.ana)))
      const bia = { myId: "bia", name: "Bia Reis", document: Samples.otherCpf, emails: ["bia@example.com"] }
      for (const card of [{ svcPayId: anas.svcPayId }, { myId: "visa" }]) {
        const error = yield* Effect.flip(World.subscribe(company, byCard(card, "second", bia)))
        assert.strictEqual(refusalOf(error), "CardNotFound")
      }
      const other = yield* World.company()
      const error = yield* Effect.flip(World.subscribe(other, byCard({ svcPayId: anas.svcPayId }, "s", Samples.ana)))
      assert.strictEqual(refusalOf(error), "CardNotFound")
      assert.strictEqual(yield* Rows.count("customers"), 1)
    }).pipe(World.inWorld())
  )

  it.effect("is refused with a taken myId, an unknown brand or a past expiry", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { Card } = Samples.card(Samples.cards.captured, { myId: "visa" })
      yield* World.subscribe(company, byCard(Card, "first", Samples.ana))
      const errors = yield* Effect.forEach(
        [
          { ...Card, number: Samples.cards.denied },
          { ...Card, myId: "old", expiresAt: "2026-08" },
          { ...Card, myId: "unknown", number: "9999999999999995" }
        ],
        (card) => Effect.flip(World.subscribe(company, byCard(card, "second")))
      )
      assert.deepStrictEqual(errors.map(refusalOf), ["MyIdTaken", "CardExpired", "CardBrandUnknown"])
      // It expires at the end of its month.
      yield* World.subscribe(company, byCard({ ...Card, myId: "last month", expiresAt: "2026-09" }, "second"))
    }).pipe(World.inWorld())
  )

  it.effect("is the customer's existing card when it is sent again with the same, another or no myId", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const { Card: unnamed } = Samples.card("4716258050958645")
      const Card = { ...unnamed, myId: "main" }
      const first = yield* World.subscribe(company, byCard(Card, "first", Samples.ana))
      for (const [index, card] of [Card, unnamed, { ...Card, myId: "second" }].entries()) {
        const again = yield* World.subscribe(company, byCard(card, `again ${index}`))
        assert.deepStrictEqual(again.PaymentMethodCreditCard, first.PaymentMethodCreditCard)
      }
      yield* World.pay(company, "p", { PaymentMethodCreditCard: { Card: unnamed } }, "first")
      assert.strictEqual(yield* Rows.count("cards"), 1)
      assert.strictEqual((yield* World.vault).cards, 1)
      assert.deepStrictEqual(
        (yield* Rows.journal).filter((event) => event.startsWith("Card")),
        ["CardAdded"]
      )
      const renewed = yield* World.subscribe(company, byCard({ ...unnamed, expiresAt: "2034-02" }, "renewed"))
      assert.strictEqual(renewed.PaymentMethodCreditCard?.Card?.expiresAt, "2034-02")
      assert.strictEqual(yield* Rows.count("cards"), 1)
      // Another customer's card is another card, with the same key in the vault.
      const bia = { myId: "bia", name: "Bia Reis", document: Samples.otherCpf, emails: ["bia@example.com"] }
      yield* World.subscribe(company, byCard(unnamed, "of bia", bia))
      assert.strictEqual(yield* Rows.count("cards"), 2)
      assert.strictEqual((yield* World.vault).cards, 1)
    }).pipe(World.inWorld())
  )

  it.effect("creates nothing when the operator does not store it in time, and the request may be repeated", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("tokenize", World.RequestLost(), World.ResponseLost())
      const subscribe = World.subscribeByCard(company, Samples.cards.captured)
      assert.strictEqual((yield* Effect.flip(subscribe))._tag, "ProviderError")
      assert.strictEqual((yield* Effect.flip(subscribe))._tag, "ProviderError")
      assert.strictEqual(yield* Rows.count("customers"), 0)
      assert.strictEqual((yield* subscribe).myId, "sub")
    }).pipe(World.inWorld())
  )

  it.effect("is awaited for at most the attempt timeout", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("tokenize", World.Slow({ delay: World.minutes(60) }))
      const fiber = yield* Effect.forkChild(Effect.flip(World.subscribeByCard(company, Samples.cards.captured)))
      yield* World.passTime("20 seconds")
      assert.strictEqual(fiber.pollUnsafe()?._tag, "Success")
    }).pipe(World.inWorld())
  )
})

describe("a new subscription", () => {
  it.effect("is created once by concurrent requests with one myId, and the others are refused", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const results = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () => Effect.result(World.subscribe(company, by(Samples.ana))),
        { concurrency: "unbounded" }
      )
      const failures = results.flatMap((result) => (result._tag === "Failure" ? [refusalOf(result.failure)] : []))
      assert.deepStrictEqual(
        failures,
        Array.from({ length: 9 }, () => "MyIdTaken")
      )
      assert.strictEqual(yield* Rows.count("subscriptions"), 1)
    }).pipe(World.inWorld())
  )

  it.effect("is rolled back when one of its writes fails", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const tables = ["customers", "cards", "subscriptions", "journal"]
      for (const table of tables) {
        const subscribed = World.subscribeByCard(company, Samples.cards.captured)
        const error = yield* Effect.flip(subscribed).pipe(FullDisk.whileFull(table))
        assert.strictEqual(error._tag, "StoreError")
        assert.deepStrictEqual(yield* Effect.forEach(tables, Rows.count), [0, 0, 0, 0], table)
      }
      // No number is given again, though what it was given for is undone.
      const { svcPayId } = yield* World.subscribeByCard(company, Samples.cards.captured)
      assert.strictEqual(svcPayId, tables.length + 1)
    }).pipe(World.inWorld())
  )

  it.effect("creates no transaction, and is listed only for its own company", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const other = yield* World.company()
      const listings = yield* Listings
      const created = yield* World.subscribe(company, by(Samples.ana))
      assert.deepStrictEqual(created.Transactions, [])
      const page = { startAt: 0, limit: 10, order: [] }
      assert.deepStrictEqual(yield* listings.subscriptions(company, {}, page), [created])
      assert.deepStrictEqual(yield* listings.subscriptions(other, {}, page), [])
      assert.deepStrictEqual(yield* listings.transactions(other, {}, page), [])
      assert.strictEqual(
        refusalOf(yield* Effect.flip(listings.subscription(other, World.ref("sub")))),
        "SubscriptionNotFound"
      )
    }).pipe(World.inWorld())
  )
})
