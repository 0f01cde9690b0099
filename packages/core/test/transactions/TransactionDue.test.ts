import { assert, describe, it } from "@effect/vitest"
import { addDays, LocalDate } from "../../src/time/LocalDate.ts"
import { SubscriptionStatus } from "../../src/subscriptions/SubscriptionStatus.ts"
import { wantsAttempt } from "../../src/transactions/TransactionDecider.ts"
import { transactionDue } from "../../src/transactions/TransactionDue.ts"
import type { TransactionState } from "../../src/transactions/TransactionState.ts"
import { TransactionStatus } from "../../src/transactions/TransactionStatus.ts"
import { stateIn, transactionOf, underWay } from "../fixtures/States.ts"

const today = LocalDate.make("2026-09-21")

const opened = [
  transactionOf("boleto"),
  transactionOf("pix"),
  underWay(transactionOf("creditcard"), "charge"),
  underWay(transactionOf("boleto"), "register"),
  underWay(transactionOf("pix"), "register")
]

const states = [...TransactionStatus.literals.map(stateIn), ...opened].flatMap((state) =>
  [-400, 0, 400].map((days): TransactionState => ({ ...state, payday: addDays(today, days) }))
)

describe("transactionDue", () => {
  it.each(SubscriptionStatus.literals)(
    "says on which days an attempt is wanted while a subscription is %s",
    (status) => {
      for (const state of states) {
        const due = transactionDue(state, status)
        for (const days of [-800, -400, -1, 0, 1, 400, 800]) {
          const day = addDays(today, days)
          const isDue = due._tag === "AtOnce" || (due._tag === "OnDay" && due.day <= day)
          assert.strictEqual(isDue, wantsAttempt(state, day, status), JSON.stringify([state, day]))
        }
        assert.strictEqual(
          due._tag === "Held",
          transactionDue(state)._tag !== "Never" && !wantsAttempt(state, state.payday, status)
        )
      }
    }
  )

  it("holds what is due where the subscription is stopped", () => {
    const [state] = states.filter(({ method, status }) => status === "notSend" && method === "creditcard")
    assert.deepStrictEqual(transactionDue(state!, "stopped"), { _tag: "Held" })
    assert.deepStrictEqual(transactionDue(state!, "active"), { _tag: "OnDay", day: state!.payday })
  })
})
