import { assert, describe, it } from "@effect/vitest"
import { SubscriptionOfEvent } from "@parcela/core/Subscription"
import { Transaction } from "@parcela/core/Transaction"
import { Listings } from "@parcela/engine/Listings"
import { Effect, Schema } from "effect"
import * as World from "./fixtures/World.ts"

const Payload = Schema.Struct({ Transaction, Subscription: SubscriptionOfEvent })

const eventsOf = Effect.map(World.deliveries, (all) =>
  all.map(({ event, payload }) => `${event} ${payload.Transaction.status}`)
)

describe("Recorder", () => {
  it.effect("writes a delivery for each event that is switched on, in order, with the state of that moment", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      yield* World.subscribeByCard(company, World.cards.deniedAtFirst)
      yield* World.pay(company, "p")
      yield* World.retry(company, "p")
      assert.deepStrictEqual(yield* eventsOf, [
        "subscription.addTransaction notSend",
        "transaction.updateStatus denied",
        "transaction.updateStatus captured"
      ])
    }).pipe(World.inWorld())
  )

  it.effect("writes none for events that are off, nor for companies without webhooks", () =>
    Effect.gen(function* () {
      const silent = yield* World.company()
      yield* World.subscribeByCard(silent, World.cards.captured)
      yield* World.pay(silent, "p")
      const picky = yield* World.company()
      yield* World.listen(picky, ["transaction.updateStatus", "company.cashOut"])
      yield* World.subscribeByCard(picky, World.cards.captured)
      yield* World.pay(picky, "p")
      yield* World.listen(picky, [])
      yield* World.pay(picky, "q")
      assert.deepStrictEqual(yield* eventsOf, ["transaction.updateStatus captured"])
    }).pipe(World.inWorld())
  )

  it.effect("announces a boleto and a Pix once they have their codes", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      for (const method of ["boleto", "pix"] as const) {
        yield* World.subscribeBy(company, method, method)
        yield* World.pay(company, method, {}, method)
      }
      const announced = yield* Effect.forEach(yield* World.deliveries, ({ payload }) =>
        Schema.decodeUnknownEffect(Payload)(payload)
      )
      assert.match(announced[0]?.Transaction.Boleto?.bankLine ?? "", /^\d{5}/)
      assert.match(announced[1]?.Transaction.Pix?.qrCode ?? "", /^0002/)
    }).pipe(World.inWorld())
  )

  it.effect("writes payloads that are exactly the entities of the interface, as the lists show them", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const listings = yield* Listings
      yield* World.listen(company)
      yield* World.subscribeByCard(company, World.cards.deniedAtFirst)
      yield* World.pay(company, "p", { additionalInfo: "maçã 🍎" })
      const decode = Schema.decodeUnknownEffect(Payload, { onExcessProperty: "error", errors: "all" })
      const payloads = yield* Effect.forEach(yield* World.deliveries, ({ payload }) => decode(payload))
      const [listed] = yield* listings.transactions(company, {}, { startAt: 0, limit: 10, order: [] })
      const subscription = yield* listings.subscription(company, World.ref("sub"))
      const { Transactions: _, ...ofEvent } = subscription
      assert.deepStrictEqual(payloads.at(-1), { Transaction: listed!, Subscription: ofEvent })
    }).pipe(World.inWorld())
  )

  it.effect("keeps in the journal what was decided, in order", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      yield* World.subscribeByCard(company, World.cards.denied)
      yield* World.pay(company, "p")
      yield* World.retry(company, "p")
      assert.deepStrictEqual(yield* World.journal, [
        "WebhooksEdited",
        "CustomerCreated",
        "CardKept",
        "SubscriptionCreated",
        "TransactionAdded",
        "TransactionSent",
        "OperatorAnswered",
        "TransactionStatusChanged",
        "TransactionSent",
        "OperatorAnswered"
      ])
    }).pipe(World.inWorld())
  )
})
