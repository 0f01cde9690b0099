import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { ReverseTransaction } from "../src/ReverseTransaction.ts"
import { beginReversal, dispute, leftToReverse, recordReversal, reverse } from "../src/TransactionReversal.ts"
import { recordOutcome } from "../src/TransactionDecider.ts"
import type { TransactionState } from "../src/TransactionState.ts"
import { TransactionStatus } from "../src/TransactionStatus.ts"
import {
  attempt,
  before,
  cents,
  changes,
  decided,
  now,
  otherAttempt,
  refused,
  transactionOf,
  has
} from "./fixtures/States.ts"

const captured = transactionOf("creditcard", { status: "captured", value: cents(10_000) })
const authorized = transactionOf("creditcard", { status: "authorized", value: cents(10_000) })
const part = (value: number) => ({ valueToReverse: cents(value) })
const neither = TransactionStatus.literals.filter((status) => status !== "captured" && status !== "authorized")

describe("reverse", () => {
  it("gives the whole back when no part is named", () => {
    const decision = decided(reverse(captured, {}, now))
    has(decision.next, { status: "reversed", reversed: 10_000, statusAt: now, updatedAt: now })
    assert.deepStrictEqual(decision.events, [
      { _tag: "TransactionReversed", transactionId: captured.id, value: cents(10_000) },
      { _tag: "TransactionStatusChanged", transactionId: captured.id, from: "captured", to: "reversed" }
    ])
  })

  it("keeps the status, and its time, while something is left", () => {
    const decision = decided(reverse(captured, part(2_500), now))
    has(decision.next, { status: "captured", reversed: 2_500, statusAt: before, updatedAt: now })
    assert.deepStrictEqual(decision.events, [
      { _tag: "TransactionReversed", transactionId: captured.id, value: cents(2_500) }
    ])
    assert.strictEqual(leftToReverse(decision.next), 7_500)
  })

  it("adds parts up, and is reversed with the last of them", () => {
    const once = decided(reverse(captured, part(2_500), now)).next
    const rest = decided(reverse(once, part(7_500), now))
    has(rest.next, { status: "reversed", reversed: 10_000 })
    assert.deepStrictEqual(changes(rest), ["captured -> reversed"])
  })

  it("gives back what is left when parts were given back before", () => {
    const decision = decided(reverse({ ...captured, reversed: cents(9_999) }, {}, now))
    has(decision.next, { status: "reversed", reversed: 10_000 })
    has(decision.events[0], { value: 1 })
  })

  it.each([0, 10_001])("refuses to give back %d of 10000 cents", (value) => {
    assert.deepStrictEqual(refused(reverse(captured, part(value), now)), {
      _tag: "ReversalOutOfRange",
      left: cents(10_000)
    })
  })

  it("refuses more than is left", () => {
    const state = { ...captured, reversed: cents(6_000) }
    assert.deepStrictEqual(refused(reverse(state, part(4_001), now)), {
      _tag: "ReversalOutOfRange",
      left: cents(4_000)
    })
    assert.strictEqual(decided(reverse(state, part(4_000), now)).next.status, "reversed")
  })

  it("releases an authorized amount whole or not at all", () => {
    assert.deepStrictEqual(changes(decided(reverse(authorized, {}, now))), ["authorized -> reversed"])
    assert.deepStrictEqual(changes(decided(reverse(authorized, part(10_000), now))), ["authorized -> reversed"])
    assert.deepStrictEqual(refused(reverse(authorized, part(9_999), now)), { _tag: "AuthorizedInPart" })
  })

  it.each(neither)("is refused for %s", (status) => {
    const expected = { _tag: "TransactionCannot", cause: "reverse", status } as const
    assert.deepStrictEqual(refused(reverse({ ...captured, status }, {}, now)), expected)
    assert.deepStrictEqual(refused(beginReversal({ ...captured, status }, {}, attempt, now)), expected)
  })

  it("waits for the attempt under way", () => {
    const expected = { _tag: "AttemptUnderWay" } as const
    assert.deepStrictEqual(refused(reverse({ ...captured, attemptId: attempt }, {}, now)), expected)
    assert.deepStrictEqual(refused(beginReversal({ ...captured, attemptId: attempt }, {}, otherAttempt, now)), expected)
  })

  it("never gives back more than was taken, whatever parts are asked for", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6_000 }), { maxLength: 12 }), (parts) => {
        let state: TransactionState = captured
        let given = 0
        for (const value of parts) {
          const left = 10_000 - given
          const decision = reverse(state, part(value), now)
          assert.strictEqual(Result.isSuccess(decision), value > 0 && value <= left)
          state = Result.isSuccess(decision) ? decision.success.next : state
          given += Result.isSuccess(decision) ? value : 0
          assert.strictEqual(state.reversed ?? 0, given)
          assert.strictEqual(state.status, given === 10_000 ? "reversed" : "captured")
        }
      })
    )
  })
})

describe("a reversal that the operator is asked for", () => {
  const begun = decided(beginReversal(captured, part(4_000), attempt, now)).next

  it("is written down before it is asked for, and changes nothing yet", () => {
    has(begun, { status: "captured", attemptId: attempt, reversing: 4_000, lastSentAt: now })
    assert.isUndefined(begun.reversed)
    assert.deepStrictEqual(refused(dispute(begun, now)), { _tag: "AttemptUnderWay" })
  })

  it("gives back what was asked for once the operator did", () => {
    const { next } = decided(recordReversal(begun, attempt, "Reversed", now))
    has(next, { status: "captured", reversed: 4_000 })
    assert.doesNotHaveAnyKeys(next, ["attemptId", "reversing"])
  })

  it("leaves everything as it was when the operator refuses", () => {
    const { events, next } = decided(recordReversal(begun, attempt, "Refused", now))
    assert.deepStrictEqual(next, { ...captured, lastSentAt: now, updatedAt: now })
    assert.deepStrictEqual(events, [
      { _tag: "OperatorAnswered", transactionId: captured.id, attemptId: attempt, outcome: "Denied" }
    ])
  })

  it("takes no outcome of another attempt, nor of a charge", () => {
    const expected = { _tag: "AttemptUnknown" } as const
    const denied = { _tag: "Denied", tid: "t", code: "51", message: "no funds" } as const
    assert.deepStrictEqual(refused(recordReversal(begun, otherAttempt, "Reversed", now)), expected)
    assert.deepStrictEqual(refused(recordReversal(captured, attempt, "Reversed", now)), expected)
    assert.deepStrictEqual(refused(recordOutcome(begun, attempt, denied, now)), expected)
    const charged = { ...authorized, attemptId: attempt }
    assert.deepStrictEqual(refused(recordReversal(charged, attempt, "Reversed", now)), expected)
  })
})

describe("dispute", () => {
  it("takes a captured charge back, also one of which a part was given back", () => {
    assert.deepStrictEqual(changes(decided(dispute(captured, now))), ["captured -> chargeback"])
    assert.strictEqual(decided(dispute({ ...captured, reversed: cents(1) }, now)).next.status, "chargeback")
  })

  it.each(TransactionStatus.literals.filter((status) => status !== "captured"))("is refused for %s", (status) => {
    assert.deepStrictEqual(refused(dispute({ ...captured, status }, now)), {
      _tag: "TransactionCannot",
      cause: "dispute",
      status
    })
  })
})

describe("ReverseTransaction", () => {
  it.each([{}, { valueToReverse: 1 }, { valueToReverse: 99_999_999_999 }])("accepts %j", (body) => {
    assert.isTrue(Schema.is(ReverseTransaction)(body))
  })

  it.each([{ valueToReverse: 0 }, { valueToReverse: -1 }, { valueToReverse: 0.5 }, { valueToReverse: "1" }, null])(
    "refuses %j",
    (body) => {
      assert.isFalse(Schema.is(ReverseTransaction)(body))
    }
  )
})
