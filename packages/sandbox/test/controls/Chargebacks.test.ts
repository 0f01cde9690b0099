import { assert, describe, it } from "@effect/vitest"
import { testCards } from "@parcela/provider-simulator/TestCards"
import { layer } from "@parcela/sandbox/Sandbox"
import { Effect, Queue } from "effect"
import { failAfter } from "../fixtures/FailingStore.ts"
import { type ServerOptions, startServer } from "../fixtures/Servers.ts"
import { byCard, payment } from "@parcela/test-world/Samples"
import { call, onServer, receiver, request, token, tokenAt } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

const of = "/sandbox/companies/sandbox"

/** Of a card whose payments are disputed after 30 days. */
const { number } = testCards.find(({ behaviour }) => behaviour._tag === "Disputed" && behaviour.days === 30)!

const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const sent = yield* call(method, `/v2${path}`, { token: yield* token, body })
  assert.strictEqual(sent.status, 200, sent.text)
  return sent.json
})

const advance = (body: unknown) => Effect.map(call("POST", `${of}/clock/advance`, { body }), ({ json }) => json)

const days = (count: number) => advance({ bySeconds: count * 86_400 })

const statusOf = (myId: string) =>
  Effect.map(
    send("GET", `/transactions?startAt=0&limit=1&myIds=${myId}`),
    ({ Transactions: [found] }) => found.status as string
  )

/** Payments by that card, of today, one after another. */
const paid = Effect.fnUntraced(function* (...myIds: ReadonlyArray<string>) {
  yield* send("POST", "/subscriptions/manual", byCard(number))
  for (const myId of myIds) yield* send("POST", "/transactions/sub/myId/add", payment(myId))
})

/** A server that is killed once it has taken a payment by that card. */
const killedOnceCaptured = (server: ServerOptions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { child, ended, url } = yield* startServer(server)
      yield* Effect.promise(async () => {
        const token = await tokenAt(url, "sandbox", "sandbox-secret")
        await request("POST", `${url}/v2/subscriptions/manual`, { token, body: byCard(number) })
        const added = await request("POST", `${url}/v2/transactions/sub/myId/add`, { token, body: payment("p") })
        child.kill("SIGKILL")
        await ended
        assert.strictEqual(added.json.Transaction.status, "captured")
      })
    })
  )

const opened = Effect.map(call("GET", `${of}/events`), ({ json }) =>
  json.events
    .flatMap(({ events }: { readonly events: ReadonlyArray<{ readonly _tag: string }> }) => events)
    .filter(({ _tag }: { readonly _tag: string }) => _tag === "ChargebackOpened")
)

describe("a payment by a test card for disputes", () => {
  it.effect("is captured, and becomes a chargeback once after the given days, as by the control", () =>
    Effect.gen(function* () {
      const there = yield* receiver
      yield* send("PUT", "/webhooks", { url: there.url, events: ["chargeback.update"] })
      yield* paid("p")
      yield* days(29)
      assert.strictEqual(yield* statusOf("p"), "captured")
      const { changes, work } = yield* days(1)
      assert.deepInclude(work, { kind: "fetch chargeback", outcome: "done", count: 1 })
      assert.deepInclude(changes, { event: "TransactionStatusChanged", to: "chargeback", count: 1 })
      const { Chargeback, Transaction } = JSON.parse((yield* Queue.take(there.received)).body)
      assert.deepInclude(Chargeback, { status: "awaitingDocumentation", createdAt: "2026-10-21 11:13:20" })
      assert.deepInclude(Transaction, { myId: "p", status: "chargeback" })
      const again = yield* call("POST", `${of}/chargebacks`, { body: { myId: "p" } })
      assert.deepStrictEqual([again.status, again.json], [200, { status: "chargeback" }])
      const reported = (yield* call("GET", `${of}/payments/reported`)).json.payments
      assert.lengthOf(reported, 1)
      assert.deepInclude(reported[0], { method: "creditcard", standing: "applied", id: Chargeback.process })
      assert.lengthOf(yield* opened, 1)
    }).pipe(onServer())
  )

  it.effect("becomes a chargeback also if the operator's response was lost or a part was reversed", () =>
    Effect.gen(function* () {
      yield* call("POST", "/sandbox/faults", {
        body: { clientId: "sandbox", call: "charge", fault: { type: "ResponseLost" } }
      })
      yield* paid("lost", "part", "whole")
      yield* send("PUT", "/transactions/part/myId/reverse", { valueToReverse: 500 })
      yield* send("PUT", "/transactions/whole/myId/reverse")
      yield* advance({ bySeconds: 365 * 86_400, stopWhenNothingIsDue: true })
      assert.deepStrictEqual(yield* Effect.forEach(["lost", "part", "whole"], statusOf), [
        "chargeback",
        "chargeback",
        "reversed"
      ])
      // The operator reports no dispute of what it gave back.
      assert.lengthOf((yield* call("GET", `${of}/payments/reported`)).json.payments, 2)
    }).pipe(onServer())
  )

  it.effect("counts the days from its capture if it was only authorized, and is restored with its company", () =>
    Effect.gen(function* () {
      const charge = {
        myId: "held",
        value: 1990,
        payday: "2026-09-21",
        mainPaymentMethodId: "creditcard",
        Customer: byCard(number).Customer,
        PaymentMethodCreditCard: { ...byCard(number).PaymentMethodCreditCard, preAuthorize: true }
      }
      const { Charge } = yield* send("POST", "/charges", charge)
      const id = Charge.Transactions[0].svcPayId
      const status = Effect.map(
        send("GET", `/transactions?startAt=0&limit=1&svcPayIds=${id}`),
        ({ Transactions: [found] }) => found.status as string
      )
      yield* days(5)
      assert.strictEqual(yield* status, "authorized")
      yield* send("PUT", `/charges/held/myId/capture`)
      yield* call("POST", `${of}/snapshots`, { body: { name: "captured" } })
      yield* days(29)
      assert.strictEqual(yield* status, "captured")
      yield* days(1)
      assert.strictEqual(yield* status, "chargeback")
      yield* call("POST", `${of}/snapshots/captured/restore`)
      assert.strictEqual(yield* status, "captured")
      yield* days(30)
      assert.strictEqual(yield* status, "chargeback")
    }).pipe(onServer())
  )

  it.live(
    "becomes a chargeback also if the process was killed in between",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const server = { folder, database: `${folder}/sandbox.db` }
        yield* killedOnceCaptured(server)
        const { changes } = yield* Effect.provide(
          days(30),
          layer({ port: 0, database: server.database, keyFile: `${folder}/key/master.key` }),
          { local: true }
        )
        assert.deepInclude(changes, { event: "TransactionStatusChanged", to: "chargeback", count: 1 })
      }),
    60_000
  )
})

describe("the control that disputes", () => {
  it.effect("refuses a payment without a captured amount, and accepts it after the capture", () =>
    Effect.gen(function* () {
      const open = call("POST", `${of}/chargebacks`, { body: { myId: "p" } })
      yield* send("POST", "/subscriptions/manual", byCard("4000000200010009"))
      yield* send("POST", "/transactions/sub/myId/add", payment("p"))
      assert.strictEqual(yield* statusOf("p"), "authorized")
      const refused = yield* open
      assert.deepStrictEqual([refused.status, /authorized/.test(refused.text)], [400, true])
      yield* send("PUT", "/transactions/p/myId/capture")
      assert.deepStrictEqual((yield* open).json, { status: "chargeback" })
    }).pipe(onServer())
  )

  it.effect("disputes the transaction with a transactionId, and refuses both names at once", () =>
    Effect.gen(function* () {
      yield* paid("p")
      const listed = yield* send("GET", "/transactions?startAt=0&limit=1&myIds=p")
      const transactionId = listed.Transactions[0].svcPayId
      const both = yield* call("POST", `${of}/chargebacks`, { body: { myId: "p", transactionId } })
      assert.strictEqual(both.status, 400)
      const opened = yield* call("POST", `${of}/chargebacks`, { body: { transactionId } })
      assert.deepStrictEqual(opened.json, { status: "chargeback" })
    }).pipe(onServer())
  )

  it.effect("returns a 504 when the dispute is stored and the transaction cannot be read", () =>
    Effect.gen(function* () {
      yield* paid("p")
      const open = call("POST", `${of}/chargebacks`, { body: { myId: "p" } })
      const failures = yield* failAfter("UPDATE transactions", "FROM transactions")
      assert.strictEqual((yield* open).status, 504)
      failures.end()
      assert.deepStrictEqual((yield* open).json, { status: "chargeback" })
    }).pipe(onServer())
  )
})
