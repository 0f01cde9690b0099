import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect } from "effect"
import { plan } from "@parcela/test-world/Samples"
import { onServer, server, signIn } from "@parcela/test-world/Server"

layer(server())("plans", (it) => {
  it.effect("are created, edited in part and listed, with null for absent values", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { myId: _, ...unnamed } = plan
      const made = yield* call("POST", "/v2/plans", { body: unnamed })
      const { svcPayId, ...shown } = made.json.Plan
      assert.deepStrictEqual(shown, {
        ...unnamed,
        myId: null,
        additionalInfo: null,
        contract: null,
        PlanPrices: [{ payment: "pix", value: 1990, installment: null }],
        status: "active",
        createdAt: "2026-09-21 11:13:20",
        updatedAt: "2026-09-21 11:13:20"
      })
      const edited = yield* call("PUT", `/v2/plans/${svcPayId}/svcPayId`, { body: { myId: "box", quantity: 0 } })
      assert.deepStrictEqual(edited.json, { type: true, Plan: { svcPayId, ...shown, myId: "box", quantity: 0 } })
      const listed = yield* call("GET", "/v2/plans?startAt=0&limit=10&myIds=box")
      assert.deepStrictEqual(listed.json, { totalQtdFoundInPage: 1, Plans: [edited.json.Plan] })
    })
  )

  it.effect("are deactivated, also twice, and listed as inactive", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/plans", { body: plan })
      for (const _ of [1, 2]) {
        const { json, status } = yield* call("DELETE", "/v2/plans/box/myId")
        assert.deepStrictEqual([status, json], [200, { type: true }])
      }
      const count = (status: string) =>
        Effect.map(
          call("GET", `/v2/plans?startAt=0&limit=10&status=${status}`),
          ({ json }) => json.totalQtdFoundInPage as number
        )
      assert.deepStrictEqual([yield* count("active"), yield* count("inactive")], [0, 1])
      yield* call("PUT", "/v2/plans/box/myId", { body: { status: "active" } })
      assert.deepStrictEqual([yield* count("active"), yield* count("inactive")], [1, 0])
    })
  )

  it.effect("are refused with every problem at once, under Plan and PlanPrices", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = { periodicity: "daily", quantity: -1, PlanPrices: [{ payment: "cash", value: 0 }] }
      const { json, status } = yield* call("POST", "/v2/plans", { body })
      assert.strictEqual(status, 400)
      assert.sameMembers(Object.keys(json.error.details), [
        "Plan.name",
        "Plan.periodicity",
        "Plan.quantity",
        "PlanPrices.payment",
        "PlanPrices.value"
      ])
      const twice = { ...plan, PlanPrices: [...plan.PlanPrices, { payment: "pix", value: 1 }] }
      assert.deepStrictEqual((yield* call("POST", "/v2/plans", { body: twice })).json.error.details, {
        "Plan.PlanPrices": ["must have one price for each payment method and number of instalments"]
      })
    })
  )

  it.effect("of another company return a 404 for either identifier", () =>
    Effect.gen(function* () {
      const { call: mine } = yield* signIn()
      const { call: theirs } = yield* signIn()
      const { json } = yield* mine("POST", "/v2/plans", { body: plan })
      for (const path of [`/v2/plans/${json.Plan.svcPayId}/svcPayId`, "/v2/plans/box/myId"]) {
        for (const [method, body] of [
          ["PUT", { name: "Mine" }],
          ["DELETE", undefined]
        ] as const) {
          assert.strictEqual((yield* theirs(method, path, { body })).status, 404, `${method} ${path}`)
        }
      }
      assert.strictEqual((yield* theirs("GET", "/v2/plans?startAt=0&limit=10")).json.totalQtdFoundInPage, 0)
    })
  )

  it.effect("are created once under an Idempotency-Key, and a repeat returns the stored response", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const headers = { "idempotency-key": "k" }
      const { myId: _, ...unnamed } = plan
      const first = yield* call("POST", "/v2/plans", { headers, body: unnamed })
      const again = yield* call("POST", "/v2/plans", { headers, body: unnamed })
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(again.text, first.text)
      assert.strictEqual((yield* call("POST", "/v2/plans", { headers, body: plan })).status, 422)
      assert.strictEqual((yield* call("GET", "/v2/plans?startAt=0&limit=10")).json.totalQtdFoundInPage, 1)
    })
  )

  it.effect("use the names of the service family under its naming profile, in requests and responses", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json } = yield* call("POST", "/v2/plans", { body: plan })
      assert.isNumber(json.Plan.galaxPayId)
      const id = json.Plan.galaxPayId as number
      const edited = yield* call("PUT", `/v2/plans/${id}/galaxPayId`, { body: { name: "Big box" } })
      assert.strictEqual(edited.json.Plan.name, "Big box")
      const listed = yield* call("GET", `/v2/plans?startAt=0&limit=10&galaxPayIds=${id}`)
      assert.deepStrictEqual(listed.json.Plans, [edited.json.Plan])
    }).pipe(onServer({ naming: galaxPay }))
  )
})
