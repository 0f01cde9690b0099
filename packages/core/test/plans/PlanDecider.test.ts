import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { CompanyId } from "../../src/companies/CompanyState.ts"
import { createPlan, editPlan, type PlanState } from "../../src/plans/PlanDecider.ts"
import { CreatePlan, EditPlan } from "../../src/plans/Plan.ts"
import { MyId, SvcPayId } from "../../src/values/Identifier.ts"
import { before, decided, has, now, refused } from "../fixtures/States.ts"

const own = { companyId: CompanyId.make(1), id: SvcPayId.make(5) }
const body = {
  myId: "box",
  name: "Monthly box",
  periodicity: "monthly",
  quantity: 0,
  PlanPrices: [
    { payment: "creditcard", value: 12990 },
    { payment: "creditcard", value: 13990, installment: 3 },
    { payment: "pix", value: 11990 }
  ]
}
const command = Schema.decodeUnknownSync(CreatePlan)(body)
const edit = Schema.decodeUnknownSync(EditPlan)
const { PlanPrices: prices, ...said } = command
const plan: PlanState = { ...own, ...said, prices, status: "active", createdAt: before, updatedAt: before }
const other: PlanState = { ...plan, id: SvcPayId.make(6), myId: MyId.make("other") }
const none = { sameMyId: undefined }

describe("a new plan", () => {
  it("has the values of the request and is active", () => {
    const { events, next } = decided(createPlan(command, none, { ...own, now }))
    assert.deepStrictEqual(next, { ...plan, createdAt: now, updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "PlanCreated", planId: own.id }])
  })

  it("is refused with the myId of another plan", () => {
    const taken = createPlan({ ...command, myId: MyId.make("other") }, { sameMyId: other }, { ...own, now })
    has(refused(taken), { _tag: "MyIdTaken", entity: "Plan", myId: MyId.make("other") })
  })

  it.each([
    ["no price", []],
    ["two prices for one payment method", [...body.PlanPrices, { payment: "pix", value: 1 }]],
    ["a price of nothing", [{ payment: "pix", value: 0 }]],
    ["more than 100 prices", Array.from({ length: 101 }, (_, n) => ({ payment: "pix", value: 1, installment: n + 1 }))]
  ])("is refused with %s", (_, PlanPrices) => {
    assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(CreatePlan)({ ...body, PlanPrices })))
  })
})

describe("an edited plan", () => {
  it("gets the sent fields and keeps the others", () => {
    const changes = edit({ name: "Box", PlanPrices: [{ payment: "pix", value: 500 }] })
    const { events, next } = decided(editPlan(plan, changes, { ...none, now }))
    assert.deepStrictEqual(next, { ...plan, name: "Box", prices: changes.PlanPrices!, updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "PlanUpdated", planId: own.id }])
  })

  it("is unchanged by equal fields", () => {
    const same = edit({ ...body, status: "active" })
    assert.deepStrictEqual(decided(editPlan(plan, same, { sameMyId: plan, now })), { next: plan, events: [] })
  })

  it("cannot get the myId of another plan", () => {
    const taken = editPlan(plan, edit({ myId: "other" }), { sameMyId: other, now })
    has(refused(taken), { _tag: "MyIdTaken", entity: "Plan", myId: MyId.make("other") })
  })

  it("is deactivated once, and can be activated again", () => {
    const inactive = decided(editPlan(plan, { status: "inactive" }, { ...none, now }))
    assert.deepStrictEqual(inactive.next, { ...plan, status: "inactive", updatedAt: now })
    assert.deepStrictEqual(inactive.events, [{ _tag: "PlanDeactivated", planId: own.id }])
    assert.isEmpty(decided(editPlan(inactive.next, { status: "inactive" }, { ...none, now })).events)
    const again = decided(editPlan(inactive.next, { status: "active" }, { ...none, now }))
    assert.strictEqual(again.next.status, "active")
    assert.deepStrictEqual(again.events, [{ _tag: "PlanUpdated", planId: own.id }])
  })
})
