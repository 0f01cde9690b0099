import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { byCard, cards, monthly, plan, today } from "@parcela/test-world/Samples"
import { onServer, signIn } from "@parcela/test-world/Server"

const create = "/v2/subscriptions"
const byCardMonthly = (number: string, more: object = {}) => ({ ...monthly(), ...byCard(number), ...more })

describe("POST /subscriptions", () => {
  it.effect("responds with the subscription and its first instalment, charged when it is due today", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const answer = yield* call("POST", create, { body: byCardMonthly(cards.captured, { quantity: 2 }) })
      assert.strictEqual(answer.status, 200)
      const { Subscription, type } = answer.json
      assert.isTrue(type)
      assert.deepInclude(Subscription, { value: 1990, quantity: 2, periodicity: "monthly", firstPayDayDate: today })
      assert.deepStrictEqual(
        Subscription.Transactions.map((each: { status: string; payday: string }) => [each.payday, each.status]),
        [
          [today, "captured"],
          ["2026-10-21", "notSend"]
        ]
      )
    }).pipe(onServer())
  )

  it.effect("reports every problem of the body at once, and every refusal at once", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const faulty = yield* call("POST", create, {
        body: { value: 0, quantity: 10_000, periodicity: "daily", firstPayDayDate: "2026-02-30", Transactions: [{}] }
      })
      assert.strictEqual(faulty.status, 400)
      assert.hasAllKeys(faulty.json.error.details, [
        "Subscription.myId",
        "Subscription.mainPaymentMethodId",
        "Subscription.Customer",
        "Subscription.value",
        "Subscription.quantity",
        "Subscription.periodicity",
        "Subscription.firstPayDayDate",
        "Transactions.installment"
      ])
      const refused = yield* call("POST", create, {
        body: { ...monthly(), quantity: 1, firstPayDayDate: "2026-09-20", Transactions: [{ installment: 2 }] }
      })
      assert.strictEqual(refused.status, 400)
      assert.hasAllKeys(refused.json.error.details, ["Subscription.firstPayDayDate", "Subscription.Transactions"])
    }).pipe(onServer())
  )

  it.effect("refuses an instalment that the body lists twice", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const Transactions = [{ installment: 1 }, { installment: 1 }]
      const answer = yield* call("POST", create, { body: { ...monthly(), Transactions } })
      assert.deepStrictEqual(
        [answer.status, answer.json.error.details],
        [400, { "Subscription.Transactions": ["must be a list with each instalment once"] }]
      )
    }).pipe(onServer())
  )

  it.effect("charges once under a key, and a repeat returns the stored response", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const headers = { "idempotency-key": "k" }
      const body = byCardMonthly(cards.captured)
      const first = yield* call("POST", create, { body, headers })
      assert.strictEqual(first.json.Subscription.Transactions[0].status, "captured")
      const again = yield* call("POST", create, { body, headers })
      assert.deepStrictEqual([again.status, again.text], [200, first.text])
      const other = yield* call("POST", create, { body: { ...body, value: 1991 }, headers })
      assert.strictEqual(other.status, 422)
    }).pipe(onServer())
  )

  it.effect("accepts the bodies of clients of the family", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const answer = yield* call("POST", create, {
        body: { ...monthly(), quantity: "0", value: "1990", additionalInfo: null, Transactions: [] }
      })
      assert.deepStrictEqual([answer.status, answer.json.Subscription.quantity], [200, 0])
    }).pipe(onServer())
  )
})

describe("DELETE /subscriptions/{subscriptionId}/{typeId}", () => {
  it.effect("cancels a subscription once, and a second request returns a 404 with the reason", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCardMonthly(cards.captured, { quantity: 2 }) })
      const headers = { "idempotency-key": "k" }
      const cancelled = yield* call("DELETE", `${create}/sub/myId`, { headers })
      assert.deepStrictEqual([cancelled.status, cancelled.json], [200, { type: true }])
      const listed = (yield* call("GET", `${create}?startAt=0&limit=1&myIds=sub`)).json.Subscriptions[0]
      assert.deepStrictEqual(
        [listed.status, listed.Transactions.map(({ status }: { status: string }) => status)],
        ["canceled", ["captured", "cancelByContract"]]
      )
      const again = yield* call("DELETE", `${create}/sub/myId`)
      assert.strictEqual(again.status, 404)
      assert.hasAllKeys(again.json.error.details, ["Subscription.status"])
      const repeated = yield* call("DELETE", `${create}/sub/myId`, { headers })
      assert.deepStrictEqual([repeated.status, repeated.json], [200, { type: true }])
    }).pipe(onServer())
  )

  it.effect("returns a 404 for a subscription of another company and for an unknown one", () =>
    Effect.gen(function* () {
      const mine = yield* signIn()
      const theirs = yield* signIn()
      const created = yield* theirs.call("POST", create, { body: monthly() })
      const { svcPayId } = created.json.Subscription
      for (const path of ["sub/myId", `${svcPayId}/svcPayId`, "99999999999/svcPayId"]) {
        const answer = yield* mine.call("DELETE", `${create}/${path}`)
        assert.deepStrictEqual([answer.status, Object.keys(answer.json.error.details).length], [404, 1], path)
      }
      const listed = (yield* theirs.call("GET", `${create}?startAt=0&limit=1`)).json.Subscriptions[0]
      assert.strictEqual(listed.status, "active")
    }).pipe(onServer())
  )
})

describe("PUT /subscriptions/{subscriptionId}/{typeId}", () => {
  it.effect("edits by either identifier, under a key, and returns the subscription", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const created = yield* call("POST", create, { body: { ...byCardMonthly(cards.captured), quantity: 2 } })
      const { svcPayId } = created.json.Subscription
      const headers = { "idempotency-key": "k" }
      const edited = yield* call("PUT", `${create}/${svcPayId}/svcPayId`, { body: { value: 2990 }, headers })
      assert.deepStrictEqual(
        [
          edited.status,
          edited.json.type,
          edited.json.Subscription.value,
          edited.json.Subscription.Transactions[0].value
        ],
        [200, true, 2990, 2990]
      )
      const again = yield* call("PUT", `${create}/${svcPayId}/svcPayId`, { body: { value: 2990 }, headers })
      assert.deepStrictEqual([again.status, again.text], [200, edited.text])
      const note = yield* call("PUT", `${create}/sub/myId`, { body: { additionalInfo: "note" } })
      assert.strictEqual(note.json.Subscription.additionalInfo, "note")
      const theirs = yield* signIn()
      const foreign = yield* theirs.call("PUT", `${create}/${svcPayId}/svcPayId`, { body: { value: 1 } })
      assert.strictEqual(foreign.status, 404)
    }).pipe(onServer())
  )
})

describe("GET /subscriptions", () => {
  it.effect("filters by either identifier of a plan", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const made = yield* call("POST", "/v2/plans", { body: plan })
      const { value: _, periodicity: _p, quantity: _q, ...body } = monthly("planned")
      const created = yield* call("POST", create, { body: { ...body, planMyId: "box" } })
      assert.deepStrictEqual(
        [
          created.json.Subscription.planMyId,
          created.json.Subscription.quantity,
          created.json.Subscription.Transactions.length
        ],
        ["box", 12, 12]
      )
      yield* call("POST", create, { body: monthly("other") })
      for (const filter of [
        "planMyIds=box",
        `planSvcPayIds=${made.json.Plan.svcPayId}`,
        `planGalaxPayIds=${made.json.Plan.svcPayId}`
      ]) {
        const listed = yield* call("GET", `${create}?startAt=0&limit=10&${filter}`)
        assert.deepStrictEqual(
          listed.json.Subscriptions.map(({ myId }: { myId: string }) => myId),
          ["planned"],
          filter
        )
      }
    }).pipe(onServer())
  )
})
