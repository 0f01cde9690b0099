import { assert, describe, it } from "@effect/vitest"
import { beginCapture, capture } from "../src/TransactionCapture.ts"
import { recordOutcome } from "../src/TransactionDecider.ts"
import { TransactionStatus } from "../src/TransactionStatus.ts"
import { attempt, changes, decided, now, otherAttempt, refused, transactionOf, has } from "./fixtures/States.ts"

const authorized = transactionOf("creditcard", { status: "authorized" })

describe("capture", () => {
  it("takes what was authorized", () => {
    const decision = decided(capture(authorized, now))
    has(decision.next, { status: "captured", statusAt: now, updatedAt: now })
    assert.deepStrictEqual(changes(decision), ["authorized -> captured"])
  })

  it.each(TransactionStatus.literals.filter((status) => status !== "authorized"))("is refused for %s", (status) => {
    const expected = { _tag: "TransactionCannot", cause: "capture", status } as const
    assert.deepStrictEqual(refused(capture(transactionOf("creditcard", { status }), now)), expected)
    assert.deepStrictEqual(refused(beginCapture(transactionOf("creditcard", { status }), attempt, now)), expected)
  })

  it("waits for the attempt under way", () => {
    assert.deepStrictEqual(refused(capture({ ...authorized, attemptId: attempt }, now)), { _tag: "AttemptUnderWay" })
  })
})

describe("beginCapture", () => {
  it("puts an attempt under way whose outcome is recorded as any other's", () => {
    const begun = decided(beginCapture(authorized, attempt, now)).next
    has(begun, { status: "authorized", attemptId: attempt, lastSentAt: now })
    const captured = { _tag: "Captured", tid: "t", authorizationCode: "a" } as const
    assert.strictEqual(decided(recordOutcome(begun, attempt, captured, now)).next.status, "captured")
    assert.deepStrictEqual(refused(beginCapture(begun, otherAttempt, now)), { _tag: "AttemptUnderWay" })
  })
})
