import { assert, describe, it } from "@effect/vitest"
import {
  type ChargeCause,
  chargeCauseOf,
  ChargeStatus,
  chargeTransitions,
  openPaymentsOfCharge
} from "../../src/charges/ChargeState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"

// Written down by hand: never read from the table it checks.
const expected: Record<ChargeStatus, Partial<Record<ChargeCause, ChargeStatus>>> = {
  active: { cancel: "canceled", close: "closed" },
  canceled: {},
  closed: {},
  waitingPayment: { activate: "active", cancel: "canceled", close: "closed", deactivate: "inactive" },
  inactive: { activate: "active", cancel: "canceled", close: "closed" }
}

const causes = ["activate", "cancel", "close", "deactivate"] as const

const pairs = Object.entries(expected).flatMap(([status, row]) =>
  causes.map((cause) => [status as ChargeStatus, cause, row[cause] ?? "nothing"] as const)
)

describe("the transition table of a charge", () => {
  it("has the five statuses of public use in their order", () => {
    assert.deepStrictEqual([...ChargeStatus.literals], Object.keys(expected))
  })

  it.each(pairs)("%s, %s: %s", (status, cause, next) => {
    const row: Partial<Record<ChargeCause, ChargeStatus>> = chargeTransitions[status]
    assert.strictEqual(row[cause] ?? "nothing", next)
  })

  it("defines for each status if open payments are sent, paused or cancelled", () => {
    assert.deepStrictEqual(openPaymentsOfCharge, {
      waitingPayment: "sent",
      active: "sent",
      inactive: "paused",
      canceled: "cancelled",
      closed: "sent"
    })
  })
})

describe("the cause that follows from the status of a payment", () => {
  const open = ["notSend", "authorized", "denied", "pendingBoleto", "pendingPix"]

  it.each(TransactionStatus.literals)("%s", (status) => {
    const cancelled = status === "cancel" || status === "cancelByContract"
    assert.strictEqual(chargeCauseOf(status), cancelled ? "cancel" : open.includes(status) ? undefined : "close")
  })
})
