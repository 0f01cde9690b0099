import { assert, describe, it } from "@effect/vitest"
import { follow } from "../../src/charges/ChargeDecider.ts"
import { chargeOf, now } from "../fixtures/States.ts"

describe("follow", () => {
  it("closes a charge once its payment is made", () => {
    const { events, next } = follow(chargeOf(), "captured", now)
    assert.deepStrictEqual(next, chargeOf({ status: "closed", updatedAt: now }))
    assert.deepStrictEqual(events, [{ _tag: "ChargeStatusChanged", chargeId: next.id, from: "active", to: "closed" }])
  })

  it("cancels it with its payment", () => {
    assert.strictEqual(follow(chargeOf(), "cancel", now).next.status, "canceled")
  })

  it("leaves it as it is while its payment may be made, and once it is over", () => {
    for (const status of ["notSend", "authorized", "denied"] as const) {
      assert.deepStrictEqual(follow(chargeOf(), status, now), { next: chargeOf(), events: [] })
    }
    const closed = chargeOf({ status: "closed" })
    assert.deepStrictEqual(follow(closed, "reversed", now), { next: closed, events: [] })
  })
})
