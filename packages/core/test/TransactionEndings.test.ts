import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "../src/Identifier.ts"
import { cancel, cancelByContract, exempt, openOf, payOutside } from "../src/TransactionEndings.ts"
import { type TransactionCause, TransactionStatus } from "../src/TransactionStatus.ts"
import { attempt, cents, changes, decided, now, refused, transactionOf, has } from "./fixtures/States.ts"

const endings = [
  ["cancel", cancel, "cancel"],
  ["cancelContract", cancelByContract, "cancelByContract"],
  ["payOutside", payOutside, "payExternal"],
  ["exempt", exempt, "free"]
] as const satisfies ReadonlyArray<readonly [TransactionCause, typeof cancel, TransactionStatus]>

const open = ["notSend", "denied", "pendingBoleto", "pendingPix"] as const
const others = TransactionStatus.literals.filter((status) => !(open as ReadonlyArray<string>).includes(status))

describe.each(endings)("%s", (cause, decide, to) => {
  it.each(open)(`makes it ${to} when it is %s`, (status) => {
    const decision = decided(decide(transactionOf("creditcard", { status }), now))
    has(decision.next, { status: to, statusAt: now, updatedAt: now })
    assert.deepStrictEqual(changes(decision), [`${status} -> ${to}`])
  })

  it.each(others)("is refused when it is %s", (status) => {
    assert.deepStrictEqual(refused(decide(transactionOf("creditcard", { status }), now)), {
      _tag: "TransactionCannot",
      cause,
      status
    })
  })

  it.each(open)("waits for the attempt under way when it is %s", (status) => {
    const state = transactionOf("creditcard", { status, attemptId: attempt })
    assert.deepStrictEqual(refused(decide(state, now)), { _tag: "AttemptUnderWay" })
  })
})

it("notes that it was paid outside, and only then", () => {
  assert.isTrue(decided(payOutside(transactionOf("pix"), now)).next.payedOutside)
  assert.isFalse(decided(cancel(transactionOf("pix"), now)).next.payedOutside)
})

describe("openOf", () => {
  const all = TransactionStatus.literals.map((status, place) =>
    transactionOf("creditcard", { id: SvcPayId.make(place + 1), status })
  )

  it("chooses those that nobody has paid or holds money of", () => {
    const { now: chosen, onceAnswered } = openOf(all)
    assert.deepStrictEqual(
      chosen.map(({ status }) => status),
      ["notSend", "denied", "pendingBoleto", "pendingPix"]
    )
    assert.deepStrictEqual(onceAnswered, [])
  })

  it("chooses only what can be cancelled", () => {
    assert.isTrue(openOf(all).now.every((state) => decided(cancelByContract(state, now)).next.status !== state.status))
  })

  it("leaves those under way for later, and reversals alone", () => {
    const charged = transactionOf("creditcard", { attemptId: attempt })
    const retried = transactionOf("creditcard", { status: "authorized", attemptId: attempt })
    const reversing = transactionOf("creditcard", { status: "captured", attemptId: attempt, reversing: cents(1) })
    assert.deepStrictEqual(openOf([charged, retried, reversing]), { now: [], onceAnswered: [charged, retried] })
  })
})
