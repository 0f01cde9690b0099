import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { CreateSubscription } from "../../src/subscriptions/Subscription.ts"
import { dueDate, maxInstalments, isUsedUp, toBeMade } from "../../src/subscriptions/SubscriptionSchedule.ts"
import {
  createPeriodic,
  makeInstalments,
  type NewInstalment,
  step
} from "../../src/subscriptions/PeriodicSubscription.ts"
import { subscriptionDue, reactivate, useCard } from "../../src/subscriptions/SubscriptionDecider.ts"
import type { SubscriptionState } from "../../src/subscriptions/SubscriptionState.ts"
import { edit } from "../../src/subscriptions/SubscriptionEdit.ts"
import { MyId, SvcPayId } from "../../src/values/Identifier.ts"
import {
  cents,
  changes,
  day,
  decided,
  has,
  now,
  refused,
  scheduleOf,
  subscriptionOf,
  today
} from "../fixtures/States.ts"

const { companyId, customerId } = subscriptionOf()
const context = {
  companyId,
  id: SvcPayId.make(7),
  customerId,
  cardId: undefined,
  sameMyId: undefined,
  now,
  today,
  takenMyIds: new Set<MyId>(),
  plans: { bySvcPayId: undefined, byMyId: undefined }
}
const command = (changed: Partial<CreateSubscription> = {}): CreateSubscription => ({
  myId: MyId.make("contract 7"),
  mainPaymentMethodId: "boleto",
  Customer: {},
  value: cents(10_000),
  quantity: 12,
  periodicity: "monthly",
  firstPayDayDate: today,
  ...changed
})

const names = (count: number): ReadonlyArray<NewInstalment> =>
  Array.from({ length: count }, (_, place) => ({ id: SvcPayId.make(100 + place), myId: MyId.make(`made ${place}`) }))

const at = (date: string, count = 24) => ({ ids: names(count), takenMyIds: new Set<MyId>(), today: day(date), now })
/** Number of instalments that are created in advance for a fixed quantity. */
const maxAhead = 120

const paydays = ({ made }: { readonly made: ReadonlyArray<{ readonly payday: string }> }) =>
  made.map(({ payday }) => payday)

describe("createPeriodic", () => {
  it("stores the schedule, where quantity 0 means without end", () => {
    assert.deepStrictEqual(decided(createPeriodic(command(), context)).next.schedule, scheduleOf({ quantity: 12 }))
    assert.deepStrictEqual(decided(createPeriodic(command({ quantity: 0 }), context)).next.schedule, scheduleOf())
  })

  it.each([
    ["a first day that is over", { firstPayDayDate: day("2026-11-20") }, "InstalmentPast", { installment: 1 }],
    [
      "a later day that is over",
      { firstPayDayDate: day("2026-10-20"), Transactions: [{ installment: 1, payedOutsideSvcPay: true }] },
      "InstalmentPast",
      { installment: 2, payday: "2026-11-20", today }
    ],
    [
      "a first instalment that was put on a day that is over",
      { Transactions: [{ installment: 1, payday: day("2026-11-20") }] },
      "InstalmentPast",
      { installment: 1, payday: "2026-11-20", today }
    ],
    [
      "a later instalment that was put on a day that is over",
      { quantity: 0, Transactions: [{ installment: 3, payday: day("2020-01-01") }] },
      "InstalmentPast",
      { installment: 3, payday: "2020-01-01", today }
    ],
    [
      "an instalment beyond the quantity",
      { Transactions: [{ installment: 13 }] },
      "InstalmentBeyond",
      { installment: 13, quantity: 12 }
    ],
    ["more than the calendar has", { quantity: 9_999, periodicity: "yearly" }, "QuantityTooHigh", { maximum: 7_974 }],
    ["more than a boleto holds", { value: cents(10_000_000_000) }, "ValueTooHigh", { maximum: 9_999_999_999 }],
    [
      "a myId that is given twice",
      {
        Transactions: [
          { installment: 1, myId: MyId.make("a") },
          { installment: 2, myId: MyId.make("a") }
        ]
      },
      "MyIdTaken",
      { entity: "Transaction", myId: "a" }
    ]
  ] as const)("refuses %s", (_, changed, tag, data) => {
    has(refused(createPeriodic(command(changed), context)), { _tag: tag, ...data })
  })

  it("reports all problems at once", () => {
    const changed = { quantity: 1, firstPayDayDate: day("2026-11-20"), Transactions: [{ installment: 2 }] }
    const result = createPeriodic(command(changed), { ...context, takenMyIds: new Set() })
    assert.deepStrictEqual(result._tag === "Failure" && Object.keys(result.failure.details), [
      "Subscription.firstPayDayDate",
      "Subscription.Transactions"
    ])
  })

  it("accepts past instalments that were paid outside the service or moved to a later day", () => {
    const changed = {
      firstPayDayDate: day("2026-09-21"),
      Transactions: [
        { installment: 1, payedOutsideSvcPay: true },
        { installment: 2, payday: today }
      ]
    }
    assert.isDefined(decided(createPeriodic(command(changed), context)).next.schedule)
  })
})

describe("makeInstalments", () => {
  const periodic = (changed: Partial<CreateSubscription> = {}) =>
    decided(createPeriodic(command(changed), context)).next

  it("creates all instalments of a fixed quantity, at most one per identifier", () => {
    const made = decided(makeInstalments(periodic({ firstPayDayDate: day("2027-01-31"), quantity: 4 }), at(today)))
    assert.deepStrictEqual(paydays(made), ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"])
    assert.deepStrictEqual(
      made.made.map(({ installment, myId, status, value }) => [installment, myId, status, value]),
      [1, 2, 3, 4].map((number) => [number, `made ${number - 1}`, "pendingBoleto", 10_000])
    )
    has(made.next, {
      payments: 4,
      schedule: { ...scheduleOf({ quantity: 4, made: 4 }), firstPayDay: day("2027-01-31") }
    })
    assert.deepStrictEqual(
      made.events.map(({ _tag }) => _tag),
      Array.from({ length: 4 }, () => "TransactionAdded")
    )
    assert.lengthOf(decided(makeInstalments(periodic(), at(today, 5))).made, 5)
  })

  it("creates the next instalment of a subscription without end when the last one falls due", () => {
    const first = decided(makeInstalments(periodic({ quantity: 0, firstPayDayDate: day("2027-01-31") }), at(today)))
    assert.deepStrictEqual(paydays(first), ["2027-01-31"])
    assert.deepStrictEqual(subscriptionDue(first.next), { _tag: "OnDay", day: day("2027-01-31") })
    assert.deepStrictEqual(paydays(decided(step(first.next, at("2027-01-30")))), [])
    assert.deepStrictEqual(paydays(decided(step(first.next, at("2027-01-31")))), ["2027-02-28"])
  })

  it("creates yearly instalments from 29 February on the last day of February", () => {
    let state = periodic({ quantity: 0, periodicity: "yearly", firstPayDayDate: day("2028-02-29") })
    const days: Array<string> = []
    for (const date of [today, "2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28"]) {
      const made = decided(step(state, at(date)))
      days.push(...paydays(made))
      state = made.next
    }
    assert.deepStrictEqual(days, ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"])
  })

  it("applies the changes of single instalments, and removes them after creation", () => {
    const differs = {
      installment: 2,
      myId: MyId.make("second"),
      value: cents(1),
      payday: day("2027-01-10"),
      additionalInfo: "one cent"
    }
    const outside = { installment: 1, payedOutsideSvcPay: true }
    const made = decided(makeInstalments(periodic({ Transactions: [differs, outside] }), at(today, 3)))
    const { installment: _, ...own } = differs
    has(made.made[0]!, { status: "payExternal", payday: today })
    has(made.made[1]!, own)
    has(made.made[2]!, { value: 10_000, payday: "2027-01-21" })
    assert.notProperty(made.next.schedule, "changes")
  })

  it("generates another myId for an instalment if another transaction uses the requested one", () => {
    const state = periodic({ Transactions: [{ installment: 1, myId: MyId.make("mine") }] })
    const taken = { ...at(today, 1), takenMyIds: new Set([MyId.make("mine")]) }
    assert.strictEqual(decided(makeInstalments(state, taken)).made[0]!.myId, "made 0")
  })

  it("creates a late boleto as due today, and a late card payment with its original day", () => {
    const state = periodic({ quantity: 0, firstPayDayDate: today })
    const [first, second] = decided(
      makeInstalments({ ...state, schedule: scheduleOf({ made: 1 }) }, at("2027-01-22"))
    ).made
    assert.deepStrictEqual([first!.payday, second!.payday], ["2027-01-22", "2027-01-22"])
    const byCard: SubscriptionState = { ...state, mainPaymentMethodId: "creditcard", cardId: SvcPayId.make(9) }
    assert.deepStrictEqual(
      paydays(decided(makeInstalments({ ...byCard, schedule: scheduleOf({ made: 1 }) }, at("2027-01-22")))),
      ["2026-12-21", "2027-01-21", "2027-02-21"]
    )
  })

  it("creates the first instalment of a subscription that waits for its card without a card, and no others", () => {
    const state: SubscriptionState = { ...periodic(), status: "waitingPayment", mainPaymentMethodId: "creditcard" }
    const { made, next } = decided(makeInstalments(state, at(today, 1)))
    assert.deepStrictEqual(
      made.map((payment) => [payment.status, "cardId" in payment]),
      [["notSend", false]]
    )
    assert.deepStrictEqual(subscriptionDue(next), { _tag: "Never" })
  })

  it.each(["stopped", "inactive", "canceled", "closed"] as const)("creates no instalments while %s", (status) => {
    const state: SubscriptionState = { ...periodic(), status }
    assert.deepStrictEqual(decided(makeInstalments(state, at(today))).made, [])
    assert.deepStrictEqual(subscriptionDue(state), { _tag: "Never" })
  })
})

describe("step", () => {
  it("closes a subscription when its last instalment falls due", () => {
    const state = subscriptionOf({ payments: 3, schedule: scheduleOf({ made: 3, quantity: 3 }) })
    assert.deepStrictEqual(subscriptionDue(state), { _tag: "OnDay", day: day("2027-01-21") })
    assert.deepStrictEqual(changes(decided(step(state, at("2027-01-20")))), [])
    assert.deepStrictEqual(changes(decided(step(state, at("2027-01-21")))), ["active -> closed"])
  })

  it("keeps the maximum number of future instalments, and creates one whenever one falls due", () => {
    const schedule = scheduleOf({ periodicity: "weekly", quantity: 1_000, made: maxAhead })
    const state = subscriptionOf({ payments: maxAhead, schedule })
    assert.deepStrictEqual(subscriptionDue(state), { _tag: "OnDay", day: today })
    assert.deepStrictEqual(paydays(decided(step(state, at(today)))), [dueDate(today, "weekly", maxAhead + 1)])
  })

  it("changes nothing for a manual subscription", () => {
    const manual = subscriptionOf()
    assert.deepStrictEqual(decided(step(manual, at(today))), { next: manual, made: [], events: [] })
  })
})

describe("toBeMade", () => {
  it("returns each instalment exactly once, up to the quantity", () => {
    const schedules = fc.record({
      quantity: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
      steps: fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 24 })), { maxLength: 30 })
    })
    fc.assert(
      fc.property(schedules, ({ quantity, steps }) => {
        let schedule = scheduleOf(quantity === undefined ? {} : { quantity })
        let date = today
        for (const [days, limit] of steps) {
          date = day(new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10))
          const numbers = toBeMade(schedule, date, limit)
          assert.deepStrictEqual(
            numbers,
            numbers.map((_, place) => schedule.made + 1 + place)
          )
          assert.isAtMost(numbers.length, limit)
          schedule = { ...schedule, made: schedule.made + numbers.length }
          assert.isTrue(quantity === undefined || schedule.made <= quantity)
          assert.strictEqual(isUsedUp(schedule), schedule.made === quantity)
        }
      })
    )
  })

  it("returns no instalment after the end of the calendar", () => {
    const first = day("9999-11-30")
    assert.strictEqual(maxInstalments(first, "monthly"), 2)
    const schedule = scheduleOf({ firstPayDay: first, made: 2 })
    assert.deepStrictEqual(toBeMade(schedule, day("9999-12-31"), 9), [])
    assert.isTrue(isUsedUp(schedule))
  })
})

describe("useCard", () => {
  const waiting = (quantity?: number) =>
    subscriptionOf({ status: "waitingPayment", schedule: scheduleOf(quantity === undefined ? {} : { quantity }) })

  it("skips the instalments that were due while a subscription without end waited for its card", () => {
    const { next } = decided(useCard(waiting(), SvcPayId.make(9), now, day("2027-03-22")))
    assert.deepStrictEqual(next.schedule, scheduleOf({ made: 5 }))
    assert.deepStrictEqual(paydays(decided(step(next, at("2027-03-22")))), ["2027-04-21"])
  })

  it("skips them too if an edit sets the card", () => {
    const plans = { bySvcPayId: undefined, byMyId: undefined }
    const context = { sameMyId: undefined, cardId: SvcPayId.make(9), plans, today: day("2027-03-22"), now }
    const { next } = decided(edit(waiting(), {}, context))
    assert.deepStrictEqual(next.schedule, scheduleOf({ made: 5 }))
  })

  it("skips nothing for a fixed quantity, or if the subscription did not wait", () => {
    const used = (state: ReturnType<typeof waiting>) =>
      decided(useCard(state, SvcPayId.make(9), now, day("2027-03-22"))).next.schedule
    assert.deepStrictEqual(used(waiting(12)), scheduleOf({ quantity: 12 }))
    assert.deepStrictEqual(used({ ...waiting(), status: "active" }), scheduleOf())
  })
})

describe("reactivate", () => {
  it("skips the instalments that were due while a subscription without end was interrupted", () => {
    const state = subscriptionOf({ status: "stopped", payments: 1, schedule: scheduleOf({ made: 1 }) })
    const { next } = decided(reactivate(state, now, day("2027-03-22")))
    assert.deepStrictEqual(next.schedule, scheduleOf({ made: 5 }))
    assert.deepStrictEqual(paydays(decided(step(next, at("2027-03-22")))), ["2027-04-21"])
  })

  it("skips nothing for a fixed quantity", () => {
    const schedule = scheduleOf({ made: 12, quantity: 12 })
    const state = subscriptionOf({ status: "stopped", payments: 12, schedule })
    assert.deepStrictEqual(decided(reactivate(state, now, day("2027-03-22"))).next.schedule, schedule)
  })
})
