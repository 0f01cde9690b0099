import { assert, describe, it } from "@effect/vitest"
import { addDays, LocalDate } from "../../src/time/LocalDate.ts"
import { mustSend, transactionDue } from "../../src/transactions/TransactionDeadlines.ts"
import type { TransactionState } from "../../src/transactions/TransactionState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import { stateIn, transactionOf, pendingAttempt } from "../fixtures/States.ts"

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
