import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { webhookRequests } from "@parcela/transport/contract/Webhooks"
import * as Signature from "@parcela/webhooks/Signature"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import { Clock, Effect, Queue, Redacted, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, receiver, token, advanceUntil } from "@parcela/test-world/Server"

/** The start of 2026-09-22 in Brazil. */
const midnight = Date.UTC(2026, 8, 22, 3)

/** A receiver that the ready company's events go to, and a card subscription. */
const listening = Effect.gen(function* () {
  const there = yield* receiver
  const bearer = yield* token
  const events = ["transaction.updateStatus", "subscription.addTransaction"]
  yield* call("PUT", "/v2/webhooks", { token: bearer, body: { url: there.url, events } })
  yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.captured) })
  return { ...there, bearer }
})

describe("the workers", () => {
  it.effect("deliver the events of a request at once, signed with the company's secret", () =>
    Effect.gen(function* () {
      const { bearer, received } = yield* listening
      const { confirmHash, webhookSecret } = yield* Sandbox
      yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p") })
      const deliveries = yield* Queue.takeN(received, 2)
      const secret = Result.getOrThrow(WebhookSecret.parse(webhookSecret))
      for (const { body, headers } of deliveries) {
        const signed = yield* Signature.verify({
          headers: headers as Record<string, string>,
          body: new TextEncoder().encode(body),
          secrets: [secret]
        })
        const message = JSON.parse(body) as { webhookId: number; confirmHash: string }
        assert.strictEqual(signed.id, String(message.webhookId))
        assert.strictEqual(message.confirmHash, Redacted.value(confirmHash))
      }
      assert.deepStrictEqual(
        deliveries.map(({ body }) => (JSON.parse(body) as { event: string }).event),
        ["subscription.addTransaction", "transaction.updateStatus"]
      )
    }).pipe(Effect.provide(NodeCrypto.layer), onServer())
  )

  it.effect("deliver the bodies that the OpenAPI document shows, with no other field", () =>
    Effect.gen(function* () {
      const { bearer, received } = yield* listening
      yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p") })
      for (const { body } of yield* Queue.takeN(received, 2)) {
        const message = JSON.parse(body) as { readonly event: "transaction.updateStatus" }
        const read = Schema.decodeUnknownResult(webhookRequests[message.event], {
          errors: "all",
          onExcessProperty: "error"
        })(message)
        assert.isTrue(Result.isSuccess(read), String(Result.isFailure(read) ? read.failure : ""))
      }
    }).pipe(onServer())
  )

  it.effect("send a payment on its due date, and deliver its event", () =>
    Effect.gen(function* () {
      const { bearer, received } = yield* listening
      const sql = yield* SqlClient.SqlClient
      yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p", "2026-09-22") })
      yield* Queue.take(received)
      const statuses = sql<{ status: string }>`SELECT status FROM transactions`
      yield* advanceUntil(Effect.map(statuses, ([row]) => row?.status === "captured"))
      assert.isAtLeast(yield* Clock.currentTimeMillis, midnight)
      const { body } = yield* Queue.take(received)
      const { Transaction } = JSON.parse(body) as { Transaction: { status: string; myId: string } }
      assert.deepStrictEqual([Transaction.myId, Transaction.status], ["p", "captured"])
    }).pipe(onServer({}, midnight - 10_000))
  )

  it.effect("continue after a failure of the store", () =>
    Effect.gen(function* () {
      const { bearer, received } = yield* listening
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE deliveries RENAME TO elsewhere`
      yield* sql`ALTER TABLE attempts RENAME TO elsewhere_too`
      for (let second = 0; second < 5; second++) yield* TestClock.adjust("1 second")
      yield* sql`ALTER TABLE elsewhere RENAME TO deliveries`
      yield* sql`ALTER TABLE elsewhere_too RENAME TO attempts`
      yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p") })
      yield* Queue.takeN(received, 2)
    }).pipe(onServer())
  )

  it.effect("refuse addresses of private networks unless they are allowed", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      for (const url of ["http://127.0.0.1:8142/", "http://localhost:8142/", "http://10.0.0.1/"]) {
        const edited = yield* call("PUT", "/v2/webhooks", { token: bearer, body: { url, events: [] } })
        assert.strictEqual(edited.status, 400, url)
        assert.hasAllKeys(edited.json.error.details, ["Webhook.url"])
        const created = yield* call("POST", "/sandbox/companies/sandbox/endpoints", { body: { url, events: [] } })
        assert.strictEqual(created.status, 400, url)
      }
    }).pipe(onServer({ destinations: {} }))
  )
})
