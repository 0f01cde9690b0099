/**
 * `@cel_cash/client`, unmodified but for its base address, against a sandbox named galaxPay. It validates what it sends, and
 * throws what it does not understand of a response.
 */
import { initCelCashClient } from "@cel_cash/client"
import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect, Redacted } from "effect"
import { vi } from "vitest"

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What these tests read of bodies. */
interface Body {
  readonly type?: boolean
  readonly totalQtdFoundInPage?: number
  readonly Customer?: { readonly galaxPayId: number; readonly name: string }
  readonly Plan?: { readonly galaxPayId: number; readonly name: string }
  readonly Subscription?: {
    readonly myId: string
    readonly status: string
    readonly Transactions: ReadonlyArray<Payment>
  }
  readonly Transaction?: Payment
  readonly Transactions?: ReadonlyArray<Payment>
  readonly issues?: ReadonlyArray<{ readonly path: ReadonlyArray<string> }>
}

interface Payment {
  readonly myId: string
  readonly status: string
  readonly statusDescription: string
  readonly additionalInfo: string | null
  readonly paydayDate?: string | null
  readonly ConciliationOccurrences: ReadonlyArray<unknown>
  readonly Subscription?: { readonly paymentLink: null }
}

const connect = Effect.gen(function* () {
  const { baseUrl, clientId, clientSecret } = yield* SandboxServer.companyOf()
  // It writes each request to the console.
  vi.spyOn(console, "debug").mockImplementation(() => {})
  return initCelCashClient({ BASE_URL: baseUrl, ID: clientId, HASH: Redacted.value(clientSecret) })
})

/** Its own types say what it takes and not what comes back. */
const bodyOf = (call: () => Promise<Answer>) =>
  Effect.map(Effect.promise(call), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Body
  })

const uuid = () => crypto.randomUUID()

const card = (number: string) => ({ myId: uuid(), number, holder: "ANA LIMA", expiresAt: "2030-12", cvv: "363" })
const [captured, deniedOnce] = ["4111111111111111", "4000000000000341"]

const buyer = () => ({
  myId: uuid(),
  name: "Ana Lima",
  document: "11144477735",
  emails: ["ana@example.com"],
  phones: [11987654321],
  Address: {
    zipCode: "01310100",
    street: "Avenida Paulista",
    number: "1578",
    neighborhood: "Bela Vista",
    city: "São Paulo",
    state: "SP"
  }
})

const plan = () => ({
  myId: uuid(),
  name: "Gold",
  periodicity: "monthly" as const,
  quantity: 12,
  additionalInfo: "a note",
  PlanPrices: [{ payment: "creditcard" as const, value: 1990 }]
})

const today = () => new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format(new Date())
const page = { limit: 10, startAt: 0 }

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
  it.effect("has faults of its own: it refuses a new price without a payment method before it asks", () =>
    Effect.gen(function* () {
      const client = yield* connect
      const refused = yield* Effect.promise<Answer>(() =>
        client.subscriptions.update.payment({
          params: { subscriptionId: uuid(), typeId: "myId" },
          // Its type asks for the method too, which the family does not.
          body: { value: 2990 } as never
        })
      )
      assert.strictEqual(refused.status, 507)
      assert.deepStrictEqual((refused.body as Body).issues?.[0]?.path, ["mainPaymentMethodId"])
    })
  )
})
