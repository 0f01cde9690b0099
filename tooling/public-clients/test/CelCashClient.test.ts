/**
 * `@cel_cash/client`, unmodified but for its base URL, against a sandbox named galaxPay. It validates what it sends, and
 * throws what it does not understand of a response.
 */
import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect } from "effect"
import {
  type Answer,
  type Body,
  bodyOf,
  buyer,
  card,
  captured,
  connect,
  deniedOnce,
  page,
  plan,
  today,
  uuid
} from "./fixtures/CelCash.ts"

layer(SandboxServer.layer({ naming: galaxPay }), { excludeTestServices: true })("@cel_cash/client", (it) => {
  it.effect("registers a buyer, edits and lists it, and puts it away", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const Customer = buyer()
      const params = { customerId: Customer.myId, typeId: "myId" as const }
      const created = yield* bodyOf(() => client.customers.create({ body: Customer }))
      assert.deepInclude(created, { type: true })
      const edited = yield* bodyOf(() => client.customers.update({ params, body: { name: "Ana Souza" } }))
      assert.strictEqual(edited.Customer?.name, "Ana Souza")
      const listed = yield* bodyOf(() => client.customers.list({ query: page }))
      assert.strictEqual(listed.totalQtdFoundInPage, 1)
      const deleted = yield* bodyOf(() => client.customers.delete({ params }))
      assert.strictEqual(deleted.type, true)
    })
  )

  it.effect("makes a plan, edits and lists it, and puts it away", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const body = plan()
      const params = { planId: body.myId, typeId: "myId" as const }
      yield* bodyOf(() => client.plans.create({ body }))
      const edited = yield* bodyOf(() => client.plans.update({ params, body: { name: "Silver" } }))
      assert.strictEqual(edited.Plan?.name, "Silver")
      const listed = yield* bodyOf(() =>
        client.plans.list({ query: { ...page, status: "active", order: "createdAt.desc" } })
      )
      assert.strictEqual(listed.totalQtdFoundInPage, 1)
      assert.strictEqual((yield* bodyOf(() => client.plans.delete({ params }))).type, true)
    })
  )

  it.effect("subscribes a buyer whose first payment is charged at once, and cancels", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const myId = uuid()
      const created = yield* bodyOf(() =>
        client.subscriptions.create.withoutPlan({
          body: {
            myId,
            value: 1990,
            quantity: 0,
            periodicity: "monthly",
            firstPayDayDate: today(),
            mainPaymentMethodId: "creditcard",
            Customer: buyer(),
            PaymentMethodCreditCard: { Card: card(captured) }
          }
        })
      )
      // Clients of the family read the first payment unguarded.
      assert.strictEqual(created.Subscription?.Transactions[0]?.status, "captured")
      const params = { subscriptionId: myId, typeId: "myId" as const }
      assert.strictEqual((yield* bodyOf(() => client.subscriptions.cancel({ params }))).type, true)
    })
  )

  it.effect(
    "adds a payment that is denied, tries it again, finds it with what it reads of a payment, and gives it back",
    () =>
      Effect.gen(function* () {
        const client = yield* connect
        const [subscription, payment] = [uuid(), uuid()]
        yield* bodyOf(() =>
          client.subscriptions.create.manual({
            body: {
              myId: subscription,
              mainPaymentMethodId: "creditcard",
              Customer: buyer(),
              PaymentMethodCreditCard: { Card: card(captured) }
            }
          })
        )
        const added = yield* bodyOf(() =>
          client.transactions.create({
            params: { subscriptionId: subscription, typeId: "myId" },
            body: {
              myId: payment,
              value: 1990,
              payday: today(),
              payedOutsideGalaxPay: false,
              PaymentMethodCreditCard: { Card: card(deniedOnce) },
              InvoiceConfig: { description: "Course", type: "onePerTransaction", createOn: "payment" }
            }
          })
        )
        assert.deepInclude(added.Transaction, { status: "denied", statusDescription: "Negada na operadora de cartão" })
        const params = { transactionId: payment, typeId: "myId" as const }
        const tried = yield* bodyOf(() => client.transactions.retry({ params }))
        assert.strictEqual(tried.Transaction?.status, "captured")
        const listed = yield* bodyOf(() => client.transactions.list({ query: page }))
        const found = listed.Transactions?.[0]
        assert.deepInclude(found, { myId: payment, paydayDate: today(), ConciliationOccurrences: [] })
        assert.isNull(found?.Subscription?.paymentLink)
        const returned = yield* bodyOf(() => client.transactions.reverse({ params, body: { valueToReverse: 1990 } }))
        assert.strictEqual(returned.Transaction?.status, "reversed")
      })
  )

  // What the client does by itself, whatever the service is.
  it.effect("has faults of its own: it refuses what the family takes before it asks", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const params = { subscriptionId: uuid(), typeId: "myId" as const }
      // Its types say so too.
      const refused = yield* Effect.promise<ReadonlyArray<Answer>>(() =>
        Promise.all([
          client.subscriptions.update.payment({ params, body: { value: 2990 } as never }),
          client.charges.update({ params: { chargeId: uuid(), typeId: "myId" }, body: { value: 2990 } as never }),
          client.charges.list({ query: { ...page, status: "canceled" as never } }),
          client.transactions.list({ query: { ...page, status: "notSend" as never } }),
          client.plans.create({ body: { ...plan(), PlanPrices: [{ payment: "pix" as never, value: 1990 }] } })
        ])
      )
      assert.deepStrictEqual(
        refused.map(({ body, status }) => [status, (body as Body).issues?.[0]?.path.join(".")]),
        [
          [507, "mainPaymentMethodId"],
          [507, "mainPaymentMethodId"],
          [507, "status"],
          [507, "status"],
          [507, "PlanPrices.0.payment"]
        ]
      )
    })
  )

  it.effect("is told the right name of a filter that it calls by another", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const from = "2026-01-01"
      const refused = yield* Effect.promise<ReadonlyArray<Answer>>(() =>
        Promise.all([
          client.customers.list({ query: { ...page, createdOrUpdatedFrom: from } }),
          client.plans.list({ query: { ...page, createdAtOrUpdatedAtFrom: from } }),
          client.subscriptions.list({ query: { ...page, createdAtOrUpdatedAtFrom: from } })
        ])
      )
      for (const { body, status } of refused) {
        assert.strictEqual(status, 400)
        assert.include(JSON.stringify(body), "você quis dizer createdOrUpdatedAtFrom")
      }
    })
  )

  it.effect("has the operations of the contract that the README counts", () =>
    Effect.gen(function* () {
      const { cards, charges, customers, plans, subscriptions, transactions } = yield* connect
      assert.deepStrictEqual(operationsOf({ cards, charges, customers, plans, subscriptions, transactions }), [
        ...["list", "create", "delete"].map((name) => `cards.${name}`),
        ...["list", "create", "update", "retry", "reverse", "capture", "cancel"].map((name) => `charges.${name}`),
        ...["list", "create", "update", "delete"].map((name) => `customers.${name}`),
        ...["list", "create", "update", "delete"].map((name) => `plans.${name}`),
        ...["list", "create.withPlan", "create.withoutPlan", "create.manual"].map((name) => `subscriptions.${name}`),
        ...["update.info", "update.payment", "cancel"].map((name) => `subscriptions.${name}`),
        ...["list", "create", "update", "retry", "reverse", "capture", "cancel"].map((name) => `transactions.${name}`)
      ])
    })
  )
})

const operationsOf = (client: object): ReadonlyArray<string> =>
  Object.entries(client).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null ? operationsOf(value).map((inner) => `${name}.${inner}`) : [name]
  )
