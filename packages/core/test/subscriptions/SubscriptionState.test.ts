import { assert, describe, it } from "@effect/vitest"
import {
  openingSubscriptionStatuses,
  openPaymentsOfSubscription,
  subscriptionCauses,
  type SubscriptionCause,
  SubscriptionStatus,
  subscriptionTransitions
} from "../../src/subscriptions/SubscriptionState.ts"

// Written down by hand: never read from the table it checks.
const expected: Record<SubscriptionStatus, Partial<Record<SubscriptionCause, SubscriptionStatus>>> = {
  active: { cancel: "canceled", close: "closed", stop: "stopped" },
  canceled: {},
  closed: {},
  stopped: { reactivate: "active", wait: "waitingPayment", cancel: "canceled" },
  waitingPayment: { activate: "active", cancel: "canceled", stop: "stopped", deactivate: "inactive" },
  inactive: { reactivate: "active", wait: "waitingPayment", cancel: "canceled" }
}

const causes = ["activate", "cancel", "close", "stop", "reactivate", "wait", "deactivate"] as const

const pairs = Object.entries(expected).flatMap(([status, row]) =>
  causes.map((cause) => [status as SubscriptionStatus, cause, row[cause] ?? "nothing"] as const)
)

describe("the transition table of a subscription", () => {
  it("has the interface's six statuses in its order, and seven causes", () => {
    assert.deepStrictEqual([...SubscriptionStatus.literals], Object.keys(expected))
    assert.deepStrictEqual(Object.keys(subscriptionCauses), [...causes])
  })

  it.each(pairs)("%s, %s: %s", (status, cause, next) => {
    const row: Partial<Record<SubscriptionCause, SubscriptionStatus>> = subscriptionTransitions[status]
    assert.strictEqual(row[cause] ?? "nothing", next)
    assert.isTrue(Object.keys(row).every((known) => (causes as ReadonlyArray<string>).includes(known)))
  })

  it("allows active and waitingPayment for a new subscription", () => {
    assert.deepStrictEqual(openingSubscriptionStatuses, ["active", "waitingPayment"])
  })

  it("defines for each status if open transactions are sent, paused or cancelled", () => {
    assert.deepStrictEqual(openPaymentsOfSubscription, {
      waitingPayment: "sent",
      active: "sent",
      stopped: "paused",
      inactive: "paused",
      canceled: "cancelled",
      closed: "sent"
    })
  })
})
