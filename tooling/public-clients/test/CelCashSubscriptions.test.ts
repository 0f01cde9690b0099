/** Subscriptions to a plan, their payments, and lists read to their end, as `@cel_cash/client` asks for them. */
import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect } from "effect"
import { bodyOf, buyer, captured, card, connect, nextWeek, page, plan, today, uuid } from "./fixtures/CelCash.ts"

const manual = () => ({
  myId: uuid(),
  mainPaymentMethodId: "creditcard" as const,
  Customer: buyer(),
  PaymentMethodCreditCard: { Card: card(captured) }
})

/** Its `InvoiceConfig` is one that it asks for, and its card another than that of the subscription. */
const payment = () => ({
  myId: uuid(),
  value: 1990,
  payday: today(),
  PaymentMethodCreditCard: { Card: card("5555555555554444"), preAuthorize: true },
  InvoiceConfig: { description: "Course", type: "onePerTransaction" as const, createOn: "payment" as const }
})

layer(SandboxServer.layer({ naming: galaxPay }), { excludeTestServices: true })("@cel_cash/client", (it) => {
  it.effect("subscribes a buyer to a plan, edits what it says and how it is paid, and cancels", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const gold = plan()
      yield* bodyOf(() => client.plans.create({ body: gold }))
      const myId = uuid()
      const params = { subscriptionId: myId, typeId: "myId" as const }
      const created = yield* bodyOf(() =>
        client.subscriptions.create.withPlan({
          body: { ...manual(), myId, planMyId: gold.myId, firstPayDayDate: today() }
        })
      )
      assert.deepInclude(created.Subscription, { value: 1990, status: "active", planMyId: gold.myId })
      assert.strictEqual(created.Subscription?.Transactions[0]?.status, "captured")

      const info = yield* bodyOf(() =>
        client.subscriptions.update.info({ params, body: { additionalInfo: "a member" } })
      )
      assert.strictEqual(info.Subscription?.additionalInfo, "a member")
      const paid = yield* bodyOf(() =>
        client.subscriptions.update.payment({
          params,
          body: {
            value: 2990,
            mainPaymentMethodId: "creditcard",
            PaymentMethodCreditCard: { Card: card("5555555555554444") }
          }
        })
      )
      assert.deepInclude(paid.Subscription, { value: 2990, additionalInfo: "a member" })

      yield* bodyOf(() => client.subscriptions.cancel({ params }))
      const listed = yield* bodyOf(() => client.subscriptions.list({ query: { ...page, planMyIds: [gold.myId] } }))
      assert.deepInclude(listed.Subscriptions?.[0], { myId, status: "canceled" })
    })
  )

  it.effect("authorizes a payment first and captures it, edits another that is not due, and cancels that", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const subscription = manual()
      yield* bodyOf(() => client.subscriptions.create.manual({ body: subscription }))
      const params = { subscriptionId: subscription.myId, typeId: "myId" as const }
      const [first, later] = [payment(), { ...payment(), payday: nextWeek() }]
      const authorized = yield* bodyOf(() => client.transactions.create({ params, body: first }))
      assert.strictEqual(authorized.Transaction?.status, "authorized")
      const sent = yield* bodyOf(() =>
        client.transactions.capture({ params: { transactionId: first.myId, typeId: "myId" } })
      )
      assert.strictEqual(sent.Transaction?.status, "captured")

      yield* bodyOf(() => client.transactions.create({ params, body: later }))
      // Its name of the transaction in the path is `subscriptionId`, and it asks for `myId`.
      const edited = yield* bodyOf(() =>
        client.transactions.update({
          params: { subscriptionId: later.myId, typeId: "myId" },
          body: { myId: later.myId, value: 2990 }
        })
      )
      assert.deepInclude(edited.Transaction, { myId: later.myId, value: 2990 })
      yield* bodyOf(() => client.transactions.cancel({ params: { transactionId: later.myId, typeId: "myId" } }))
      const listed = yield* bodyOf(() => client.transactions.list({ query: { ...page, myIds: [later.myId] } }))
      assert.strictEqual(listed.Transactions?.[0]?.status, "cancel")
    })
  )

  it.effect("imports the payments of a buyer to the end of the list, page by page", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const Customer = buyer()
      yield* bodyOf(() => client.customers.create({ body: Customer }))
      const orders = Array.from({ length: 5 }, uuid)
      yield* Effect.forEach(orders, (myId) =>
        bodyOf(() =>
          client.charges.create({
            body: {
              myId,
              value: 1990,
              payday: nextWeek(),
              mainPaymentMethodId: "boleto",
              Customer: { myId: Customer.myId },
              PaymentMethodBoleto: {}
            }
          })
        )
      )
      const imported: Array<string> = []
      const sizes: Array<number> = []
      const limit = 2
      do {
        const query = { startAt: imported.length, limit, customerMyIds: Customer.myId, order: "createdAt.asc" as const }
        const listed = yield* bodyOf(() => client.transactions.list({ query }))
        sizes.push(listed.totalQtdFoundInPage ?? 0)
        imported.push(...(listed.Transactions ?? []).map(({ chargeMyId }) => chargeMyId ?? ""))
      } while (sizes.at(-1) === limit && imported.length < orders.length)
      assert.deepStrictEqual(imported, orders)
      assert.deepStrictEqual(sizes, [2, 2, 1])
    })
  )
})
