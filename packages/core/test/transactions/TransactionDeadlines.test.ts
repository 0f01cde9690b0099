import { assert, describe, it } from "@effect/vitest"
import { addDays, LocalDate } from "../../src/time/LocalDate.ts"
import {
  mustSend,
  transactionDue,
  expire,
  expiresAt,
  type ExpiryOptions,
  type ExpiryTerms,
  mayExpire
} from "../../src/transactions/TransactionDeadlines.ts"
import type { TransactionState } from "../../src/transactions/TransactionState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import {
  stateIn,
  transactionOf,
  pendingAttempt,
  at,
  boletoOf,
  changes,
  code,
  day,
  decided,
  has,
  refused
} from "../fixtures/States.ts"
import { DateTime } from "effect"
import { BusinessTime, latest, fromEpochMillis } from "../../src/time/Instant.ts"

const today = LocalDate.make("2026-09-21")

const opened = [
  transactionOf("boleto"),
  transactionOf("pix"),
  pendingAttempt(transactionOf("creditcard"), "charge"),
  pendingAttempt(transactionOf("boleto"), "register"),
  pendingAttempt(transactionOf("pix"), "register")
]

const states = [...TransactionStatus.literals.map(stateIn), ...opened].flatMap((state) =>
  [-400, 0, 400].map((days): TransactionState => ({ ...state, payday: addDays(today, days) }))
)

describe("transactionDue", () => {
  it.each(["sent", "paused", "cancelled"] as const)(
    "agrees with mustSend on each day while open payments are %s",
    (open) => {
      for (const state of states) {
        const due = transactionDue(state, open)
        for (const days of [-800, -400, -1, 0, 1, 400, 800]) {
          const day = addDays(today, days)
          const isDue = due._tag === "AtOnce" || (due._tag === "OnDay" && due.day <= day)
          assert.strictEqual(isDue, mustSend(state, day, open), JSON.stringify([state, day]))
        }
        assert.strictEqual(
          due._tag === "Paused",
          transactionDue(state)._tag !== "Never" && !mustSend(state, state.payday, open)
        )
      }
    }
  )

  it("returns Paused for a due payment while open payments are paused", () => {
    const [state] = states.filter(({ method, status }) => status === "notSend" && method === "creditcard")
    assert.deepStrictEqual(transactionDue(state!, "paused"), { _tag: "Paused" })
    assert.deepStrictEqual(transactionDue(state!, "sent"), { _tag: "OnDay", day: state!.payday })
  })
})

// A Wednesday; Friday the 20th is a holiday.
const payday = day("2026-11-11")
const boleto = transactionOf("boleto", { payday })
const pix = transactionOf("pix", { payday })

const expiry = (state: TransactionState, terms: ExpiryTerms, options?: ExpiryOptions) => {
  const instant = expiresAt(state, terms, options)
  return instant === undefined ? "never" : fromEpochMillis(instant)
}
const openedFor30Minutes = {
  ...pix,
  registration: {
    charge: code,
    documentKey: "key",
    at: at("2026-11-11 10:15:00"),
    terms: { Deadline: { type: "minutes", value: 30 } }
  }
} as const
const days = (value: number): ExpiryTerms => ({ pix: { Deadline: { type: "days", value } } })
const minutes = (value: number): ExpiryTerms => ({ pix: { Deadline: { type: "minutes", value } } })

describe("a boleto", () => {
  it.each([
    [0, "2026-11-14 00:00:00"],
    [1, "2026-11-17 00:00:00"],
    // Saturday the 14th: payable on Monday the 16th.
    [3, "2026-11-19 00:00:00"],
    // Thursday the 19th: the next business days are the 23rd and the 24th.
    [8, "2026-11-25 00:00:00"],
    // Friday the 20th is the holiday: payable on Monday.
    [9, "2026-11-26 00:00:00"]
  ])("with %d days expires when a payment of its last day would have been reported", (deadlineDays, expected) => {
    assert.strictEqual(expiry(boleto, { boleto: { deadlineDays } }), expected)
  })

  it("has thirty days by default, or the configured number", () => {
    assert.strictEqual(expiry(boleto, {}), "2026-12-16 00:00:00")
    assert.strictEqual(expiry(boleto, { boleto: {} }, { deadlineDays: 0 }), "2026-11-14 00:00:00")
  })

  it("keeps the deadline of its registration", () => {
    const registered = boletoOf({ payday })
    const { registration } = registered
    if (registration === undefined) return assert.fail("it is registered")
    const terms = { deadlineDays: 0 }
    const kept = { ...registered, registration: { ...registration, terms } }
    assert.strictEqual(expiry(kept, { boleto: { deadlineDays: 9 } }), "2026-11-14 00:00:00")
  })

  it("expires after the configured settlement days of the configured calendar", () => {
    const terms = { boleto: { deadlineDays: 0 } }
    assert.strictEqual(expiry(boleto, terms, { settlementDays: 0 }), "2026-11-12 00:00:00")
    assert.strictEqual(expiry(boleto, terms, { calendar: { closed: [day("2026-11-12")] } }), "2026-11-17 00:00:00")
  })

  it("expires at the end of the day in the configured zone", () => {
    const zone = DateTime.zoneMakeOffset(0)
    assert.strictEqual(expiry(boleto, { boleto: { deadlineDays: 0 } }, { zone }), "2026-11-13 21:00:00")
  })

  it("expires at its deadline and not before", () => {
    const terms = { boleto: { deadlineDays: 0 } }
    const until = at("2026-11-14 00:00:00")
    const early = BusinessTime.make(until - 1)
    assert.deepStrictEqual(refused(expire(boleto, terms, early)), {
      _tag: "NotExpiredYet",
      until: "2026-11-14 00:00:00"
    })
    const decision = decided(expire(boleto, terms, until))
    assert.deepStrictEqual(changes(decision), ["pendingBoleto -> notCompensated"])
    has(decision.next, { statusAt: until, updatedAt: until })
  })
})

describe("a Pix", () => {
  it.each([
    [0, "2026-11-12 00:00:00"],
    [1, "2026-11-13 00:00:00"],
    // Saturday the 14th: payable until Monday the 16th, as API Pix counts validadeAposVencimento.
    [3, "2026-11-17 00:00:00"],
    // Friday the 20th is the holiday: payable until Monday.
    [9, "2026-11-24 00:00:00"]
  ])("with %d days expires at the end of its last day", (value, expected) => {
    assert.strictEqual(expiry(pix, days(value)), expected)
  })

  // Saturday 2026-02-14 is before Carnival: due on Ash Wednesday, and the days count from there.
  it.each([
    [0, "2026-02-19 00:00:00"],
    [1, "2026-02-20 00:00:00"]
  ])("due on the Saturday before Carnival, with %d days, ends with a business day", (value, expected) => {
    assert.strictEqual(expiry(transactionOf("pix", { payday: day("2026-02-14") }), days(value)), expected)
  })

  it("has thirty days by default", () => {
    assert.strictEqual(expiry(pix, {}), "2026-12-12 00:00:00")
    assert.strictEqual(expiry(pix, { pix: {} }), "2026-12-12 00:00:00")
  })

  it("keeps the deadline of its registration", () => {
    assert.strictEqual(expiry(openedFor30Minutes, days(9)), "2026-11-11 10:45:00")
  })

  it("counts minutes from the creation of its code", () => {
    assert.strictEqual(expiry(openedFor30Minutes, {}), "2026-11-11 10:45:00")
    assert.strictEqual(expiry(pix, minutes(30)), "2026-11-21 09:30:00")
  })

  it("becomes unavailable at its deadline and not before", () => {
    assert.deepStrictEqual(refused(expire(openedFor30Minutes, {}, at("2026-11-11 10:44:59"))), {
      _tag: "NotExpiredYet",
      until: "2026-11-11 10:45:00"
    })
    const decision = decided(expire(openedFor30Minutes, {}, at("2026-11-11 10:45:00")))
    assert.deepStrictEqual(changes(decision), ["pendingPix -> unavailablePix"])
  })
})

describe("any deadline", () => {
  it.each([
    [boleto, { boleto: { deadlineDays: 99_999_999_999 } }],
    [boleto, { boleto: { deadlineDays: 2_912_345 } }],
    [pix, days(99_999_999_999)],
    [pix, minutes(99_999_999_999)],
    [transactionOf("boleto", { payday: day("9999-12-31") }), {}],
    [transactionOf("pix", { payday: day("9999-12-31") }), {}]
  ] as const)("is at most the last valid instant", (state, terms) => {
    assert.strictEqual(expiresAt(state, terms), latest)
  })

  it("does not exist for a card payment", () => {
    assert.strictEqual(expiry(transactionOf("creditcard"), {}), "never")
  })

  it.each(TransactionStatus.literals.filter((status) => status !== "pendingBoleto" && status !== "pendingPix"))(
    "does not expire %s",
    (status) => {
      assert.deepStrictEqual(refused(expire(stateIn(status), {}, BusinessTime.make(latest))), {
        _tag: "TransactionCannot",
        cause: "expire",
        status
      })
    }
  )

  it("exists only for a registered open payment without a pending attempt", () => {
    const expiring = TransactionStatus.literals.filter((status) => mayExpire(stateIn(status)))
    assert.deepStrictEqual(expiring, ["pendingBoleto", "pendingPix"])
    assert.isFalse(mayExpire(pix))
    assert.isFalse(mayExpire(pendingAttempt(boletoOf(), "cancel")))
  })

  it("does not expire a payment while an attempt is pending", () => {
    assert.deepStrictEqual(refused(expire(pendingAttempt(pix, "register"), {}, BusinessTime.make(latest))), {
      _tag: "AttemptPending"
    })
  })
})
