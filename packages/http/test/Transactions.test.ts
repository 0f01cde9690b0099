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
  it.effect(
    "reverses the whole amount without a body, with an empty body and with an empty list, with any content type",
    () =>
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

  it.effect(
    "reverses a part, after which the status remains captured, and a larger amount is refused with the remainder",
    () =>
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

  it.effect("refuses an unknown key, because ignoring it would reverse another amount", () =>
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

  it.effect("returns a 504 for an unknown outcome, and a repeat is the same reversal", () =>
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

  it.effect("returns a 400 with the operator's message for a denial", () =>
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
  it.effect("cancels an unpaid payment, but not of another company, and a second request returns a 404", () =>
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

  it.effect("returns a 400 with the status of a paid payment", () =>
    Effect.gen(function* () {
      const { call } = yield* paying(byCard(cards.captured), "p")
      const { json, status } = yield* call("DELETE", "/v2/transactions/p/myId")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(Object.keys(json.error.details), ["Transaction.status"])
    })
  )
})

layer(server())("PUT /transactions/{id}/{typeId}", (it) => {
  it.effect("changes some fields, as clients of the family send them, and returns the payment", () =>
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

  it.effect("charges a new card at once and only once under a key, and does not return the card", () =>
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

  it.effect("reports every problem at once, including keys that are similar to value and payday", () =>
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
