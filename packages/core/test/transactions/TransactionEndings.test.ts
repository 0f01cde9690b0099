import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "../../src/values/Identifier.ts"
import {
  cancel,
  cancelByContract,
  waive,
  paymentsToCancel,
  payOutside
} from "../../src/transactions/TransactionEndings.ts"
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
  it.each(open)(`results in ${to} from %s`, (status) => {
    const decision = decided(decide(stateIn(status), now))
    has(decision.next, { status: to, statusAt: now, updatedAt: now })
    assert.deepStrictEqual(changes(decision), [`${status} -> ${to}`])
  })

  it.each(others)("is refused for %s", (status) => {
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
  ])("is refused for $status while an attempt is pending", (state) => {
    assert.deepStrictEqual(refused(decide(state, now)), { _tag: "AttemptPending" })
  })
})

describe("paymentsToCancel", () => {
  const all = TransactionStatus.literals.map((status, place) => ({ ...stateIn(status), id: SvcPayId.make(place + 1) }))

  it("selects payments that are neither paid nor authorized", () => {
    const { now: chosen, afterOutcome } = paymentsToCancel(all)
    assert.deepStrictEqual(
      chosen.map(({ status }) => status),
      ["notSend", "denied", "pendingBoleto", "pendingPix"]
    )
    assert.deepStrictEqual(afterOutcome, [])
  })

  it("selects only payments that can be cancelled", () => {
    assert.isTrue(
      paymentsToCancel(all).now.every((state) => decided(cancelByContract(state, now)).next.status !== state.status)
    )
  })

  it("selects pending attempts for later, and ignores reversals", () => {
    const charged = pendingAttempt(transactionOf("creditcard"), "charge")
    const retried = pendingAttempt(authorized, "capture")
    const reversing = pendingAttempt(captured, "reverse")
    assert.deepStrictEqual(paymentsToCancel([charged, retried, reversing]), {
      now: [],
      afterOutcome: [charged, retried]
    })
  })
})
