import { assert, describe, it } from "@effect/vitest"
import { subscriptionTransitions } from "@parcela/core/subscriptions/SubscriptionState"
import { TransactionStatus, transactionTransitions } from "@parcela/core/transactions/TransactionStatus"
import { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import { events } from "../src/Events.ts"
import { statusPage } from "../src/StatusPage.ts"
import { arrowsOf, mermaid, reachableFrom } from "../src/Transitions.ts"

const table = {
  open: { pay: ["paid", "short"], drop: ["gone"], wait: ["open"] },
  short: { pay: ["paid"], forgive: ["paid"] },
  paid: {},
  gone: {},
  elsewhere: { pay: ["paid"] }
}

describe("a diagram", () => {
  it("draws each pair of statuses once, with every cause, and ends where nothing follows", () => {
    const arrows = arrowsOf(table).filter(({ from }) => reachableFrom("open", arrowsOf(table)).has(from))
    assert.strictEqual(
      mermaid([{ to: "open", label: "add" }], arrows),
      [
        "```mermaid",
        "stateDiagram-v2",
        "  [*] --> open : add",
        "  open --> paid : pay",
        "  open --> short : pay",
        "  open --> gone : drop",
        "  open --> open : wait",
        "  short --> paid : pay, forgive",
        "  paid --> [*]",
        "  gone --> [*]",
        "```"
      ].join("\n")
    )
  })

  it("reads tables with one next status as those with several", () => {
    assert.deepStrictEqual(arrowsOf({ a: { go: "b" } }), [{ from: "a", cause: "go", to: "b" }])
  })
})

describe("the page", () => {
  const page = statusPage()
  const drawn = new Set(
    [...page.matchAll(/^ {2}(\w+) --> (\w+) : (.+)$/gm)].flatMap(([, from, to, causes = ""]) =>
      causes.split(", ").map((cause) => `${from} ${cause} ${to}`)
    )
  )
  const listed = [...arrowsOf(subscriptionTransitions), ...arrowsOf(transactionTransitions)]

  it("draws every way that the tables allow, and no other", () => {
    assert.sameMembers(
      [...drawn],
      listed.map(({ cause, from, to }) => `${from} ${cause} ${to}`)
    )
  })

  it("has a row for each of the nineteen, and says which are final", () => {
    const rows = page.slice(page.indexOf("### All nineteen")).split("\n")
    for (const status of TransactionStatus.literals) {
      const row = rows.find((line) => line.startsWith(`|\`${status}\``)) ?? ""
      assert.strictEqual(row.includes("`, final|"), !listed.some(({ from }) => from === status), row)
    }
  })

  it("opens where payments open, also those that were paid outside", () => {
    const openings = [...page.matchAll(/^ {2}\[\*\] --> (\w+)/gm)].map(([, status]) => status)
    assert.deepStrictEqual(openings, [
      "active",
      "waitingPayment",
      "notSend",
      "payExternal",
      "pendingBoleto",
      "payExternal",
      "pendingPix",
      "payExternal"
    ])
  })
})

describe("the events of the page", () => {
  it("are all that the log can have, each once, and those that are delivered beside their other name", () => {
    const page = events()
    for (const tag of Object.keys(BillingEvent.cases)) assert.lengthOf(page.split(`\`${tag}\``), 2, tag)
    const rows = page.split("\n").filter((line) => line.startsWith("|`"))
    assert.deepStrictEqual(rows, [
      "|`TransactionAdded`|`subscription.addTransaction`|of a subscription, by card or paid outside|",
      "|`TransactionRegistered`|`subscription.addTransaction`|of a subscription, by boleto or by Pix|",
      "|`TransactionStatusChanged`|`transaction.updateStatus`|all|",
      "|`ChargebackOpened`|`chargeback.update`|by card|"
    ])
  })
})
