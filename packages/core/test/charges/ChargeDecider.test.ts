import { assert, describe, it } from "@effect/vitest"
import { deactivate, follow } from "../../src/charges/ChargeDecider.ts"
import { ChargeStatus } from "../../src/charges/ChargeState.ts"
import { chargeOf, decided, now, refused, stateIn, transactionOf } from "../fixtures/States.ts"

describe("follow", () => {
  it("closes a charge when its payment is paid", () => {
    const { events, next } = follow(chargeOf(), stateIn("captured"), now)
    assert.deepStrictEqual(next, chargeOf({ status: "closed", updatedAt: now }))
    assert.deepStrictEqual(events, [{ _tag: "ChargeStatusChanged", chargeId: next.id, from: "active", to: "closed" }])
  })

  it("cancels a charge when its payment is cancelled", () => {
    assert.strictEqual(follow(chargeOf(), stateIn("cancel"), now).next.status, "canceled")
  })

  it("leaves a charge unchanged while its payment is open, and after the charge has ended", () => {
    for (const status of ["notSend", "authorized", "denied"] as const) {
      assert.deepStrictEqual(follow(chargeOf(), stateIn(status), now), { next: chargeOf(), events: [] })
    }
    const closed = chargeOf({ status: "closed" })
    assert.deepStrictEqual(follow(closed, stateIn("reversed"), now), { next: closed, events: [] })
  })

  it.each(["waitingPayment", "inactive"] as const)(
    "sets the missing card of a charge when its payment gets one: %s",
    (status) => {
      const { cardId, ...unpaid } = transactionOf("creditcard")
      const state = chargeOf({ status, mainPaymentMethodId: "creditcard" })
      assert.deepStrictEqual(follow(state, unpaid, now), { next: state, events: [] })
      const { events, next } = follow(state, { ...unpaid, cardId }, now)
      assert.deepStrictEqual(next, { ...state, cardId, status: "active", updatedAt: now })
      assert.deepStrictEqual(events, [{ _tag: "ChargeStatusChanged", chargeId: next.id, from: status, to: "active" }])
    }
  )
})

describe("deactivate", () => {
  it.each(ChargeStatus.literals)("%s", (status) => {
    const result = deactivate(chargeOf({ status }), now)
    if (status === "waitingPayment") assert.strictEqual(decided(result).next.status, "inactive")
    else assert.deepStrictEqual(refused(result), { _tag: "ChargeCannot", cause: "deactivate", status })
  })
})
