import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "../../src/values/Identifier.ts"
import { cancel, cancelByContract, waive, openOf, payOutside } from "../../src/transactions/TransactionEndings.ts"
import { type TransactionCause, TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import {
  authorized,
  captured,
  changes,
  decided,
  deniedOf,
  has,
  now,
  pixOf,
  refused,
  stateIn,
  transactionOf,
  pendingAttempt
} from "../fixtures/States.ts"

const endings = [
  ["cancel", cancel, "cancel"],
  ["cancelContract", cancelByContract, "cancelByContract"],
  ["payOutside", payOutside, "payExternal"],
  ["waive", waive, "free"]
] as const satisfies ReadonlyArray<readonly [TransactionCause, typeof cancel, TransactionStatus]>

const open = ["notSend", "denied", "pendingBoleto", "pendingPix"] as const
const others = TransactionStatus.literals.filter((status) => !(open as ReadonlyArray<string>).includes(status))

describe.each(endings)("%s", (cause, decide, to) => {
  it.each(open)(`makes it ${to} when it is %s`, (status) => {
    const decision = decided(decide(stateIn(status), now))
    has(decision.next, { status: to, statusAt: now, updatedAt: now })
    assert.deepStrictEqual(changes(decision), [`${status} -> ${to}`])
  })

  it.each(others)("is refused when it is %s", (status) => {
    assert.deepStrictEqual(refused(decide(stateIn(status), now)), {
      _tag: "TransactionCannot",
      cause,
      status
    })
  })

  it.each([
    pendingAttempt(transactionOf("creditcard"), "charge"),
    pendingAttempt(deniedOf(), "charge"),
    pendingAttempt(transactionOf("boleto"), "register"),
    pendingAttempt(pixOf(), "cancel")
  ])("waits for the attempt under way when it is $status", (state) => {
    assert.deepStrictEqual(refused(decide(state, now)), { _tag: "AttemptPending" })
  })
})

describe("openOf", () => {
  const all = TransactionStatus.literals.map((status, place) => ({ ...stateIn(status), id: SvcPayId.make(place + 1) }))

  it("chooses those that nobody has paid or holds money of", () => {
    const { now: chosen, afterOutcome } = openOf(all)
    assert.deepStrictEqual(
      chosen.map(({ status }) => status),
      ["notSend", "denied", "pendingBoleto", "pendingPix"]
    )
    assert.deepStrictEqual(afterOutcome, [])
  })

  it("chooses only what can be cancelled", () => {
    assert.isTrue(openOf(all).now.every((state) => decided(cancelByContract(state, now)).next.status !== state.status))
  })

  it("leaves those under way for later, and reversals alone", () => {
    const charged = pendingAttempt(transactionOf("creditcard"), "charge")
    const retried = pendingAttempt(authorized, "capture")
    const reversing = pendingAttempt(captured, "reverse")
    assert.deepStrictEqual(openOf([charged, retried, reversing]), { now: [], afterOutcome: [charged, retried] })
  })
})
