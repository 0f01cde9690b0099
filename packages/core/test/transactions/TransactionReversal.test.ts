import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { ReverseTransaction } from "../../src/transactions/PaymentRequests.ts"
import { startReversal, dispute, reversibleAmount, reverse } from "../../src/transactions/TransactionReversal.ts"
import { reversedOf, type TransactionState, pendingAttemptOf } from "../../src/transactions/TransactionState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import {
  attempt,
  authorized,
  before,
  captured,
  cents,
  changes,
  decided,
  has,
  newAttempt,
  now,
  otherAttempt,
  record,
  refused,
  stateIn,
  pendingAttempt
} from "../fixtures/States.ts"

const part = (value: number) => ({ valueToReverse: cents(value) })
const neither = TransactionStatus.literals.filter((status) => status !== "captured" && status !== "authorized")

describe("reverse", () => {
  it("gives the whole back when no part is named", () => {
    const decision = decided(reverse(captured, {}, now))
    has(decision.next, { status: "reversed", statusAt: now, updatedAt: now })
    assert.strictEqual(reversedOf(decision.next), 10_000)
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
    assert.strictEqual(reversibleAmount(decision.next), 7_500)
  })

  it("adds parts up, and is reversed with the last of them", () => {
    const once = decided(reverse(captured, part(2_500), now)).next
    const rest = decided(reverse(once, part(7_500), now))
    has(rest.next, { status: "reversed" })
    assert.deepStrictEqual(changes(rest), ["captured -> reversed"])
  })

  it("gives back what is left when parts were given back before", () => {
    const decision = decided(reverse({ ...captured, reversed: cents(9_999) }, {}, now))
    has(decision.next, { status: "reversed" })
    has(decision.events[0], { value: 1 })
  })

  it.each([0, 10_001])("refuses to give back %d of 10000 cents", (value) => {
    assert.deepStrictEqual(refused(reverse(captured, part(value), now)), {
      _tag: "ReversalOutOfRange",
      entity: "Transaction",
      left: cents(10_000)
    })
  })

  it("refuses more than is left", () => {
    const state = { ...captured, reversed: cents(6_000) }
    assert.deepStrictEqual(refused(reverse(state, part(4_001), now)), {
      _tag: "ReversalOutOfRange",
      entity: "Transaction",
      left: cents(4_000)
    })
    assert.strictEqual(decided(reverse(state, part(4_000), now)).next.status, "reversed")
  })

  it("releases an authorized amount whole or not at all", () => {
    assert.deepStrictEqual(changes(decided(reverse(authorized, {}, now))), ["authorized -> reversed"])
    assert.deepStrictEqual(changes(decided(reverse(authorized, part(10_000), now))), ["authorized -> reversed"])
    assert.deepStrictEqual(refused(reverse(authorized, part(9_999), now)), {
      _tag: "AuthorizedInPart",
      entity: "Transaction"
    })
  })

  it.each(neither)("is refused for %s", (status) => {
    const expected = { _tag: "TransactionCannot", cause: "reverse", status } as const
    assert.deepStrictEqual(refused(reverse(stateIn(status), {}, now)), expected)
    assert.deepStrictEqual(refused(startReversal(stateIn(status), {}, newAttempt(), now)), expected)
  })

  it("waits for the attempt under way", () => {
    const expected = { _tag: "AttemptPending" } as const
    assert.deepStrictEqual(refused(reverse(pendingAttempt(captured, "reverse"), {}, now)), expected)
    const another = startReversal(pendingAttempt(captured, "reverse"), {}, newAttempt(otherAttempt), now)
    assert.deepStrictEqual(refused(another), expected)
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
          assert.strictEqual(reversedOf(state), given)
          assert.strictEqual(state.status, given === 10_000 ? "reversed" : "captured")
        }
      })
    )
  })
})

describe("a reversal that the operator is asked for", () => {
  const { attempt: asked, next: begun } = decided(startReversal(captured, part(4_000), newAttempt(), now))

  it("is written down before it is asked for, and changes nothing yet", () => {
    has(begun, { status: "captured", lastSentAt: now })
    assert.deepStrictEqual(pendingAttemptOf(begun), { attemptId: attempt, kind: "reverse", value: cents(4_000) })
    has(asked, { kind: "reverse", value: 4_000 })
    assert.strictEqual(reversedOf(begun), 0)
    assert.deepStrictEqual(refused(dispute(begun, "d", now)), { _tag: "AttemptPending" })
  })

  it("gives back what was asked for once the operator did", () => {
    const { attempt: ended, next } = decided(record(begun, { _tag: "Reversed" }))
    has(next, { status: "captured", reversed: 4_000 })
    assert.isUndefined(pendingAttemptOf(next))
    assert.deepStrictEqual(ended.result, { outcome: "reversed", at: now })
  })

  it("leaves everything as it was when the operator denies it", () => {
    const denialForGood = { _tag: "FinallyDenied", code: "R1", message: "too late" } as const
    const { events, next } = decided(record(begun, denialForGood))
    assert.deepStrictEqual(next, { ...captured, lastSentAt: now, updatedAt: now })
    assert.deepStrictEqual(events, [
      {
        _tag: "ProviderDenied",
        transactionId: captured.id,
        attemptId: attempt,
        kind: "reverse",
        code: "R1",
        message: "too late"
      }
    ])
  })

  it("takes no outcome of another attempt, nor of a charge", () => {
    const expected = { _tag: "AttemptUnknown" } as const
    const denied = { _tag: "Denied", tid: "t", code: "51", message: "no funds" } as const
    assert.deepStrictEqual(refused(record(begun, { _tag: "Reversed" }, { id: otherAttempt })), expected)
    assert.deepStrictEqual(refused(record(captured, { _tag: "Reversed" })), expected)
    assert.deepStrictEqual(refused(record(begun, denied)), expected)
    assert.deepStrictEqual(refused(record(pendingAttempt(authorized, "capture"), { _tag: "Reversed" })), expected)
  })
})

describe("dispute", () => {
  it("takes a captured charge back, also one of which a part was given back", () => {
    assert.deepStrictEqual(changes(decided(dispute(captured, "d", now))), ["captured -> chargeback"])
    assert.strictEqual(decided(dispute({ ...captured, reversed: cents(1) }, "d", now)).next.status, "chargeback")
  })

  it.each(TransactionStatus.literals.filter((status) => status !== "captured"))("is refused for %s", (status) => {
    assert.deepStrictEqual(refused(dispute(stateIn(status), "d", now)), {
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
