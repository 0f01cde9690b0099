/** `@cel_cash/nestjs`, as its authors published it, in an application of Nest: the calls of `@cel_cash/client`, with a token that it keeps. */
import "reflect-metadata"
import { CelCashModule, CelCashService } from "@cel_cash/nestjs"
import { assert, layer } from "@effect/vitest"
import { NestFactory } from "@nestjs/core"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect, Redacted } from "effect"
import { vi } from "vitest"
import { bodyOf, buyer, card, deniedOnce, page, plan, today, uuid } from "./fixtures/CelCash.ts"

/** It takes a number for an account, as those of the family are. */
const connect = Effect.fnUntraced(function* (id: number) {
  const { baseUrl, clientSecret } = yield* SandboxServer.companyOf({ clientId: String(id) })
  // It writes each request to the console.
  vi.spyOn(console, "debug").mockImplementation(() => {})
  const celCashServiceOptions = { base_url: baseUrl, id, hash: Redacted.value(clientSecret) }
  const application = yield* Effect.acquireRelease(
    Effect.promise(() =>
      NestFactory.createApplicationContext(CelCashModule.forRoot({ isGlobal: true, celCashServiceOptions }), {
        logger: false
      })
    ),
    (application) => Effect.promise(() => application.close())
  )
  return application.get(CelCashService)
})

layer(SandboxServer.layer({ naming: galaxPay }), { excludeTestServices: true })("@cel_cash/nestjs", (it) => {
  it.effect("has an order paid that is denied at first, and finds it, with one token", () =>
    Effect.gen(function* () {
      const service = yield* connect(5473)
      const fetched = vi.spyOn(globalThis, "fetch")
      const order = {
        myId: uuid(),
        value: 1990,
        payday: today(),
        mainPaymentMethodId: "creditcard" as const,
        Customer: buyer(),
        PaymentMethodCreditCard: { Card: card(deniedOnce) }
      }
      const created = yield* bodyOf(() => service.charges.create({ body: order }))
      assert.strictEqual(created.Charge?.Transactions[0]?.status, "denied")
      const params = { chargeId: order.myId, typeId: "myId" as const }
      yield* bodyOf(() => service.charges.retry({ params }))
      const listed = yield* bodyOf(() => service.transactions.list({ query: { ...page, chargeMyIds: [order.myId] } }))
      assert.strictEqual(listed.Transactions?.[0]?.status, "captured")
      const tokens = fetched.mock.calls.filter(([url]) => String(url).endsWith("/token"))
      fetched.mockRestore()
      assert.lengthOf(tokens, 1)
    })
  )

  it.effect("subscribes a buyer to a plan, and cancels", () =>
    Effect.gen(function* () {
      const service = yield* connect(29009)
      const gold = plan()
      yield* bodyOf(() => service.plans.create({ body: gold }))
      const myId = uuid()
      const created = yield* bodyOf(() =>
        service.subscriptions.create.withPlan({
          body: {
            myId,
            planMyId: gold.myId,
            firstPayDayDate: today(),
            mainPaymentMethodId: "creditcard",
            Customer: buyer(),
            PaymentMethodCreditCard: { Card: card("4111111111111111") }
          }
        })
      )
      assert.strictEqual(created.Subscription?.Transactions[0]?.status, "captured")
      yield* bodyOf(() => service.subscriptions.cancel({ params: { subscriptionId: myId, typeId: "myId" } }))
      const listed = yield* bodyOf(() => service.subscriptions.list({ query: { ...page, planMyIds: [gold.myId] } }))
      assert.deepInclude(listed.Subscriptions?.[0], { myId, status: "canceled" })
    })
  )
})
