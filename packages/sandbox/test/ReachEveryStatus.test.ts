import { assert, describe, it, layer as suite } from "@effect/vitest"
import { ChargeStatus } from "@parcela/core/charges/ChargeState"
import { SubscriptionStatus } from "@parcela/core/subscriptions/SubscriptionState"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { layer, Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { start, today } from "@parcela/test-world/Samples"
import { call, tokenAt } from "@parcela/test-world/Server"
import { guideOf, requestOf, type Walk } from "./fixtures/StatusGuide.ts"

/** Statuses that nothing causes. The guide has the reason of each. */
const unreached = {
  Transactions: [],
  Subscriptions: [],
  Charges: []
}

const kinds = [
  { name: "Transactions", myId: "p", event: "TransactionStatusChanged", statuses: TransactionStatus.literals },
  { name: "Subscriptions", myId: "s", event: "SubscriptionStatusChanged", statuses: SubscriptionStatus.literals },
  { name: "Charges", myId: "c", event: "ChargeStatusChanged", statuses: ChargeStatus.literals }
] as const

/** Those in which a thing opens: no change of status led there. */
const opening = ["notSend", "pendingBoleto", "pendingPix", "payExternal", "active", "waitingPayment"]

interface Journal {
  readonly events: ReadonlyArray<{ readonly events: ReadonlyArray<{ readonly _tag: string; readonly to?: string }> }>
}

/** Sends the requests of a row for a company of its own; what the list shows then, and the last change of status among its events. */
const walk = Effect.fnUntraced(function* ({ steps }: Walk, { event, myId, name }: (typeof kinds)[number]) {
  const { url } = yield* Sandbox
  const { clientId, clientSecret } = (yield* call("POST", "/sandbox/companies", { body: { name: "walk" } })).json
  const token = yield* Effect.promise(() => tokenAt(url, clientId, clientSecret))
  for (const step of steps) {
    const { body, method, path } = requestOf(step, { COMPANY: clientId, TODAY: today })
    const isControl = path.startsWith("/sandbox/")
    const sent = { ...(isControl ? {} : { token }), ...(body === undefined ? {} : { body }) }
    const response = yield* call(method, path, sent)
    assert.strictEqual(response.status, 200, `${step}: ${response.text}`)
  }
  const list = `/v2/${name.toLowerCase()}?myIds=${myId}&startAt=0&limit=1`
  const { json } = yield* call("GET", list, { token })
  const journal: Journal = (yield* call("GET", `/sandbox/companies/${clientId}/events`)).json
  const changedTo = journal.events.flatMap(({ events }) => events).findLast(({ _tag }) => _tag === event)?.to
  return { shown: json[name][0]?.status, changedTo }
})

describe("docs/reference/reach-every-status.md", () => {
  it.each(kinds)("has a row, or a reason, for each status: $name", ({ name, statuses }) => {
    const guide = guideOf(name)
    const missing = guide.unreached.map(({ status }) => status)
    assert.deepStrictEqual(
      // A status that is reached in two ways has a row for each.
      [...new Set(guide.walks.map(({ status }) => status))],
      statuses.filter((status) => !missing.includes(status))
    )
    assert.deepStrictEqual(missing, unreached[name])
    for (const { reason } of guide.unreached) assert.isAbove(reason.length, 20)
  })
})

const sandbox = layer({ port: 0, database: ":memory:", lingering: 0 }).pipe(
  Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(start)))
)

suite(sandbox)("the requests of docs/reference/reach-every-status.md", (it) => {
  for (const kind of kinds) {
    it.effect.each(guideOf(kind.name).walks)(`${kind.name}: $status`, (row) =>
      Effect.gen(function* () {
        const changedTo = opening.includes(row.status) ? undefined : row.status
        assert.deepStrictEqual(yield* walk(row, kind), { shown: row.status, changedTo })
      })
    )
  }
})
