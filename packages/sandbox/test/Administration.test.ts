import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import * as AdministrationClient from "@parcela/transport/administration/AdministrationClient"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { basic, callAs } from "./fixtures/RawRequest.ts"
import { byCode, payment } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"

const operatorToken = "operator-of-24-characters"
const controlsToken = "controls-of-24-characters"
const withTokens = onServer({
  operatorToken: Redacted.make(operatorToken),
  controlsToken: Redacted.make(controlsToken)
})
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

const waive = "/admin/companies/sandbox/transactions/waive"
const waiving = (headers: Readonly<Record<string, string>>) => call("POST", waive, { headers, body: { myId: "p" } })

/** A subscription by Pix with a payment, of the company that is ready. */
const pending = Effect.gen(function* () {
  const company = yield* token
  yield* call("POST", "/v2/subscriptions/manual", { token: company, body: byCode("pix") })
  yield* call("POST", "/v2/transactions/sub/myId/add", { token: company, body: payment("p") })
  return company
})

const statusOf = (company: string) =>
  Effect.map(
    call("GET", "/v2/transactions?myIds=p&startAt=0&limit=1", { token: company }),
    ({ json }) => json.Transactions[0].status
  )

describe("the administration of a service", () => {
  it.effect("stops, reactivates and waives with the operator token, and records the actor", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const company = yield* pending
      const { subscriptions, transactions } = yield* AdministrationClient.make({
        baseUrl: `${url}/admin`,
        operatorToken: Redacted.make(operatorToken)
      }).pipe(Effect.provide(FetchHttpClient.layer))
      assert.deepStrictEqual(yield* subscriptions.stop("sandbox", { myId: "sub" }), { status: "stopped" })
      assert.deepStrictEqual(yield* subscriptions.reactivate("sandbox", { myId: "sub" }), { status: "active" })
      assert.deepStrictEqual(yield* transactions.waive("sandbox", { myId: "p" }), { status: "free" })
      assert.strictEqual(yield* statusOf(company), "free")
      const path = "/sandbox/companies/sandbox/events"
      const { json } = yield* call("GET", path, { headers: bearer(controlsToken) })
      const changed = json.events.filter(({ events }: { events: ReadonlyArray<{ _tag: string }> }) =>
        events.some(({ _tag }) => _tag === "SubscriptionStatusChanged")
      )
      assert.lengthOf(changed, 2)
      for (const { actor } of changed) assert.strictEqual(actor, "Service")
      const nobody = yield* Effect.flip(transactions.waive("nobody", { myId: "p" }))
      assert.include(nobody.message, 'There is no company with the client id "nobody"')
    }).pipe(withTokens)
  )

  it.effect("refuses company credentials, other tokens and guesses, and its token is refused elsewhere", () =>
    Effect.gen(function* () {
      const company = yield* pending
      const foreign = [
        {},
        bearer(company),
        basic("sandbox-secret"),
        bearer(controlsToken),
        bearer(operatorToken.slice(1)),
        bearer(`${operatorToken}x`),
        bearer(operatorToken.toUpperCase())
      ]
      for (const headers of foreign) {
        const refused = yield* waiving(headers)
        assert.strictEqual(refused.status, 401, JSON.stringify(headers))
        assert.match(refused.json.error.message, /PARCELA_OPERATOR_TOKEN/)
        assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
        assert.strictEqual(refused.headers.get("cache-control"), "no-store")
        assert.notInclude(refused.text, operatorToken)
      }
      assert.strictEqual(yield* statusOf(company), "pendingPix")
      for (const path of ["/v2/transactions?startAt=0&limit=1", "/sandbox/companies/sandbox"]) {
        assert.strictEqual((yield* call("GET", path, { headers: bearer(operatorToken) })).status, 401, path)
      }
    }).pipe(withTokens)
  )

  it.effect("refuses every token from an address for a while after ten wrong ones", () =>
    Effect.gen(function* () {
      yield* pending
      for (let guess = 0; guess < 10; guess++)
        assert.strictEqual((yield* waiving(bearer(`guess-${guess}`))).status, 401)
      const stopped = yield* waiving(bearer(operatorToken))
      assert.strictEqual(stopped.status, 429)
      assert.match(stopped.headers.get("retry-after") ?? "", /^\d+$/u)
      assert.strictEqual(stopped.json.error.message, "Too many wrong client secrets: wait before you try again")
    }).pipe(withTokens)
  )

  it.effect("without a token accepts only programs on this machine, and none behind a proxy", () =>
    Effect.gen(function* () {
      const { host } = new URL((yield* Sandbox).url)
      const company = yield* pending
      const type = { "content-type": "application/json" }
      for (const headers of [
        { host: "pay.example" },
        { host, origin: "https://evil.example" },
        { host, "x-forwarded-for": "203.0.113.9" },
        { host: "pay.example", ...bearer(company) }
      ]) {
        const refused = yield* callAs("POST", waive, { ...type, ...headers }, '{"myId":"p"}')
        assert.strictEqual(refused.status, 403, JSON.stringify(headers))
      }
      assert.strictEqual((yield* callAs("POST", waive, { ...type, host }, '{"myId":"p"}')).status, 200)
    }).pipe(onServer())
  )

  it.effect("is strict, has a document and a page, and does not start with a short token", () =>
    Effect.gen(function* () {
      const keyed = yield* call("POST", waive, { headers: { "idempotency-key": "k" }, body: { myId: "p" } })
      assert.strictEqual(keyed.status, 400)
      assert.hasAllKeys(keyed.json.error.details, ["Request.Idempotency-Key"])
      const unknown = yield* call("POST", waive, { body: { myId: "p", value: 1 } })
      assert.strictEqual(unknown.status, 400)
      assert.strictEqual((yield* call("GET", waive)).headers.get("allow"), "POST")
      const { json } = yield* call("GET", "/admin/openapi.json")
      assert.match(json.servers[0].url, /\/admin$/u)
      assert.isDefined(json.paths["/companies/{clientId}/transactions/waive"].post)
      assert.include(json.info.description, "An Idempotency-Key is refused")
      assert.include((yield* call("GET", "/docs/admin")).text, 'id="waiveTransaction"')
      const error = yield* Effect.flip(Effect.void.pipe(onServer({ operatorToken: Redacted.make("too-short") })))
      assert.match(error.message, /24 to 255 visible ASCII characters/)
    }).pipe(onServer())
  )
})
