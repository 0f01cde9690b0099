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
  it("reverses the whole amount by default", () => {
    const decision = decided(reverse(captured, {}, now))
    has(decision.next, { status: "reversed", statusAt: now, updatedAt: now })
    assert.strictEqual(reversedOf(decision.next), 10_000)
    assert.deepStrictEqual(decision.events, [
      { _tag: "TransactionReversed", transactionId: captured.id, value: cents(10_000) },
      { _tag: "TransactionStatusChanged", transactionId: captured.id, from: "captured", to: "reversed" }
    ])
  })

  it("keeps the status and its time while an amount remains", () => {
    const decision = decided(reverse(captured, part(2_500), now))
    has(decision.next, { status: "captured", reversed: 2_500, statusAt: before, updatedAt: now })
    assert.deepStrictEqual(decision.events, [
      { _tag: "TransactionReversed", transactionId: captured.id, value: cents(2_500) }
    ])
    assert.strictEqual(reversibleAmount(decision.next), 7_500)
  })

  it("adds partial amounts, and is reversed after the last one", () => {
    const once = decided(reverse(captured, part(2_500), now)).next
    const rest = decided(reverse(once, part(7_500), now))
    has(rest.next, { status: "reversed" })
    assert.deepStrictEqual(changes(rest), ["captured -> reversed"])
  })

  it("reverses the remaining amount after partial reversals", () => {
    const decision = decided(reverse({ ...captured, reversed: cents(9_999) }, {}, now))
    has(decision.next, { status: "reversed" })
    has(decision.events[0], { value: 1 })
  })

  it.each([0, 10_001])("refuses to reverse %d of 10000 cents", (value) => {
    assert.deepStrictEqual(refused(reverse(captured, part(value), now)), {
      _tag: "ReversalOutOfRange",
      entity: "Transaction",
      left: cents(10_000)
    })
  })

  it("refuses more than the remaining amount", () => {
    const state = { ...captured, reversed: cents(6_000) }
    assert.deepStrictEqual(refused(reverse(state, part(4_001), now)), {
      _tag: "ReversalOutOfRange",
      entity: "Transaction",
      left: cents(4_000)
    })
    assert.strictEqual(decided(reverse(state, part(4_000), now)).next.status, "reversed")
  })

  it("releases an authorized amount only as a whole", () => {
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

  it("is refused while an attempt is pending", () => {
    const expected = { _tag: "AttemptPending" } as const
    assert.deepStrictEqual(refused(reverse(pendingAttempt(captured, "reverse"), {}, now)), expected)
    const another = startReversal(pendingAttempt(captured, "reverse"), {}, newAttempt(otherAttempt), now)
    assert.deepStrictEqual(refused(another), expected)
  })

  it("never reverses more than was captured, for any partial amounts", () => {
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

describe("a reversal at the card operator", () => {
  const { attempt: asked, next: begun } = decided(startReversal(captured, part(4_000), newAttempt(), now))

  it("is stored as a pending attempt before the call", () => {
    has(begun, { status: "captured", lastSentAt: now })
    assert.deepStrictEqual(pendingAttemptOf(begun), { attemptId: attempt, kind: "reverse", value: cents(4_000) })
    has(asked, { kind: "reverse", value: 4_000 })
    assert.strictEqual(reversedOf(begun), 0)
    assert.deepStrictEqual(refused(dispute(begun, "d", now)), { _tag: "AttemptPending" })
  })

  it("reverses the requested amount after the operator confirmed", () => {
    const { attempt: ended, next } = decided(record(begun, { _tag: "Reversed" }))
    has(next, { status: "captured", reversed: 4_000 })
    assert.isUndefined(pendingAttemptOf(next))
    assert.deepStrictEqual(ended.result, { outcome: "reversed", at: now })
  })

  it("changes nothing if the operator denies", () => {
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

  it("refuses the outcome of another attempt or of a charge", () => {
    const expected = { _tag: "AttemptUnknown" } as const
    const denied = { _tag: "Denied", tid: "t", code: "51", message: "no funds" } as const
    assert.deepStrictEqual(refused(record(begun, { _tag: "Reversed" }, { id: otherAttempt })), expected)
    assert.deepStrictEqual(refused(record(captured, { _tag: "Reversed" })), expected)
    assert.deepStrictEqual(refused(record(begun, denied)), expected)
    assert.deepStrictEqual(refused(record(pendingAttempt(authorized, "capture"), { _tag: "Reversed" })), expected)
  })
})

describe("dispute", () => {
  it("accepts a captured charge, also after a partial reversal", () => {
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
