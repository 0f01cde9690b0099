import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { failAfter } from "../fixtures/FailingStore.ts"
import { byCode, payment } from "@parcela/test-world/Samples"
import { call, onServer, receiver, token, advanceUntil } from "@parcela/test-world/Server"

const control = (path: string, body: unknown, company = "sandbox") =>
  call("POST", `/sandbox/companies/${company}${path}`, { body })

const pay = (body: unknown, company?: string) => control("/payments", body, company)

const advanceTo = (to: string) => control("/clock/advance", { to })

const listed = Effect.fnUntraced(function* (myId: string) {
  const { json } = yield* call("GET", `/v2/transactions?startAt=0&limit=1&myIds=${myId}`, { token: yield* token })
  return json.Transactions[0] as { readonly status: string; readonly paidValue?: number }
})

const statusOf = (myId: string) => Effect.map(listed(myId), ({ status }) => status)

/** A payment "p" that is due today. */
const due = Effect.fnUntraced(function* (method: "boleto" | "pix", terms: object = {}) {
  const bearer = yield* token
  const send = (path: string, body: unknown) => call("POST", `/v2${path}`, { token: bearer, body })
  yield* send("/subscriptions/manual", { ...byCode(method), ...terms })
  const added = yield* send("/transactions/sub/myId/add", payment("p"))
  assert.strictEqual(added.status, 200, added.text)
  return bearer
})

describe("the control that pays", () => {
  it.effect("pays a boleto, which is settled on the next business day and announced", () =>
    Effect.gen(function* () {
      const there = yield* receiver
      const bearer = yield* token
      const body = { url: there.url, events: ["transaction.updateStatus"] }
      yield* call("PUT", "/v2/webhooks", { token: bearer, body })
      yield* due("boleto")
      const paid = yield* pay({ myId: "p" })
      assert.strictEqual(paid.status, 200, paid.text)
      assert.deepInclude(paid.json, { status: "pendingBoleto" })
      assert.deepInclude(paid.json.payments[0], {
        method: "boleto",
        transactionMyId: "p",
        value: 1990,
        paidAt: "2026-09-21T14:13:20.000Z",
        reportAt: "2026-09-22T03:00:00.000Z",
        isAcknowledged: false
      })
      const { json } = yield* advanceTo("2026-09-22T03:00:00Z")
      assert.deepInclude(json.work, { kind: "fetch payments", outcome: "done", count: 1 })
      assert.strictEqual(yield* statusOf("p"), "payedBoleto")
      const delivered = JSON.parse((yield* Queue.take(there.received)).body)
      assert.deepInclude(delivered, { event: "transaction.updateStatus" })
      assert.deepInclude(delivered.Transaction, {
        myId: "p",
        status: "payedBoleto",
        fee: 199,
        paidValue: 1990,
        paydayDate: "2026-09-21"
      })
      const made = (yield* call("GET", "/sandbox/companies/sandbox/payments")).json
      assert.deepInclude(made.payments[0], {
        id: paid.json.payments[0].id,
        transactionMyId: "p",
        isAcknowledged: true
      })
      const reported = (yield* call("GET", "/sandbox/companies/sandbox/payments/reported?standing=applied")).json
      assert.deepInclude(reported.payments[0], {
        id: paid.json.payments[0].id,
        standing: "applied",
        transactionMyId: "p"
      })
    }).pipe(onServer())
  )

  it.effect("pays the payment of a charge that is given by its identifier", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const { Customer } = byCode("pix")
      const charge = (myId: string) =>
        call("POST", "/v2/charges", {
          token: bearer,
          body: { ...payment(myId), mainPaymentMethodId: "pix", Customer }
        })
      const { json } = yield* charge("order")
      const { svcPayId } = json.Charge.Transactions[0]
      const paid = yield* pay({ myId: "order" })
      assert.deepStrictEqual([paid.json.status, paid.json.payments[0].transactionId], ["payedPix", svcPayId])
      const other = (yield* charge("other")).json.Charge.Transactions[0].svcPayId
      assert.strictEqual((yield* pay({ transactionId: other })).json.status, "payedPix")
      assert.match(
        (yield* pay({ myId: "nothing" })).json.error.message,
        /^The company has no transaction or charge "nothing"/u
      )
    }).pipe(onServer())
  )

  it.effect("pays a Pix at once, once, with the amount due", () =>
    Effect.gen(function* () {
      yield* due("pix", { PaymentMethodPix: { Deadline: { type: "minutes", value: 30 } } })
      const other = yield* pay({ myId: "p", value: 5 })
      assert.deepStrictEqual([other.status, /1990 cents/.test(other.text)], [400, true])
      const { json, status } = yield* pay({ myId: "p", name: "order" })
      assert.deepStrictEqual([status, json.status], [200, "payedPix"])
      assert.deepStrictEqual((yield* pay({ myId: "p", name: "order" })).json.payments, json.payments)
      assert.strictEqual((yield* pay({ myId: "p" })).status, 400)
    }).pipe(onServer())
  )

  it.effect("pays late with fine and interest, less, more and several times", () =>
    Effect.gen(function* () {
      yield* due("boleto", { PaymentMethodBoleto: { fine: 200, interest: 100, deadlineDays: 30 } })
      yield* advanceTo("2026-10-08T15:00:00Z")
      const { json } = yield* pay({ transactionId: 1 })
      // R$ 19,90, 17 days late: 0,398 and 0,1127, each rounded down.
      assert.strictEqual(json.payments[0].value, 1990 + 39 + 11)
      assert.notProperty(yield* listed("p"), "paidValue")
      assert.strictEqual(json.earlierPayments, 0)
      const again = { myId: "p", value: 1, times: 2, name: "order" }
      assert.strictEqual((yield* pay(again)).json.earlierPayments, 1)
      // The same order, which pays nothing more.
      assert.strictEqual((yield* pay(again)).json.earlierPayments, 1)
      const of = (transactionId: number) =>
        Effect.map(
          call("GET", `/sandbox/companies/sandbox/payments?transactionId=${transactionId}`),
          ({ json }) => json.payments.length
        )
      assert.deepStrictEqual([yield* of(1), yield* of(2)], [3, 0])
      yield* advanceTo("2026-10-10T03:00:00Z")
      // What came in of all three.
      assert.deepInclude(yield* listed("p"), { status: "paidDuplicityBoleto", paidValue: 1990 + 39 + 11 + 2 })
    }).pipe(onServer())
  )

  it.effect("reports missing arguments", () =>
    Effect.gen(function* () {
      yield* due("pix")
      assert.strictEqual((yield* pay({ myId: "nobody" })).status, 404)
      assert.strictEqual((yield* pay({ myId: "p" }, "nobody")).status, 404)
      for (const body of [
        {},
        { myId: "p", transactionId: 1 },
        { myId: "p", times: 11 },
        { myId: "p", value: -1 },
        { myId: "p", value: 0 }
      ]) {
        assert.strictEqual((yield* pay(body)).status, 400, JSON.stringify(body))
      }
      yield* call("DELETE", "/v2/transactions/p/myId", { token: yield* token })
      const cancelled = yield* pay({ myId: "p" })
      assert.deepStrictEqual([cancelled.status, /cancelled/.test(cancelled.text)], [400, true])
    }).pipe(onServer())
  )
})

describe("the control that pays, when the store fails after the payment", () => {
  it.effect("returns the payment when the report cannot be stored, and a job fetches the report later", () =>
    Effect.gen(function* () {
      yield* due("pix")
      const failures = yield* failAfter("INSERT INTO payments", "incoming_payments")
      const paid = yield* pay({ myId: "p" })
      assert.strictEqual(paid.status, 200, paid.text)
      assert.deepInclude(paid.json, { status: "pendingPix", earlierPayments: 0 })
      assert.deepInclude(paid.json.payments[0], { transactionMyId: "p", isAcknowledged: false })
      failures.end()
      yield* advanceUntil(Effect.map(statusOf("p"), (status) => status === "payedPix"))
    }).pipe(onServer())
  )

  it.effect("returns a 504 that names the list of payments when the transaction cannot be read", () =>
    Effect.gen(function* () {
      yield* due("boleto")
      const failures = yield* failAfter("INSERT INTO payments", "FROM transactions")
      const paid = yield* pay({ myId: "p" })
      assert.strictEqual(paid.status, 504, paid.text)
      assert.match(paid.json.error.message, /GET \/sandbox\/companies\/sandbox\/payments/u)
      failures.end()
      const { json } = yield* call("GET", "/sandbox/companies/sandbox/payments")
      assert.lengthOf(json.payments, 1)
    }).pipe(onServer())
  )

  it.effect("returns a 504 when the commit of the provider fails", () =>
    Effect.gen(function* () {
      yield* due("boleto")
      yield* failAfter("INSERT INTO payments", "COMMIT")
      assert.strictEqual((yield* pay({ myId: "p" })).status, 504)
    }).pipe(onServer())
  )
})
