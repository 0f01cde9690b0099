import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { CreateManualSubscription } from "../../src/subscriptions/Subscription.ts"
import { MyId, SvcPayId } from "../../src/values/Identifier.ts"
import {
  cancel,
  close,
  countPayment,
  createManual,
  deactivate,
  move,
  reactivate,
  stop,
  useCard
} from "../../src/subscriptions/SubscriptionDecider.ts"
import { type SubscriptionCause, SubscriptionStatus } from "../../src/subscriptions/SubscriptionState.ts"
import { before, changes, decided, now, refused, scheduleOf, subscriptionOf, has, today } from "../fixtures/States.ts"

const cardId = SvcPayId.make(9)
const { companyId, customerId } = subscriptionOf()
const context = { companyId, id: SvcPayId.make(7), customerId, cardId: undefined, sameMyId: undefined, now }
const command = (changed: Partial<CreateManualSubscription> = {}): CreateManualSubscription => ({
  myId: MyId.make("contract 7"),
  mainPaymentMethodId: "boleto",
  Customer: {},
  ...changed
})

describe("createManual", () => {
  it("creates an active subscription without transactions", () => {
    const { events, next } = decided(createManual(command(), context))
    assert.deepStrictEqual(next, {
      id: SvcPayId.make(7),
      companyId,
      myId: MyId.make("contract 7"),
      customerId,
      status: "active",
      mainPaymentMethodId: "boleto",
      payments: 0,
      createdAt: now,
      updatedAt: now
    })
    assert.deepStrictEqual(events, [{ _tag: "SubscriptionCreated", subscriptionId: next.id }])
  })

  it.each([
    ["creditcard", undefined, "waitingPayment"],
    ["creditcard", cardId, "active"],
    ["boleto", undefined, "active"],
    ["pix", undefined, "active"]
  ] as const)("by %s with card %s: %s", (mainPaymentMethodId, card, status) => {
    const decision = decided(createManual(command({ mainPaymentMethodId }), { ...context, cardId: card }))
    assert.strictEqual(decision.next.status, status)
    assert.strictEqual(decision.next.cardId, card)
  })

  it("stores the settings of payment methods", () => {
    const given = command({
      additionalInfo: "note",
      PaymentMethodBoleto: { fine: 200 },
      PaymentMethodPix: { interest: 100 }
    })
    has(decided(createManual(given, context)).next, {
      additionalInfo: "note",
      boleto: { fine: 200 },
      pix: { interest: 100 }
    })
  })

  it("refuses a myId that is in use", () => {
    assert.deepStrictEqual(refused(createManual(command(), { ...context, sameMyId: subscriptionOf() })), {
      _tag: "MyIdTaken",
      entity: "Subscription",
      myId: "contract 7"
    })
  })
})

describe("useCard", () => {
  it("activates a subscription that waited for a card", () => {
    const decision = decided(useCard(subscriptionOf({ status: "waitingPayment" }), cardId, now, today))
    has(decision.next, { cardId, status: "active", updatedAt: now })
    assert.deepStrictEqual(changes(decision), ["waitingPayment -> active"])
  })

  it("replaces the card of any other subscription without changing its status", () => {
    const decision = decided(useCard(subscriptionOf({ cardId: SvcPayId.make(1) }), cardId, now, today))
    has(decision.next, { cardId, status: "active" })
    assert.deepStrictEqual(decision.events, [])
  })
})

it("counts the payments of a subscription", () => {
  has(countPayment(subscriptionOf({ payments: 2 }), now), { payments: 3, updatedAt: now })
})

const commands = [
  ["cancel", cancel, { active: "canceled", stopped: "canceled", waitingPayment: "canceled", inactive: "canceled" }],
  ["stop", stop, { active: "stopped", waitingPayment: "stopped", stopped: "stopped" }],
  [
    "reactivate",
    reactivate,
    { stopped: "active", inactive: "active", active: "active", waitingPayment: "waitingPayment" }
  ],
  ["deactivate", deactivate, { waitingPayment: "inactive", inactive: "inactive" }]
] as const satisfies ReadonlyArray<
  readonly [
    SubscriptionCause,
    typeof cancel | typeof reactivate,
    Partial<Record<SubscriptionStatus, SubscriptionStatus>>
  ]
>

describe.each(commands)("%s", (cause, decide, expected) => {
  it.each(SubscriptionStatus.literals)("%s", (status) => {
    const state = subscriptionOf({ status })
    const result = decide(state, now, today)
    const to = (expected as Partial<Record<SubscriptionStatus, SubscriptionStatus>>)[status]
    assert.deepStrictEqual(
      Result.match(result, {
        onFailure: ({ refusal }): unknown => refusal,
        onSuccess: (decision) => [decision.next.status, decision.next.updatedAt, ...changes(decision)]
      }),
      to !== undefined
        ? to === status
          ? [status, state.updatedAt]
          : [to, now, `${status} -> ${to}`]
        : cause === "cancel"
          ? { _tag: "SubscriptionOver", status }
          : { _tag: "SubscriptionCannot", cause, status }
    )
  })
})

describe("reactivate without a card", () => {
  it.each(["stopped", "inactive"] as const)("lets a card subscription wait for its card again: %s", (status) => {
    const state = subscriptionOf({ status, mainPaymentMethodId: "creditcard", schedule: scheduleOf({ made: 1 }) })
    const decision = decided(reactivate(state, now, today))
    assert.deepStrictEqual(changes(decision), [`${status} -> waitingPayment`])
    assert.deepStrictEqual(decision.next.schedule, state.schedule)
    assert.deepStrictEqual(changes(decided(reactivate({ ...state, cardId }, now, today))), [`${status} -> active`])
  })
})

describe("close", () => {
  const usedUp = subscriptionOf({ payments: 12, schedule: scheduleOf({ made: 12, quantity: 12 }) })

  it("closes a subscription after its last payment", () => {
    const decision = decided(close(usedUp, now))
    assert.deepStrictEqual(changes(decision), ["active -> closed"])
    has(decision.next, { status: "closed", updatedAt: now, createdAt: before })
  })

  it("is refused while payments remain, and without end", () => {
    assert.deepStrictEqual(
      refused(close({ ...usedUp, payments: 11, schedule: scheduleOf({ made: 11, quantity: 12 }) }, now)),
      {
        _tag: "QuantityLeft",
        payments: 11,
        quantity: 12
      }
    )
    assert.deepStrictEqual(refused(close(subscriptionOf({ payments: 12 }), now)), {
      _tag: "QuantityLeft",
      payments: 12
    })
  })

  it.each(SubscriptionStatus.literals.filter((status) => status !== "active"))("is refused when %s", (status) => {
    assert.deepStrictEqual(refused(close({ ...usedUp, status }, now)), {
      _tag: "SubscriptionCannot",
      cause: "close",
      status
    })
  })
})

it("changes the status only for the causes of the transition table", () => {
  assert.strictEqual(decided(move(subscriptionOf({ status: "waitingPayment" }), "activate", now)).next.status, "active")
  assert.deepStrictEqual(refused(move(subscriptionOf(), "activate", now)), {
    _tag: "SubscriptionCannot",
    cause: "activate",
    status: "active"
  })
})
