import { assert, describe, it } from "@effect/vitest"
import type { Settlement } from "../../src/transactions/TransactionFields.ts"
import { feeOf, settlementsOf, type TransactionState } from "../../src/transactions/TransactionState.ts"
import {
  dueOn,
  settle as settleAsRegistered,
  type SettlementContext
} from "../../src/transactions/TransactionSettlement.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import {
  boletoOf,
  cents,
  changes,
  day,
  decided,
  has,
  now,
  pixOf,
  refused,
  stateIn,
  transactionOf,
  pendingAttempt
} from "../fixtures/States.ts"

// A Wednesday, and R$ 100,00.
const payday = day("2026-11-11")
const boleto = boletoOf({ payday })
const pix = pixOf({ payday })
const usual: SettlementContext = { terms: { fine: 200, interest: 100 }, now }
const free: SettlementContext = { terms: {}, now }

const paid = (value: number, paidOn = "2026-11-11", id = "s1"): Settlement => ({
  id,
  value: cents(value),
  paidOn: day(paidOn)
})

/** Settles a payment that is registered with the terms of the context. */
const settle = (state: TransactionState, settlement: Settlement, context: SettlementContext) => {
  const registered =
    "registration" in state && state.registration !== undefined
      ? { ...state, registration: { ...state.registration, terms: context.terms } }
      : state
  // A cast: the terms of a boleto and of a Pix have the same charges.
  return settleAsRegistered(registered as TransactionState, settlement, context)
}

const statusOf = (state: TransactionState, settlement: Settlement, context: SettlementContext) =>
  decided(settle(state, settlement, context)).next.status

describe("a boleto", () => {
  it.each([
    ["exactly, before it is due", 10_000, "2026-11-01", "payedBoleto"],
    ["exactly, on the day", 10_000, "2026-11-11", "payedBoleto"],
    ["a cent less", 9_999, "2026-11-11", "lessValueBoleto"],
    ["nothing", 0, "2026-11-11", "lessValueBoleto"],
    ["a cent more", 10_001, "2026-11-11", "moreValueBoleto"],
    // Five days late: a fine of 2,00 and interest of 0,1667.
    ["late with fine and interest rounded down", 10_216, "2026-11-16", "payedBoleto"],
    ["late with fine and interest rounded half up", 10_217, "2026-11-16", "payedBoleto"],
    ["late, a cent less than rounded down", 10_215, "2026-11-16", "lessValueBoleto"],
    ["late, a cent more than rounded up", 10_218, "2026-11-16", "moreValueBoleto"],
    ["late without fine and interest", 10_000, "2026-11-16", "lessValueBoleto"]
  ])("paid %s", (_, value, paidOn, status) => {
    assert.strictEqual(statusOf(boleto, paid(value, paidOn), usual), status)
  })

  it.each([
    ["with its discount, on the last day of that", 9_875, "2026-11-06", "payedBoleto"],
    // 1,25 % of R$ 99,99 is 1,249875: 1,24 rounded down, 1,25 half up.
    ["a cent less than that", 9_873, "2026-11-06", "lessValueBoleto"],
    ["without it, while it is granted", 9_999, "2026-11-06", "moreValueBoleto"],
    ["with it, a day too late", 9_875, "2026-11-07", "lessValueBoleto"]
  ])("paid %s", (_, value, paidOn, status) => {
    const Discount = { qtdDaysBeforePayDay: 5, type: "percent", value: 125 } as const
    const discounted = boletoOf({ payday, value: cents(9_999) })
    assert.strictEqual(statusOf(discounted, paid(value, paidOn), { terms: { Discount }, now }), status)
  })

  it("stores every further payment without another status change", () => {
    let state: TransactionState = boleto
    for (const id of ["a", "b", "c", "d"]) state = decided(settle(state, paid(10_000, "2026-11-11", id), free)).next
    has(state, { status: "paidDuplicityBoleto" })
    const again = decided(settle(state, paid(10_000, "2026-11-12", "e"), free))
    assert.deepStrictEqual(changes(again), [])
    assert.strictEqual(settlementsOf(again.next).length, 5)
  })

  it("is compared with the terms of its registration", () => {
    const { registration } = boleto
    if (registration === undefined) return assert.fail("it is registered")
    const registered = { ...boleto, registration: { ...registration, terms: { fine: 200 } } }
    for (const context of [free, usual]) {
      const { next } = decided(settleAsRegistered(registered, paid(10_200, "2026-11-16"), context))
      assert.strictEqual(next.status, "payedBoleto")
    }
  })

  it("is not late on the first business day after a Sunday", () => {
    const sunday = boletoOf({ payday: day("2026-11-15") })
    assert.strictEqual(statusOf(sunday, paid(10_000, "2026-11-16"), usual), "payedBoleto")
    assert.strictEqual(statusOf(sunday, paid(10_000, "2026-11-17"), usual), "lessValueBoleto")
  })

  it("has no late charges if the subscription defines none", () => {
    assert.strictEqual(statusOf(boleto, paid(10_000, "2026-12-16"), free), "payedBoleto")
  })

  it("counts late days by the options", () => {
    const open = { ...usual, charges: { calendar: { open: [day("2026-11-15")] } } }
    const sunday = boletoOf({ payday: day("2026-11-15") })
    assert.strictEqual(statusOf(sunday, paid(10_000, "2026-11-16"), open), "lessValueBoleto")
  })

  it("is paid short if the amount due exceeds the largest amount", () => {
    const dear = boletoOf({ payday, value: cents(99_999_999_999) })
    const absurd: SettlementContext = { terms: { fine: 99_999_999_999 }, now }
    assert.deepStrictEqual(dueOn(dear, day("2026-11-16"), absurd.terms), { minimum: Infinity, maximum: Infinity })
    assert.strictEqual(statusOf(dear, paid(99_999_999_999, "2026-11-16"), absurd), "lessValueBoleto")
  })

  it("stores the payment, its fee and the time of the status", () => {
    const settlement = { ...paid(10_000), fee: cents(150) }
    const { events, next } = decided(settle(boleto, settlement, usual))
    has(next, { settlements: [settlement], statusAt: now, updatedAt: now })
    assert.strictEqual(feeOf(next), 150)
    assert.deepStrictEqual(events, [
      { _tag: "TransactionSettled", transactionId: boleto.id, settlement },
      { _tag: "TransactionStatusChanged", transactionId: boleto.id, from: "pendingBoleto", to: "payedBoleto" }
    ])
    assert.isUndefined(feeOf(decided(settle(boleto, paid(10_000), usual)).next))
  })

  it.each(["payedBoleto", "lessValueBoleto", "moreValueBoleto"] as const)("that is %s and paid again", (status) => {
    const first = { ...paid(10_000), fee: cents(150) }
    const second = { ...paid(10_000, "2026-11-12", "s2"), fee: cents(90) }
    const once = { ...stateIn(status), settlements: [first] } as TransactionState
    const decision = decided(settle(once, second, usual))
    assert.deepStrictEqual(changes(decision), [`${status} -> paidDuplicityBoleto`])
    has(decision.next, { settlements: [first, second] })
    assert.strictEqual(feeOf(decision.next), 150)
  })

  it("is not paid twice by a repeated report", () => {
    const once = decided(settle(boleto, paid(10_000), usual)).next
    assert.deepStrictEqual(decided(settle(once, paid(10_000), usual)), { next: once, events: [] })
    const twice = decided(settle(once, paid(10_000, "2026-11-12", "s2"), usual)).next
    assert.deepStrictEqual(decided(settle(twice, paid(10_000), usual)), { next: twice, events: [] })
  })

  it.each([paid(9_999), paid(10_000, "2026-11-12")])("refuses a different payment with the same id", (other) => {
    const once = decided(settle(boleto, paid(10_000), usual)).next
    assert.deepStrictEqual(refused(settle(once, other, usual)), {
      _tag: "SettlementDiffers",
      recorded: cents(10_000),
      reported: other.value
    })
  })
})

describe("a Pix", () => {
  it("must be paid exactly, with fine and interest if it is late", () => {
    assert.strictEqual(statusOf(pix, paid(10_000), usual), "payedPix")
    assert.strictEqual(statusOf(pix, paid(10_216, "2026-11-16"), usual), "payedPix")
    assert.strictEqual(statusOf(pix, paid(10_217, "2026-11-16"), usual), "payedPix")
  })

  it.each([
    [9_999, "2026-11-11", 10_000],
    [10_001, "2026-11-11", 10_000],
    [10_000, "2026-11-16", 10_216],
    [10_218, "2026-11-16", 10_216]
  ])("is not paid with %d cents on %s", (value, paidOn, due) => {
    assert.deepStrictEqual(refused(settle(pix, paid(value, paidOn), usual)), {
      _tag: "PixValueDiffers",
      due: cents(due),
      paid: cents(value)
    })
  })

  it("reports the largest amount if the amount due exceeds it", () => {
    const dear = pixOf({ payday, value: cents(99_999_999_999) })
    const absurd: SettlementContext = { terms: { fine: 99_999_999_999 }, now }
    has(refused(settle(dear, paid(1, "2026-11-16"), absurd)), { due: 99_999_999_999 })
  })

  it("is not paid twice: a repeated report changes nothing, another payment is refused", () => {
    const once = decided(settle(pix, paid(10_000), usual)).next
    assert.deepStrictEqual(decided(settle(once, paid(10_000), usual)), { next: once, events: [] })
    assert.deepStrictEqual(refused(settle(once, paid(10_000, "2026-11-11", "s2"), usual)), {
      _tag: "TransactionCannot",
      cause: "settle",
      status: "payedPix"
    })
  })
})

describe("a settlement", () => {
  const settled: ReadonlyArray<string> = [
    "pendingBoleto",
    "payedBoleto",
    "lessValueBoleto",
    "moreValueBoleto",
    "paidDuplicityBoleto",
    "pendingPix"
  ]

  it.each(TransactionStatus.literals.filter((status) => !settled.includes(status)))("is refused for %s", (status) => {
    assert.deepStrictEqual(refused(settle(stateIn(status), paid(10_000), usual)), {
      _tag: "TransactionCannot",
      cause: "settle",
      status
    })
  })

  it("is refused while the registration is pending", () => {
    const state = pendingAttempt(transactionOf("boleto", { payday }), "register")
    assert.deepStrictEqual(refused(settle(state, paid(10_000), usual)), { _tag: "AttemptPending" })
  })

  it("is recorded during a pending cancellation", () => {
    const { next } = decided(settle(pendingAttempt(boleto, "cancel"), paid(10_000), usual))
    assert.deepStrictEqual(next, decided(settle(boleto, paid(10_000), usual)).next)
  })

  it("is refused for an unregistered payment", () => {
    for (const method of ["boleto", "pix"] as const) {
      const state = transactionOf(method, { payday })
      assert.deepStrictEqual(refused(settle(state, paid(10_000), usual)), { _tag: "NotRegistered" })
    }
  })
})
