import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import {
  type CommonEventType,
  connectSandbox,
  type DeliveryFilter,
  type Fixtures,
  type NewCompany,
  type NewFault,
  type PaymentOrder,
  type Sandbox,
  startSandbox
} from "../src/index.ts"
import type { Controls } from "../src/internal/controls.ts"
import { owe, rejection, send, subscribe } from "./fixtures/Shop.ts"

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

type Input<Control extends (...args: never) => unknown, Position extends number> = keyof NonNullable<
  Parameters<Control>[Position]
>

/** A name of the kit that the journal or a control does not have is an error here. */
const known: {
  readonly events: ReadonlyArray<BillingEvent["_tag"]>
  readonly payment: ReadonlyArray<Input<Controls["payments"]["pay"], 1>>
  readonly fault: ReadonlyArray<Input<Controls["faults"]["plan"], 0>>
  readonly deliveries: ReadonlyArray<Input<Controls["deliveries"]["list"], 1>>
  readonly fixtures: ReadonlyArray<Input<Controls["fixtures"]["apply"], 1>>
  readonly company: ReadonlyArray<Input<Controls["companies"]["create"], 0>>
} = {
  events: [] as ReadonlyArray<CommonEventType>,
  payment: [] as ReadonlyArray<keyof PaymentOrder>,
  fault: [] as ReadonlyArray<keyof NewFault>,
  deliveries: [] as ReadonlyArray<keyof DeliveryFilter>,
  fixtures: [] as ReadonlyArray<keyof Fixtures>,
  company: [] as ReadonlyArray<keyof NewCompany>
}

const isTo = (status: string) => ({
  where: ({ data }: { readonly data: object }) => "to" in data && data.to === status
})

describe("startSandbox", () => {
  it("accepts requests once it resolves, and has a default company", async () => {
    assert.strictEqual(sandbox.clientId, "sandbox")
    assert.strictEqual(sandbox.pid, process.pid)
    assert.strictEqual(sandbox.baseUrl, `${sandbox.url}/v2`)
    assert.match(await sandbox.token(), /./u)
    assert.match(await sandbox.today(), /^\d{4}-\d\d-\d\d$/u)
    assert.isEmpty(Object.values(known).flat())
  })

  it("creates a company that shares nothing with others", async () => {
    const [one, other] = await Promise.all([sandbox.company(), sandbox.company({ clientId: "other", name: "Other" })])
    await owe(one, "pix", "payment-1")
    await owe(other, "pix", "payment-1")
    await one.advance({ days: 40 })
    assert.strictEqual(other.clientId, "other")
    assert.notStrictEqual(await one.today(), await other.today())
    await other.pay("payment-1")
    assert.lengthOf(await one.payments(), 0)
    assert.lengthOf(await other.payments(), 1)
    assert.lengthOf(await other.reportedPayments(), 1)
  })

  it("returns tokens with the requested scopes, and refuses scopes that the company lacks", async () => {
    const company = await sandbox.company({ scopes: ["transactions.read"] })
    const listing = async (scope?: string) =>
      fetch(`${company.baseUrl}/customers?startAt=0&limit=1`, {
        headers: { authorization: `Bearer ${await company.token(scope)}` }
      })
    assert.strictEqual((await listing()).status, 403)
    const error = await rejection(company.token("customers.read"))
    assert.deepInclude(error, { code: "refused", status: 403 })
  })

  it("pays a Pix, and waits for the event and the delivery without sleeping", async () => {
    const company = await sandbox.company()
    await using receiver = await company.receiveWebhooks()
    await owe(company, "pix", "payment-1")
    const paid = await company.pay("payment-1")
    assert.strictEqual(paid.status, "payedPix")
    assert.deepInclude(paid.payments[0], { method: "pix", value: 12_990, isAcknowledged: true })
    const changed = await company.nextEvent("TransactionStatusChanged", isTo("payedPix"))
    assert.deepInclude(changed, { subject: { kind: "transaction", id: String(paid.payments[0]?.transactionId) } })
    const webhook = await receiver.next("transaction.updateStatus")
    assert.deepInclude(webhook.body.Transaction, { myId: "payment-1", status: "payedPix", value: 12_990 })
    assert.strictEqual(webhook.body.confirmHash, company.confirmHash)
    assert.deepStrictEqual(JSON.parse(webhook.text), webhook.body)
    await company.allDelivered()
    const [delivery] = await company.deliveries({ state: "delivered", event: "transaction.updateStatus" })
    assert.deepInclude(delivery, { webhookId: webhook.webhookId, endpointId: receiver.endpointId, attempts: 1 })
  })

  it("pays boletos with less, with more and twice, and settles them on the next business day", async () => {
    const company = await sandbox.company()
    for (const myId of ["exact", "less", "more", "twice"]) await owe(company, "boleto", myId)
    const [exact] = (await company.events({ type: "TransactionAdded" })).map(({ subject }) => Number(subject.id))
    await company.pay({ transactionId: exact })
    await company.pay({ myId: "less", value: 12_000 })
    await company.pay({ myId: "more", value: 14_000 })
    assert.lengthOf((await company.pay({ myId: "twice", times: 2 })).payments, 2)
    assert.lengthOf(await company.events({ type: "TransactionSettled" }), 0)
    const { changes } = await company.advance({ days: 10 })
    const reached = changes.filter(({ event }) => event === "TransactionStatusChanged").map(({ to }) => to)
    assert.sameMembers(reached, ["payedBoleto", "lessValueBoleto", "moreValueBoleto", "paidDuplicityBoleto"])
  })

  it("advances by a duration, by calendar months, to a day, and until nothing is due", async () => {
    const company = await sandbox.company()
    await company.advance({ to: "2028-01-31" })
    assert.match((await company.clock()).business, /^2028-01-31T03:00:0/u)
    await subscribe(company, { periodicity: "monthly", quantity: 3, firstPayDayDate: "2028-01-31" })
    await company.advance({ months: 1, hours: 2 })
    assert.match((await company.clock()).business, /^2028-02-29T05:00:0/u)
    const { changes, eventsAfter, reached } = await company.advance({ untilNothingIsDue: true })
    assert.deepInclude(changes, { event: "TransactionStatusChanged", to: "captured", count: 1 })
    assert.match(reached, /^2028-03-31T03:00:0/u)
    const after = await company.events({ after: eventsAfter, type: "OperatorResponded" })
    assert.strictEqual(after.length, 1)
  })

  it("refuses an advance without a target or with two targets before it is sent", async () => {
    const company = await sandbox.company()
    const nothing = await rejection(company.advance({}))
    assert.deepStrictEqual(Object.keys(nothing.details), ["Advance"])
    const both = await rejection(company.advance({ to: "2099-01-01", days: 1 }))
    assert.deepInclude(both, {
      code: "invalid",
      details: { "Advance.to": ["excludes durations: give either a time or a duration"] }
    })
  })

  it("fails a provider for the given number of requests, and returns the provider's records", async () => {
    const company = await sandbox.company()
    await company.fail({ call: "charge", fault: { type: "Denied", code: "51" }, times: 2 })
    await company.fail({ call: "reverse", fault: { type: "Unavailable" } })
    await owe(company, "card", "payment-1")
    await company.nextEvent("TransactionStatusChanged", isTo("denied"))
    const [first] = (await company.providerRequests()).filter(({ call }) => call === "charge")
    assert.deepInclude(first, { outcome: "Denied", code: "51", effect: "none", fault: "Denied", value: 12_990 })
    const planned = await company.faults()
    assert.deepStrictEqual(
      planned.map(({ call, times }) => [call, times]),
      [
        ["charge", 1],
        ["reverse", 1]
      ]
    )
    await company.clearFaults()
    assert.lengthOf(await company.faults(), 0)
  })

  it("returns each event once, and reports the others when the awaited event does not arrive", async () => {
    const company = await sandbox.company()
    await owe(company, "pix", "payment-1")
    await owe(company, "pix", "payment-2")
    const first = await company.nextEvent("TransactionAdded")
    const second = await company.nextEvent("TransactionAdded")
    assert.notStrictEqual(first.subject.id, second.subject.id)
    const error = await rejection(company.nextEvent("TransactionReversed", { timeout: 20 }))
    assert.strictEqual(error.code, "timeout")
    assert.match(error.message, /^No TransactionReversed within 20 ms\. What happened: .*TransactionAdded \(2\)/u)
  })

  it("refuses unsigned deliveries at the receiver, and responds as the test defines", async () => {
    const company = await sandbox.company()
    const receiver = await company.receiveWebhooks({ respond: () => 410 })
    const forged = await fetch(receiver.url, { method: "POST", body: "{}" })
    assert.strictEqual(forged.status, 401)
    const error = await rejection(receiver.next("transaction.updateStatus", { timeout: 20 }))
    assert.match(error.message, /came within 20 ms\. What came: nothing\nRefused: .*webhook-id/u)
    await owe(company, "pix", "payment-1")
    await company.pay("payment-1")
    await receiver.next()
    await company.nextEvent("WebhookEndpointSwitchedOff")
    const pending = await rejection(company.allDelivered({ timeout: 400 }))
    assert.match(pending.message, /still pending:\n[^]* of transaction \d+, 1 attempt, .*410/u)
    await receiver.close()
  })

  it("sends a delivery again with the same number", async () => {
    const company = await sandbox.company()
    const receiver = await company.receiveWebhooks({ events: ["transaction.updateStatus"] })
    await owe(company, "pix", "payment-1")
    await company.pay("payment-1")
    const { webhookId } = await receiver.next()
    await company.allDelivered()
    await company.replay(webhookId)
    assert.strictEqual((await receiver.next()).webhookId, webhookId)
  })

  it("restores a snapshot of a company, and resets the company", async () => {
    const company = await sandbox.company()
    await owe(company, "pix", "payment-1")
    assert.deepInclude(await company.snapshot("owes"), { name: "owes" })
    await company.pay("payment-1")
    await company.nextEvent("TransactionStatusChanged")
    await owe(company, "pix", "payment-2")
    await rejection(company.nextEvent("TransactionReversed", { timeout: 20 }))
    await company.restore("owes")
    assert.lengthOf(await company.events({ type: "TransactionAdded" }), 1)
    // What was read before the restore is not taken for what happens after it.
    await rejection(company.nextEvent("TransactionAdded", { timeout: 20 }))
    assert.strictEqual((await company.pay("payment-1")).status, "payedPix")
    await company.nextEvent("TransactionStatusChanged", isTo("payedPix"))
    await company.reset()
    assert.isEmpty(await company.events())
    assert.strictEqual((await rejection(company.pay("payment-1"))).status, 404)
    assert.lengthOf(await company.snapshots(), 1)
  })

  it("creates the entities of a fixtures file once", async () => {
    const company = await sandbox.company()
    const Customer = { name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }
    const payday = await company.today()
    const charge = { myId: "order-1", value: 12_990, payday, mainPaymentMethodId: "pix", Customer }
    const applied = await company.applyFixtures({ charges: [charge] })
    assert.deepStrictEqual(applied, [{ kind: "charges", name: "order-1", outcome: "created" }])
    await company.nextEvent("TransactionRegistered")
    assert.deepInclude((await company.applyFixtures({ charges: [charge] }))[0], { outcome: "alreadyThere" })
    const invalid = await rejection(company.applyFixtures({ charges: [{ myId: "order-2" }] }))
    assert.strictEqual(invalid.code, "invalid")
  })

  it("accepts fixtures in the naming profile of its service", async () => {
    await using named = await startSandbox({ naming: "galaxPay" })
    const Customer = { name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }
    const paid = { value: 12_990, mainPaymentMethodId: "pix", payedOutsideGalaxPay: true }
    const charge = { myId: "order-1", payday: await named.today(), Customer, ...paid }
    const applied = await named.applyFixtures({ charges: [charge] })
    assert.deepStrictEqual(applied, [{ kind: "charges", name: "order-1", outcome: "created" }])
    assert.lengthOf(await named.events({ type: "TransactionRegistered" }), 0)
  })

  it("rejects with an error that has a code, the fields and the status", async () => {
    const company = await sandbox.company()
    const invalid = await rejection(company.pay({ myId: "payment-1", value: 1.5 }))
    assert.deepInclude(invalid, { name: "SandboxError", code: "invalid", status: undefined })
    assert.deepStrictEqual(Object.keys(invalid.details), ["Payment.value"])
    const refused = await rejection(company.pay("nobody"))
    assert.deepInclude(refused, { code: "refused", status: 404 })
    const taken = await rejection(sandbox.company({ clientId: company.clientId }))
    assert.deepStrictEqual(Object.keys(taken.details), ["Company.clientId"])
  })

  it("has the line of the calling test in the stack of every error", async () => {
    const company = await sandbox.company()
    await using receiver = await company.receiveWebhooks()
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      nextEvent: () => company.nextEvent("TransactionReversed", { timeout: 20 }),
      next: () => receiver.next("transaction.updateStatus", { timeout: 20 }),
      pay: () => company.pay("nope"),
      advance: () => company.advance({}),
      token: () => company.token("nonsense"),
      restore: () => company.restore("nothing"),
      company: () => sandbox.company({ clientId: company.clientId }),
      startSandbox: () => startSandbox({ naming: "no name" }),
      connectSandbox: () => connectSandbox({ url: sandbox.url, clientId: "nobody" })
    }
    for (const [name, call] of Object.entries(calls)) {
      const { stack = "" } = await rejection(call())
      const first = stack.split("\n").find((line) => /^ {4}at /u.test(line))
      assert.include(first, "StartSandbox.test.ts", `${name}: ${stack}`)
      assert.match(stack, /^SandboxError: /u)
    }
  })

  it("names the transaction that cannot be paid, and the existing ones", async () => {
    const company = await sandbox.company()
    const none = await rejection(company.pay("nope"))
    assert.strictEqual(
      none.message,
      'The service responded with 404: The company has no transaction or charge "nope": it has none at all'
    )
    await owe(company, "pix", "payment-1")
    const Customer = { name: "Bia", document: "11144477735", emails: ["bia@example.com"] }
    const charge = { value: 12_990, payday: await company.today(), mainPaymentMethodId: "pix", Customer }
    await send(company, "/charges", { myId: "order-1", ...charge })
    const two = await rejection(company.pay("nope"))
    assert.strictEqual(
      two.message,
      'The service responded with 404: The company has no transaction or charge "nope". The latest are: order-1, payment-1'
    )
    assert.match((await rejection(company.pay({ transactionId: 999 }))).message, /no transaction 999\. The latest/u)
    for (let more = 2; more <= 12; more++) await owe(company, "pix", `payment-${more}`)
    const many = await rejection(company.pay("nope"))
    assert.match(many.message, /The latest are: payment-12, (payment-\d+, ){8}payment-3, \.\.$/u)
  })

  it("delivers to a program with the company's secret", async () => {
    const company = await sandbox.company()
    const events = ["transaction.updateStatus"] as const
    const endpoint = await company.deliverTo("http://127.0.0.1:9/one", events)
    assert.deepInclude(endpoint, { url: "http://127.0.0.1:9/one", secret: company.webhookSecret, events })
    const moved = await company.deliverTo("http://127.0.0.1:9/two")
    assert.deepInclude(moved, { endpointId: endpoint.endpointId, secret: company.webhookSecret })
  })

  it("returns a company's requests with unknown keys, the test cards, and the log", async () => {
    const company = await sandbox.company()
    await send(company, "/customers", { name: "Ana", document: "52998224725", emails: ["ana@example.com"], phone: "1" })
    const [request] = (await company.requests({ status: 200 })).filter(({ path }) => path === "/v2/customers")
    assert.deepInclude(request, { method: "POST", companyId: company.companyId, unknownKeys: ["phone"] })
    const [card] = await sandbox.testCards({ brand: "visa", code: "51" })
    assert.deepInclude(card, { number: "4000000000000002", code: "51" })
    assert.isTrue(sandbox.logs().some((line) => line.includes("/v2/customers")))
  })

  it("is shared with another test file, which leaves it running", async () => {
    const company = await sandbox.company()
    const { clientId, clientSecret } = company
    const connected = await connectSandbox({ url: `${sandbox.url}/`, clientId, clientSecret })
    assert.deepInclude(connected, {
      companyId: company.companyId,
      webhookSecret: company.webhookSecret,
      pid: undefined
    })
    await connected.close()
    assert.match(await connected.token(), /./u)
  })

  it("stops once with its receivers, and rejects later calls", async () => {
    const lines: Array<string> = []
    const ended = await startSandbox({ naming: "galaxPay", log: (line) => lines.push(line) })
    const receiver = await ended.receiveWebhooks()
    await owe(ended, "pix", "payment-1")
    await ended.pay("payment-1")
    assert.property((await receiver.next()).body.Transaction, "galaxPayId")
    await Promise.all([ended.close(), ended[Symbol.asyncDispose]()])
    assert.strictEqual((await rejection(ended.clock())).code, "stopped")
    await fetch(receiver.url).then(
      () => assert.fail("the receiver is there"),
      () => {}
    )
    assert.isTrue(lines.some((line) => line.includes("/sandbox/companies/sandbox/endpoints")))
  })

  it("reports why it does not start", async () => {
    const named = await rejection(startSandbox({ naming: "no name" }))
    assert.deepStrictEqual(Object.keys(named.details), ["Sandbox.naming"])
    const port = Number(new URL(sandbox.url).port)
    const taken = await rejection(startSandbox({ port }))
    assert.strictEqual(taken.code, "notStarted")
    assert.include(taken.message, String(port))
  })
})
