import { assert, layer } from "@effect/vitest"
import { Fault, FaultPlan } from "@parcela/provider-simulator/InjectedFailures"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Effect } from "effect"
import { byCard, byPix, cards, payment, today } from "@parcela/test-world/Samples"
import { server, signIn } from "@parcela/test-world/Server"

/** A company with payments of one subscription. */
const paying = Effect.fnUntraced(function* (subscription: object, ...myIds: ReadonlyArray<string>) {
  const { call, company } = yield* signIn()
  yield* call("POST", "/v2/subscriptions/manual", { body: subscription })
  for (const myId of myIds) yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment(myId) })
  return { call, companyId: company.companyId }
})

/** Plans what befalls the company's next reversal. */
const next = (companyId: number, fault: Fault) =>
  FaultPlan.use((plan) =>
    plan.add({ call: "reverse", fault, subject: { companyId: CompanyId.make(companyId) }, times: 1 })
  )

layer(server())("PUT /transactions/{id}/{typeId}/reverse", (it) => {
  it.effect("gives all back without a body, with an empty one and with an empty list, whatever its content type", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.captured), "a", "b", "c", "d")
      const form = { "content-type": "application/x-www-form-urlencoded" }
      for (const [myId, sent] of Object.entries({
        a: {},
        b: { body: {} },
        c: { body: [] },
        d: { body: "", headers: form }
      })) {
        const { json, status } = yield* call("PUT", `/v2/transactions/${myId}/myId/reverse`, sent)
        assert.strictEqual(status, 200, myId)
        assert.deepStrictEqual([json.type, json.Transaction.status], [true, "reversed"], myId)
        assert.strictEqual(json.PaymentMethodCreditCard.Card.number, "4111********1111")
      }
    })
  )

  it.effect("gives a part back, after which it stays captured, and says how much is left when more is asked for", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.captured), "p")
      const path = "/v2/transactions/p/myId/reverse"
      const part = yield* call("PUT", path, { body: { valueToReverse: 990 } })
      assert.deepInclude(part.json.Transaction, { status: "captured", value: 1990, reversedValue: 990 })
      const listed = yield* call("GET", "/v2/transactions?startAt=0&limit=1")
      assert.deepInclude(listed.json.Transactions[0], { status: "captured", reversedValue: 990 })
      const tooMuch = yield* call("PUT", path, { body: { valueToReverse: 1001 } })
      assert.strictEqual(tooMuch.status, 400)
      assert.deepStrictEqual(tooMuch.json.error.details, {
        "Transaction.valueToReverse": ["must be from 1 to 1000, the amount in cents that can still be reversed"]
      })
    })
  )

  it.effect("ignores no key of its body: another amount would be given back than was meant", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.captured), "p")
      for (const body of [{ value: 100 }, { valueToreverse: 100 }, { valueToReverse: 0 }, { valueToReverse: "1,00" }]) {
        const refused = yield* call("PUT", "/v2/transactions/p/myId/reverse", { body })
        assert.strictEqual(refused.status, 400, JSON.stringify(body))
      }
      const { json } = yield* call("GET", "/v2/transactions?startAt=0&limit=1")
      assert.strictEqual(json.Transactions[0].status, "captured")
    })
  )

  it.effect("that is not known to be done is a 504, and its repeat is the same reversal", () =>
    Effect.gen(function* () {
      const { call, companyId } = yield* paying(byCard(cards.captured), "p")
      yield* next(companyId, Fault.ResponseLost())
      const path = "/v2/transactions/p/myId/reverse"
      const headers = { "idempotency-key": "k" }
      assert.strictEqual((yield* call("PUT", path, { body: { valueToReverse: 500 }, headers })).status, 504)
      const repeated = yield* call("PUT", path, { body: { valueToReverse: 500 }, headers })
      assert.strictEqual(repeated.status, 200)
      assert.strictEqual(
        (yield* call("PUT", path, { body: { valueToReverse: 1490 } })).json.Transaction.status,
        "reversed"
      )
    })
  )

  it.effect("that the operator denies is a 400 with its words", () =>
    Effect.gen(function* () {
      const { call, companyId } = yield* paying(byCard(cards.captured), "p")
      yield* next(companyId, Fault.Denied({ code: "57", message: "not permitted" }))
      const { json, status } = yield* call("PUT", "/v2/transactions/p/myId/reverse")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(json.error.details, {
        "Transaction.status": ["the card operator denied the request: not permitted (57)"]
      })
    })
  )
})

layer(server())("DELETE /transactions/{id}/{typeId}", (it) => {
  it.effect("cancels what was not paid once, and nothing of another company; a second time is a 404", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byPix(), "p")
      const other = yield* signIn()
      assert.strictEqual((yield* other.call("DELETE", "/v2/transactions/p/myId")).status, 404)
      const cancelled = yield* call("DELETE", "/v2/transactions/p/myId")
      assert.deepStrictEqual([cancelled.status, cancelled.json], [200, { type: true }])
      const again = yield* call("DELETE", "/v2/transactions/p/myId")
      assert.strictEqual(again.status, 404)
      assert.deepStrictEqual(again.json.error.details, {
        "Transaction.status": ["No transaction was found to be cancelled."]
      })
      const { json } = yield* call("GET", "/v2/transactions?startAt=0&limit=1")
      assert.strictEqual(json.Transactions[0].status, "cancel")
    })
  )

  it.effect("of what is paid is a 400 that names its status", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.captured), "p")
      const { json, status } = yield* call("DELETE", "/v2/transactions/p/myId")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(Object.keys(json.error.details), ["Transaction.status"])
    })
  )
})

layer(server())("PUT /transactions/{id}/{typeId}", (it) => {
  it.effect("changes a part, as clients of the family send it, and shows the payment", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.denied), "p")
      const path = "/v2/transactions/p/myId"
      const { json, status } = yield* call("PUT", path, { body: { value: 2500, additionalInfo: null } })
      assert.deepStrictEqual([status, json.type, json.Transaction.value], [200, true, 2500])
      const renamed = yield* call("PUT", path, { body: { myId: "q" } })
      assert.strictEqual(renamed.json.Transaction.myId, "q")
      const outside = yield* call("PUT", "/v2/transactions/q/myId", {
        body: { payedOutsideGalaxPay: true, additionalInfo: "cash" }
      })
      assert.deepInclude(outside.json.Transaction, { status: "payExternal", payedOutsideSvcPay: true })
      assert.strictEqual((yield* call("PUT", path, { body: {} })).status, 404)
    })
  )

  it.effect("tries a new card now, keeps it out of the response, and charges once under a key", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.denied), "p")
      const { PaymentMethodCreditCard } = byCard(cards.captured)
      const sent = {
        headers: { "idempotency-key": "k" },
        body: { paydayDate: today, PaymentMethodCreditCard }
      }
      const first = yield* call("PUT", "/v2/transactions/p/myId", sent)
      assert.strictEqual(first.json.Transaction.status, "captured")
      assert.strictEqual(first.json.Transaction.CreditCard.Card.number, "4111********1111")
      assert.notInclude(first.text, cards.captured)
      const again = yield* call("PUT", "/v2/transactions/p/myId", sent)
      assert.deepStrictEqual([again.text, again.headers.get("idempotent-replayed")], [first.text, "true"])
    })
  )

  it.effect("names every fault at once, and keys that are nearly a value or a day", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.denied), "p")
      const { json } = yield* call("PUT", "/v2/transactions/p/myId", { body: { value: 0, payday: "x", payDay_: "x" } })
      assert.sameMembers(Object.keys(json.error.details), [
        "Transaction.value",
        "Transaction.payday",
        "Transaction.payDay_"
      ])
    })
  )
})
