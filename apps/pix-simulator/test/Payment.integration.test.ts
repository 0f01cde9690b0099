import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { assert, describe, it } from "@effect/vitest"
import { layer, Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Layer, Redacted, Schema } from "effect"
import { inject } from "vitest"
import { JumpingClock } from "./fixtures/JumpingClock.ts"
import { accountAt, callbackSecret, kill, pay, startSimulator } from "./fixtures/Process.ts"

/** The clocks of both: noon in Brazil. */
const now = "2026-09-21T15:00:00Z"

const Node = Schema.Record(Schema.String, Schema.Unknown)
const json = Schema.decodeUnknownEffect(Schema.fromJsonString(Node))

const send = (url: string, method: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, text: await response.text() }
  })

/** A request to the sandbox as its company. */
const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const { clientId, clientSecret, url } = yield* Sandbox
  const basic = { authorization: `Basic ${btoa(`${clientId}:${Redacted.value(clientSecret)}`)}` }
  const login = yield* send(`${url}/v2/token`, "POST", { grant_type: "client_credentials" }, basic)
  const { access_token } = yield* json(login.text)
  const response = yield* send(`${url}/v2${path}`, method, body, { authorization: `Bearer ${String(access_token)}` })
  assert.strictEqual(response.status, 200, response.text)
  return yield* json(response.text)
})

const subscribe = call("POST", "/subscriptions/manual", {
  myId: "sub",
  mainPaymentMethodId: "pix",
  Customer: { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }
})

const Transaction = Schema.Struct({ svcPayId: Schema.Int, status: Schema.String })
const readTransactions = Schema.decodeUnknownEffect(Schema.Struct({ Transactions: Schema.Array(Transaction) }))

const transactions = Effect.gen(function* () {
  const { Transactions } = yield* readTransactions(yield* call("GET", "/transactions?startAt=0&limit=9"))
  return Transactions
})

/** Adds a payment by Pix, and returns its txid. */
const addPix = Effect.gen(function* () {
  yield* subscribe
  yield* call("POST", "/transactions/sub/myId/add", { myId: "pay", value: 1990, payday: "2026-09-21" })
  const [added] = yield* transactions
  assert.strictEqual(added?.status, "pendingPix")
  return `test${String(added?.svcPayId).padStart(22, "0")}`
})

/** Waits for what comes over sockets. */
const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))).pipe(
    Effect.andThen(holds),
    Effect.repeat({ until: (done) => done })
  )

/** True if the condition holds within a number of reads. */
const soon = <E, R>(holds: Effect.Effect<boolean, E, R>) => Effect.repeat(holds, { until: (done) => done, times: 15 })

const isPaid = Effect.map(transactions, ([one]) => one?.status === "payedPix")

const environment = Effect.map(temporaryFolder, (path) => ({
  PARCELA_PIX_DATABASE: `${path}/pix.db`,
  PARCELA_PIX_CLOCK: now
}))

/** A sandbox whose Pix provider is the one at `url`. */
const sandbox = (url: string, clock = new JumpingClock(Date.parse(now))) =>
  Layer.provideMerge(
    layer({ port: 0, database: ":memory:", pixAccounts: new Map([[CompanyId.make(1), accountAt(url)]]) }),
    clock.layer
  )

/** The address of callbacks, once the provider has it. */
const registered = Effect.fnUntraced(function* (url: string) {
  const account = accountAt(url)
  const basic = { authorization: `Basic ${btoa(`${account.clientId}:${Redacted.value(account.clientSecret)}`)}` }
  const login = yield* send(account.tokenUrl, "POST", { grant_type: "client_credentials" }, basic)
  const { access_token } = yield* json(login.text)
  const bearer = { authorization: `Bearer ${String(access_token)}` }
  const path = `${account.baseUrl}/webhook/${account.key}`
  yield* until(Effect.map(send(path, "GET", undefined, bearer), ({ status }) => status === 200))
  const { webhookUrl } = yield* json((yield* send(path, "GET", undefined, bearer)).text)
  return { webhookUrl: String(webhookUrl), remove: send(path, "DELETE", undefined, bearer) }
})

describe("a Pix that was opened at a provider of API Pix", () => {
  it.effect(
    "is payedPix after its payment there, with the provider's end-to-end id, however often that is reported",
    () =>
      Effect.gen(function* () {
        const { url } = yield* startSimulator(yield* environment)
        yield* Effect.gen(function* () {
          const { webhookUrl } = yield* registered(url)
          const { endToEndId, value } = yield* pay(url, yield* addPix)
          assert.strictEqual(value, 1990)
          yield* until(isPaid)
          const callback = { pix: [{ endToEndId, txid: "any", valor: "0.01", horario: now }] }
          const again = yield* Effect.all(
            Array.from({ length: 5 }, () => send(`${webhookUrl}/pix`, "POST", callback)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            again.map(({ status }) => status),
            [200, 200, 200, 200, 200]
          )
          const shown = JSON.stringify(yield* call("GET", "/transactions?startAt=0&limit=9"))
          assert.include(shown, endToEndId)
        }).pipe(Effect.provide(sandbox(url), { local: true }))
      })
  )
})

// With `npm run prove -- stories`.
describe.each(inject("prove").long ? ["API Pix"] : [])("a Pix that was opened at a provider of %s", () => {
  it.effect("is not paid by a caller that knows the address of callbacks, and that address contains a secret", () =>
    Effect.gen(function* () {
      const { url } = yield* startSimulator(yield* environment)
      yield* Effect.gen(function* () {
        const { webhookUrl } = yield* registered(url)
        const txid = yield* addPix
        const pix = [{ endToEndId: "E999999992026092115000000000000a", txid, valor: "19.90", horario: now }]
        const forged = (to: string, body: unknown) =>
          Effect.map(send(`${to}/pix`, "POST", body), ({ status }) => status)
        // The provider has no such payment: it may have one later, so it should report it again.
        assert.strictEqual(yield* forged(webhookUrl, { pix }), 503)
        assert.strictEqual(yield* forged(webhookUrl.replace(callbackSecret, `${callbackSecret}x`), { pix }), 404)
        assert.strictEqual(yield* forged(webhookUrl, { pix: "all" }), 400)
        assert.strictEqual(yield* forged(webhookUrl, { pix: [{ endToEndId: pix[0]?.endToEndId }] }), 200)
        assert.strictEqual((yield* send(webhookUrl, "POST", {})).status, 200)
        assert.isFalse(yield* isPaid)
      }).pipe(Effect.provide(sandbox(url), { local: true }))
    })
  )

  it.effect("is found paid by the next sweep if no callback arrived", () =>
    Effect.gen(function* () {
      const { url } = yield* startSimulator(yield* environment)
      const clock = new JumpingClock(Date.parse(now))
      yield* Effect.gen(function* () {
        const { remove } = yield* registered(url)
        yield* remove
        yield* pay(url, yield* addPix)
        assert.isFalse(yield* isPaid)
        // The sweep of the start may still be under way, and the next one begins ten minutes after its end. Each has time to
        // end before the clock moves again, or it would find its own requests timed out.
        const tenMinutes = Effect.sync(() => clock.jump("10 minutes"))
        yield* until(Effect.andThen(tenMinutes, soon(isPaid)))
      }).pipe(Effect.provide(sandbox(url, clock), { local: true }))
    })
  )

  it.effect("exists and can be paid after the provider was killed", () =>
    Effect.gen(function* () {
      const settings = yield* environment
      const { child, url } = yield* startSimulator(settings)
      yield* Effect.gen(function* () {
        yield* registered(url)
        const txid = yield* addPix
        yield* Effect.promise(() => kill(child))
        yield* startSimulator({ ...settings, PARCELA_PIX_PORT: new URL(url).port })
        yield* pay(url, txid)
        yield* until(isPaid)
      }).pipe(Effect.provide(sandbox(url), { local: true }))
    })
  )
})
