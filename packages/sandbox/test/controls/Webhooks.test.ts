import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import * as Signature from "@parcela/webhooks/Signature"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import { Effect, Queue, Redacted, Result } from "effect"
import { Mac } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, type Delivered, onServer, receiver, token, advanceUntil } from "@parcela/test-world/Server"

const clientId = "sandbox"
const company = `/sandbox/companies/${clientId}`
const both = ["transaction.updateStatus", "subscription.addTransaction"] as const

/** The ready company with an endpoint at a receiver, a subscription, and its controls. */
const listening = Effect.gen(function* () {
  const to = yield* receiver
  const bearer = yield* token
  yield* call("PUT", "/v2/webhooks", { token: bearer, body: { url: to.url, events: both } })
  yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.captured) })
  const pay = (myId: string) => call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment(myId) })
  const controls = yield* SandboxServer.controls
  const [own] = (yield* controls.endpoints.list(clientId)).endpoints
  return { ...to, bearer, controls, own: own!, pay }
})

/** True if a delivery is signed with a secret. */
const isSignedWith = ({ body, headers }: Delivered, secret: Redacted.Redacted) =>
  Signature.verify({
    headers: headers as Record<string, string>,
    body: new TextEncoder().encode(body),
    secrets: [Result.getOrThrow(WebhookSecret.parse(secret))]
  }).pipe(Effect.result, Effect.map(Result.isSuccess), Effect.provide(Mac.layerWebCrypto))

describe("the controls of webhooks", () => {
  it.effect("list, add, edit, switch and delete endpoints", () =>
    Effect.gen(function* () {
      const { controls, own, url } = yield* listening
      assert.deepInclude(own, { isDefault: true, url, state: "on", waiting: 0, dead: 0 })
      const made = yield* controls.endpoints.create(clientId, { url: "http://127.0.0.1:9/second", events: [both[0]] })
      const { endpointId } = made.endpoint
      assert.match(Redacted.value(made.secrets[0]!.secret!), /^whsec_/)
      assert.deepStrictEqual(
        (yield* controls.endpoints.list(clientId)).endpoints.map((one) => [one.endpointId, one.isDefault]),
        [
          [own.endpointId, true],
          [endpointId, false]
        ]
      )
      const edited = yield* controls.endpoints.edit({ clientId, endpointId }, { events: [] })
      assert.deepInclude(edited.endpoint, { url: "http://127.0.0.1:9/second", events: [] })
      const off = yield* controls.endpoints.switchOff({ clientId, endpointId })
      assert.deepInclude(off.endpoint, { state: "off", offReason: "It was switched off by hand" })
      assert.strictEqual((yield* controls.endpoints.switchOn({ clientId, endpointId })).endpoint.state, "on")
      yield* controls.endpoints.remove({ clientId, endpointId })
      const gone = yield* Effect.flip(controls.endpoints.switchOn({ clientId, endpointId }))
      assert.deepInclude(gone, { _tag: "ApiFailure", status: 404 })
      const refused = yield* Effect.flip(controls.endpoints.remove({ clientId, endpointId: own.endpointId }))
      assert.deepInclude(refused, { _tag: "ApiFailure", status: 400 })
    }).pipe(onServer())
  )

  it.effect("rotate a secret, and sign with the new and the old one until the overlap ends", () =>
    Effect.gen(function* () {
      const { controls, own, pay, received } = yield* listening
      const { webhookSecret } = yield* Sandbox
      const { secrets } = yield* controls.secrets.rotate(
        { clientId, endpointId: own.endpointId },
        { overlapSeconds: 600 }
      )
      const [next, old] = secrets
      assert.strictEqual(Redacted.value(old!.secret!), Redacted.value(webhookSecret))
      const shown = (yield* call("GET", `/sandbox/companies/${clientId}`)).json
      assert.strictEqual(shown.webhookSecret, Redacted.value(next!.secret!), "the newest one is shown")
      yield* pay("a")
      const first = yield* Queue.take(received)
      assert.isTrue(yield* isSignedWith(first, next!.secret!))
      assert.isTrue(yield* isSignedWith(first, old!.secret!))
      assert.strictEqual(JSON.parse(first.body).confirmHash, shown.confirmHash)
      yield* controls.secrets.endOverlap({ clientId, endpointId: own.endpointId })
      yield* Queue.take(received)
      yield* pay("b")
      const second = yield* Queue.take(received)
      assert.isTrue(yield* isSignedWith(second, next!.secret!))
      assert.isFalse(yield* isSignedWith(second, old!.secret!))
      const after = (yield* controls.secrets.list({ clientId, endpointId: own.endpointId })).secrets
      assert.deepStrictEqual(
        after.map(({ secret, version }) => [version, secret !== undefined]),
        [
          [2, true],
          [1, false]
        ]
      )
    }).pipe(onServer())
  )

  it.effect("list deliveries and their attempts, and replay one or all of them with their numbers", () =>
    Effect.gen(function* () {
      const { answers, controls, own, pay, received } = yield* listening
      answers.push(500, 500)
      yield* pay("p")
      const sent = (yield* Queue.takeN(received, 2)).map(({ body }) => JSON.parse(body).webhookId)
      const sql = yield* SqlClient.SqlClient
      const tried = sql<{ n: number }>`SELECT count(*) AS n FROM delivery_attempts WHERE status = 500`
      yield* advanceUntil(Effect.map(tried, ([row]) => Number(row?.n) >= 2))
      yield* Queue.clear(received)
      // As after the last try.
      yield* sql`UPDATE deliveries SET state = 'abandoned', abandoned_at = 1790000000000, lease = NULL, lease_owner = NULL`

      const dead = (yield* controls.deliveries.list(clientId, { state: "abandoned" })).deliveries
      assert.sameMembers(
        dead.map(({ webhookId }) => webhookId),
        sent
      )
      const first = (yield* controls.deliveries.list(clientId, { state: "abandoned", limit: 1 })).deliveries
      assert.deepStrictEqual(first, dead.slice(0, 1))
      const oldest = (yield* controls.deliveries.list(clientId, { after: 0, limit: 1 })).deliveries
      assert.deepStrictEqual(oldest, dead.slice(-1))
      assert.deepStrictEqual(
        dead.map(({ transactionMyId }) => transactionMyId),
        ["p", "p"]
      )
      assert.deepInclude(dead[0], {
        endpointId: own.endpointId,
        problem: "The receiver responded with 500",
        attempts: 1
      })
      const [listed] = (yield* controls.endpoints.list(clientId)).endpoints
      assert.deepInclude(listed, { dead: 2, waiting: 0, lastProblem: "The receiver responded with 500" })
      const { attempts } = yield* controls.deliveries.attempts({ clientId, webhookId: dead[1]!.webhookId })
      assert.deepInclude(attempts[0], { status: 500, problem: "The receiver responded with 500" })
      const none = yield* Effect.flip(controls.deliveries.attempts({ clientId, webhookId: 99_999 }))
      assert.deepInclude(none, { _tag: "ApiFailure", status: 404 })

      yield* controls.deliveries.replay({ clientId, webhookId: dead[1]!.webhookId })
      assert.strictEqual(JSON.parse((yield* Queue.take(received)).body).webhookId, dead[1]!.webhookId)
      const { replay } = yield* controls.deliveries.replayAll(clientId, { endpointId: own.endpointId })
      assert.deepInclude(replay, { of: "abandoned", state: "running" })
      yield* advanceUntil(
        Effect.map(
          controls.deliveries.findReplay({ clientId, replayId: replay.replayId }),
          ({ replay }) => replay.state === "done"
        )
      )
      assert.strictEqual(
        (yield* controls.deliveries.findReplay({ clientId, replayId: replay.replayId })).replay.replayed,
        1
      )
      assert.strictEqual(JSON.parse((yield* Queue.take(received)).body).webhookId, dead[0]!.webhookId)
      assert.deepStrictEqual((yield* controls.deliveries.list(clientId, { state: "abandoned" })).deliveries, [])
    }).pipe(onServer())
  )

  it.effect("refuse fields that are not in the contract, and name every error", () =>
    Effect.gen(function* () {
      const { own } = yield* listening
      const wrong = yield* call("POST", `${company}/endpoints`, { body: { url: "ftp://x", events: ["odd"], more: 1 } })
      assert.strictEqual(wrong.status, 400)
      assert.sameMembers(Object.keys(wrong.json.error.details), ["Endpoint.url", "Endpoint.events", "Endpoint.more"])
      for (const [method, path, body] of [
        ["POST", `endpoints/${own.endpointId}/secrets/rotate`, { overlapSeconds: -1 }],
        ["POST", `endpoints/${own.endpointId}/secrets/rotate`, { overlapSeconds: 2_592_001 }],
        ["POST", `endpoints/${own.endpointId}/secrets/rotate`, { overlap: 1 }],
        ["POST", "replays", { from: "2026-01-01" }],
        ["POST", "replays", { state: "pending" }],
        ["POST", "replays", "{"],
        ["GET", "deliveries?state=odd", undefined],
        ["GET", "deliveries?surprise=1", undefined],
        ["GET", "deliveries?before=-1", undefined],
        ["GET", "deliveries/x/attempts", undefined]
      ] as const) {
        const answer = yield* call(method, `${company}/${path}`, { body })
        assert.strictEqual(answer.status, 400, path)
        assert.isObject(answer.json.error)
      }
    }).pipe(onServer())
  )

  it.effect("accept programs on this machine only, for one company each, by their own methods", () =>
    Effect.gen(function* () {
      const { controls, own } = yield* listening
      const at = `${company}/endpoints/${own.endpointId}`
      const body = {}
      for (const [method, path] of [
        ["GET", `${company}/endpoints`],
        ["POST", `${at}/secrets/rotate`],
        ["GET", `${at}/secrets`],
        ["GET", `${company}/deliveries`],
        ["POST", `${company}/replays`]
      ] as const) {
        const sent = method === "POST" ? { body } : {}
        const proxied = yield* call(method, path, { ...sent, headers: { "x-forwarded-for": "203.0.113.9" } })
        assert.strictEqual(proxied.status, 403, path)
        const nobody = yield* call(
          method,
          path.replace("/sandbox/companies/sandbox", "/sandbox/companies/nobody"),
          sent
        )
        assert.strictEqual(nobody.status, 404, path)
      }
      const put = yield* call("PUT", `${company}/endpoints`)
      assert.deepStrictEqual([put.status, put.headers.get("allow")], [405, "GET, POST"])
      const other = yield* controls.companies.create()
      const foreign = yield* call("GET", `/sandbox/companies/${other.clientId}/endpoints/${own.endpointId}/secrets`)
      assert.strictEqual(foreign.status, 404)
      assert.notInclude(foreign.text, "whsec_")
    }).pipe(onServer())
  )
})
