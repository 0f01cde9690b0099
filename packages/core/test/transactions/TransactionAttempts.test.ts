import { assert, describe, it } from "@effect/vitest"
import { startCapture, capture } from "../../src/transactions/TransactionAttempts.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import {
  attempt,
  authorized,
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

describe("capture", () => {
  it("captures an authorized amount", () => {
    const decision = decided(capture(authorized, now))
    has(decision.next, { status: "captured", statusAt: now, updatedAt: now })
    assert.deepStrictEqual(changes(decision), ["authorized -> captured"])
  })

  it.each(TransactionStatus.literals.filter((status) => status !== "authorized"))("is refused for %s", (status) => {
    const expected = { _tag: "TransactionCannot", cause: "capture", status } as const
    assert.deepStrictEqual(refused(capture(stateIn(status), now)), expected)
    assert.deepStrictEqual(refused(startCapture(stateIn(status), newAttempt(), now)), expected)
  })

  it("is refused while an attempt is pending", () => {
    assert.deepStrictEqual(refused(capture(pendingAttempt(authorized, "capture"), now)), { _tag: "AttemptPending" })
  })
})

describe("startCapture", () => {
  it("starts an attempt whose outcome is recorded like any other", () => {
    const { attempt: asked, next: begun } = decided(startCapture(authorized, newAttempt(), now))
    has(begun, { status: "authorized", lastSentAt: now })
    has(asked, { id: attempt, kind: "capture", value: 10_000, cardId: authorized.cardId, provider: "cardOperator" })
    const captured = { _tag: "Captured", tid: "t", authorizationCode: "a" } as const
    assert.strictEqual(decided(record(begun, captured)).next.status, "captured")
    assert.deepStrictEqual(refused(startCapture(begun, newAttempt(otherAttempt), now)), { _tag: "AttemptPending" })
  })
})
