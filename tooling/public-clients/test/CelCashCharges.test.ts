/** Orders paid by charges, and the cards of buyers, as `@cel_cash/client` asks for them. */
import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect } from "effect"
import { bodyOf, buyer, captured, card, connect, deniedOnce, nextWeek, page, today, uuid } from "./fixtures/CelCash.ts"

const byCard = (number: string) => ({
  myId: uuid(),
  value: 1990,
  payday: today(),
  mainPaymentMethodId: "creditcard" as const,
  Customer: buyer(),
  PaymentMethodCreditCard: { Card: card(number) }
})

const paramsOf = (chargeId: string) => ({ chargeId, typeId: "myId" as const })

layer(SandboxServer.layer({ naming: galaxPay }), { excludeTestServices: true })("@cel_cash/client", (it) => {
  it.effect("has an order paid by a charge that is denied at first, finds it, and gives it back", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const order = byCard(deniedOnce)
      const params = paramsOf(order.myId)
      const created = yield* bodyOf(() => client.charges.create({ body: order }))
      assert.strictEqual(created.Charge?.Transactions[0]?.status, "denied")
      const tried = yield* bodyOf(() => client.charges.retry({ params }))
      assert.strictEqual(tried.Charge?.Transactions[0]?.status, "captured")
      const listed = yield* bodyOf(() => client.charges.list({ query: { ...page, myIds: [order.myId] } }))
      assert.strictEqual(listed.Charges?.[0]?.Transactions[0]?.status, "captured")
      const part = yield* bodyOf(() => client.charges.reverse({ params, body: { valueToReverse: 990 } }))
      assert.strictEqual(part.Charge?.Transactions[0]?.status, "captured")
      const rest = yield* bodyOf(() => client.charges.reverse({ params, body: {} }))
      assert.strictEqual(rest.Charge?.Transactions[0]?.status, "reversed")
    })
  )

  it.effect("authorizes an order first, and captures it when it is sent", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const order = { ...byCard(captured), PaymentMethodCreditCard: { Card: card(captured), preAuthorize: true } }
      const created = yield* bodyOf(() => client.charges.create({ body: order }))
      assert.strictEqual(created.Charge?.Transactions[0]?.status, "authorized")
      const sent = yield* bodyOf(() => client.charges.capture({ params: paramsOf(order.myId) }))
      assert.strictEqual(sent.Charge?.Transactions[0]?.status, "captured")
    })
  )

  it.effect("edits an order that is not due, and cancels it", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const { PaymentMethodCreditCard: _, ...order } = byCard(captured)
      const params = paramsOf(order.myId)
      yield* bodyOf(() =>
        client.charges.create({
          body: { ...order, payday: nextWeek(), mainPaymentMethodId: "pix", PaymentMethodPix: {} }
        })
      )
      yield* bodyOf(() => client.charges.cancel({ params }))
      const listed = yield* bodyOf(() => client.charges.list({ query: { ...page, myIds: [order.myId] } }))
      assert.deepInclude(listed.Charges?.[0], { myId: order.myId, status: "canceled" })

      const later = byCard(captured)
      yield* bodyOf(() => client.charges.create({ body: { ...later, payday: nextWeek() } }))
      const edited = yield* bodyOf(() =>
        client.charges.update({
          params: paramsOf(later.myId),
          body: { mainPaymentMethodId: "creditcard", value: 2990, additionalInfo: "with a gift" }
        })
      )
      assert.deepInclude(edited.Charge, { value: 2990, additionalInfo: "with a gift" })
      assert.strictEqual(edited.Charge?.Transactions[0]?.value, 2990)
    })
  )

  it.effect("charges the kept card of a buyer who returns, and replaces the card", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const Customer = buyer()
      const { Customer: known } = yield* bodyOf(() => client.customers.create({ body: Customer }))
      const params = { customerId: Customer.myId, typeId: "myId" as const }
      const { Card: kept } = yield* bodyOf(() => client.cards.create({ params, body: card(captured) }))
      const order = {
        ...byCard(captured),
        Customer: { galaxPayId: known!.galaxPayId },
        PaymentMethodCreditCard: { Card: { galaxPayId: kept!.galaxPayId } }
      }
      const paid = yield* bodyOf(() => client.charges.create({ body: order }))
      assert.strictEqual(paid.Charge?.Transactions[0]?.status, "captured")
      assert.strictEqual(paid.Charge?.Transactions[0]?.CreditCard?.Card.myId, kept!.myId)

      const { Card: other } = yield* bodyOf(() => client.cards.create({ params, body: card("5555555555554444") }))
      yield* bodyOf(() => client.cards.delete({ params: { cardId: kept!.galaxPayId, typeId: "galaxPayId" } }))
      const listed = yield* bodyOf(() =>
        client.cards.list({ query: { ...page, customerMyIds: [Customer.myId], status: ["active"] } })
      )
      assert.deepStrictEqual(
        listed.Cards?.map(({ myId }) => myId),
        [other!.myId]
      )
    })
  )
})
