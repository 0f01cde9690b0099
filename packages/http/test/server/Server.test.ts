import { assert, describe, it, layer } from "@effect/vitest"
import { Subscription } from "@parcela/core/subscriptions/Subscription"
import { TransactionOfRetry } from "@parcela/core/transactions/Transaction"
import { interfaceOperations } from "@parcela/test-world/InterfaceOperations"
import { Effect, Schema } from "effect"
import { ana, byCard, byPix, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, server, signIn } from "@parcela/test-world/Server"

const decodeRetry = Schema.decodeUnknownEffect(Schema.Struct({ Transaction: TransactionOfRetry }))
const decodeSubscription = Schema.decodeUnknownEffect(Schema.Struct({ Subscription }))

layer(server())("the service over HTTP", (it) => {
  it.effect("serves a client from end to end: token, subscription, denied payment, retry, webhooks, lists", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const created = yield* call("POST", "/v2/subscriptions/manual", { body: byCard(cards.deniedAtFirst) })
      assert.strictEqual(created.status, 200)
      assert.isTrue(created.json.type)
      assert.strictEqual(created.json.Subscription.status, "active")
      assert.deepStrictEqual(created.json.Subscription.Transactions, [])
      assert.notInclude(created.text, "400000000000")
      yield* decodeSubscription(created.json)

      const hooks = yield* call("PUT", "/v2/webhooks", {
        body: { url: "http://127.0.0.1:9/", events: ["transaction.updateStatus", "transaction.updateStatus"] }
      })
      assert.deepStrictEqual(
        { ...hooks.json, confirmHash: hooks.json.confirmHash.length },
        { type: true, confirmHash: 32, events: ["transaction.updateStatus"] }
      )

      const added = yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      assert.strictEqual(added.json.Transaction.status, "denied")
      assert.strictEqual(added.json.Transaction.AbecsReasonDenied.code, "51")

      const retried = yield* call("PUT", "/v2/transactions/p/myId/retry")
      const { Transaction, PaymentMethodCreditCard } = retried.json
      yield* decodeRetry(retried.json)
      assert.strictEqual(retried.status, 200)
      assert.strictEqual(Transaction.status, "captured")
      assert.strictEqual(Transaction.subscriptionMyId, "sub")
      assert.match(Transaction.datetimeLastSentToOperator, /^2026-09-21 \d\d:\d\d:\d\d$/)
      // Interface 4.3: the card of the retry answer has neither Brand nor isBackup.
      const { customerMyId: _of, customerSvcPayId: _by, ...shownCard } = PaymentMethodCreditCard.Card
      assert.hasAllKeys(shownCard, ["svcPayId", "number", "createdAt", "updatedAt", "expiresAt"])

      const again = yield* call("PUT", `/v2/transactions/${Transaction.svcPayId}/svcPayId/retry`)
      assert.strictEqual(again.status, 400)
      assert.hasAllKeys(again.json.error.details, ["Transaction.status"])

      const listed = yield* call("GET", "/v2/transactions?startAt=0&limit=10&status=captured,denied&order=payday.desc")
      assert.strictEqual(listed.json.totalQtdFoundInPage, 1)
      assert.strictEqual(listed.json.Transactions[0].status, "captured")
      const subscriptions = yield* call("GET", "/v2/subscriptions/?startAt=0&limit=10&customerMyIds=ana")
      assert.strictEqual(subscriptions.json.Subscriptions[0].Transactions[0].status, "captured")
      const none = yield* call("GET", `/v2/transactions?startAt=0&limit=10&payDayTo=2026-09-20`)
      assert.deepStrictEqual(none.json, { totalQtdFoundInPage: 0, Transactions: [] })
    })
  )

  it.effect("returns the codes of a boleto and a Pix, and the URLs of their documents", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/subscriptions/manual", { body: byPix() })
      yield* call("POST", "/v2/subscriptions/manual", {
        body: { ...byPix("slip"), mainPaymentMethodId: "boleto", Customer: { document: ana.document } }
      })
      const pix = yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      const slip = yield* call("POST", "/v2/transactions/slip/myId/add", { body: payment("b") })
      assert.match(pix.json.Transaction.Pix.qrCode, /^000201/)
      assert.match(slip.json.Transaction.Boleto.bankLine, /\d{5}/)
      assert.match(
        slip.json.Transaction.Boleto.pdf,
        /^http:\/\/127\.0\.0\.1:\d+\/documents\/\d+\/[\w-]{22}\/boleto\.pdf$/
      )
    })
  )

  it.effect("returns a 404 for unknown identifiers and for those of another company", () =>
    Effect.gen(function* () {
      const mine = yield* signIn()
      const theirs = yield* signIn()
      const created = yield* theirs.call("POST", "/v2/subscriptions/manual", { body: byCard(cards.denied) })
      const added = yield* theirs.call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      const { Customer, PaymentMethodCreditCard, svcPayId } = created.json.Subscription
      const { svcPayId: transactionId } = added.json.Transaction
      const requests = [
        ["PUT", "/v2/transactions/99999999999/svcPayId/retry"],
        ["PUT", "/v2/transactions/nobody/myId/retry"],
        ["PUT", "/v2/transactions/p/myId/retry"],
        ["PUT", `/v2/transactions/${transactionId}/svcPayId/retry`],
        ["POST", "/v2/transactions/99999999999/svcPayId/add", payment("q")],
        ["POST", "/v2/transactions/sub/myId/add", payment("q")],
        ["POST", `/v2/transactions/${svcPayId}/svcPayId/add`, payment("q")],
        ["POST", "/v2/subscriptions/manual", { ...byPix(), Customer: { svcPayId: Customer.svcPayId } }],
        ["POST", "/v2/subscriptions/manual", { ...byPix(), Customer: { myId: "ana" } }],
        ["POST", "/v2/subscriptions/manual", { ...byPix(), Customer: { document: ana.document } }]
      ] as const
      for (const [method, path, body] of requests) {
        const answer = yield* mine.call(method, path, { body })
        assert.strictEqual(answer.status, 404, `${method} ${path}`)
      }
      const card = yield* mine.call("POST", "/v2/subscriptions/manual", {
        body: {
          ...byCard(cards.captured),
          PaymentMethodCreditCard: { Card: { svcPayId: PaymentMethodCreditCard.Card.svcPayId } }
        }
      })
      assert.strictEqual(card.status, 400)
      assert.hasAllKeys(card.json.error.details, ["PaymentMethodCreditCard.Card"])
      for (const filter of [`svcPayIds=${transactionId}`, "myIds=p", "subscriptionMyIds=sub", "customerMyIds=ana"]) {
        const listed = yield* mine.call("GET", `/v2/transactions?startAt=0&limit=10&${filter}`)
        assert.deepStrictEqual(listed.json.Transactions, [], filter)
      }
    })
  )

  it.effect("creates one subscription for two concurrent requests with the same myId", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => call("POST", "/v2/subscriptions/manual", { body: byPix() })),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 7 }, () => 400)])
      for (const { json, status } of answers) {
        assert.deepStrictEqual(Object.keys(json.error?.details ?? {}), status === 200 ? [] : ["Subscription.myId"])
      }
    })
  )

  it.effect("retries once for twenty concurrent clients", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/subscriptions/manual", { body: byCard(cards.deniedAtFirst) })
      yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => call("PUT", "/v2/transactions/p/myId/retry")),
        { concurrency: "unbounded" }
      )
      const captured = answers.filter(({ status }) => status === 200)
      assert.isNotEmpty(captured)
      for (const answer of captured) assert.strictEqual(answer.text, captured[0]?.text)
      // Clients after the capture receive an error with the status.
      for (const answer of answers.filter(({ status }) => status !== 200)) assert.strictEqual(answer.status, 400)
    })
  )
})

describe("a route without a company", () => {
  it.effect("needs no token: /health, /openapi.json, /docs", () =>
    Effect.gen(function* () {
      const health = yield* call("GET", "/health")
      assert.deepStrictEqual([health.status, health.json], [200, { status: "ok" }])

      const document = (yield* call("GET", "/openapi.json")).json
      const operations = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
      )
      assert.sameMembers(
        operations,
        interfaceOperations.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`)
      )

      const docs = yield* call("GET", "/docs")
      assert.strictEqual(docs.status, 200)
      assert.match(docs.headers.get("content-type") ?? "", /^text\/html/)
    }).pipe(onServer())
  )
})
