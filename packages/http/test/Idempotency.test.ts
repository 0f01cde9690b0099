import { assert, describe, it, layer } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { done } from "@parcela/engine/command/Command"
import * as Idempotency from "@parcela/http/Idempotency"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import * as InjectedFailures from "@parcela/provider-simulator/InjectedFailures"
import { Duration, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { byCard, byPix, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, server, signIn, tokenOf, whileTimePasses } from "@parcela/test-world/Server"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"
import { services } from "./fixtures/StubbedOperations.ts"

const create = "/v2/subscriptions/manual"
const keyed = (key: string, body?: unknown) => ({ headers: { "idempotency-key": key }, body })

/** Returns the number of charges in the ledger of the card operator, without repeats. */
const charges = Effect.map(
  Effect.flatMap(SandboxServer.controls, ({ ledger }) => ledger.list()),
  ({ entries }) =>
    entries.filter(({ call, isRepeat, outcome }) => call === "charge" && outcome !== null && !isRepeat).length
)

const count = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ rows: number }>`SELECT count(*) AS "rows" FROM ${sql(table)}`
  return row!.rows
})

/** As after a crash between a write and its answer: the write is there, the answer is not. */
const forgetAnswers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE idempotency_keys SET response_status = NULL, response_body = NULL`
})

/** One write of each kind, in an order in which each can be done. */
const writes = [
  ["POST", create, byCard(cards.deniedAtFirst)],
  ["POST", "/v2/transactions/sub/myId/add", payment("p")],
  ["PUT", "/v2/transactions/p/myId/retry", undefined],
  ["PUT", "/v2/webhooks", { url: "http://127.0.0.1:9/", events: ["company.cashOut"] }]
] as const

layer(server())("an Idempotency-Key", (it) => {
  it.effect("returns the same bytes to a repeat, for every kind of write", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const [index, [method, path, body]] of writes.entries()) {
        const first = yield* call(method, path, keyed(`k${index}`, body))
        assert.strictEqual(first.status, 200, path)
        yield* TestClock.adjust("1 minute")
        const again = yield* call(method, path, keyed(`k${index}`, body))
        assert.deepStrictEqual([again.status, again.text], [200, first.text])
        assert.strictEqual(again.headers.get("content-type"), first.headers.get("content-type"))
      }
    })
  )

  it.effect("stores the response without the confirmHash, and returns the whole response to a repeat", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = { url: "http://127.0.0.1:9/", events: [] }
      const first = yield* call("PUT", "/v2/webhooks", keyed("secretive", body))
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ response_body: string }>`
        SELECT response_body FROM idempotency_keys WHERE idempotency_key = 'secretive'`
      assert.match(first.json.confirmHash, /^[0-9a-f]{32}$/)
      assert.notInclude(row!.response_body, first.json.confirmHash)
      assert.strictEqual((yield* call("PUT", "/v2/webhooks", keyed("secretive", body))).text, first.text)
      assert.strictEqual(first.headers.get("cache-control"), "no-store")
    })
  )

  it.effect("returns a 422 with another body, path or method, and the first response stays stored", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const first = yield* call("POST", create, keyed("k", byPix()))
      const others = [
        ["POST", create, byPix("other")],
        ["POST", create, { ...byPix(), additionalInfo: "" }],
        ["POST", "/v2/transactions/sub/myId/add", payment("p")],
        ["PUT", "/v2/transactions/sub/myId/retry", undefined],
        ["PUT", "/v2/webhooks", { url: "http://127.0.0.1:9/", events: [] }]
      ] as const
      for (const [method, path, body] of others) {
        const refused = yield* call(method, path, keyed("k", body))
        assert.strictEqual(refused.status, 422, path)
        assert.match(refused.json.error.message, /use a new key for a new request, or repeat the same body under/)
      }
      yield* call("POST", "/v2/transactions/sub/myId/add", keyed("a", payment("p")))
      for (const path of ["/v2/transactions/other/myId/add", "/v2/transactions/1/svcPayId/add"]) {
        assert.strictEqual((yield* call("POST", path, keyed("a", payment("p")))).status, 422, path)
      }
      assert.strictEqual((yield* call("POST", create, keyed("k", byPix()))).text, first.text)
    })
  )

  it.effect(
    "compares commands and not bytes: white space, the order of keys and a slash at the end change nothing",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        const first = yield* call("POST", create, keyed("k", byPix()))
        const reversed = Object.fromEntries(Object.entries(byPix()).toReversed())
        for (const [path, body] of [
          [create, JSON.stringify(byPix(), undefined, 2)],
          [create, reversed],
          [`${create}/`, byPix()]
        ] as const) {
          const again = yield* call("POST", path, keyed("k", body))
          assert.deepStrictEqual([again.status, again.text], [200, first.text])
        }
      })
  )

  it.effect(
    "of a request that cannot be read is not looked at: what is wrong is said, and the first answer stays",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        const first = yield* call("POST", create, keyed("k", byPix()))
        assert.strictEqual((yield* call("POST", create, keyed("k", "{"))).status, 400)
        assert.strictEqual((yield* call("POST", create, keyed("k", { ...byPix(), myId: [1] }))).status, 400)
        assert.strictEqual((yield* call("POST", create, keyed("k", byPix()))).text, first.text)
      })
  )

  it.effect("can be used again after any refusal", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      assert.strictEqual((yield* call("POST", create, keyed("k", { myId: 1 }))).status, 400)
      assert.strictEqual((yield* call("POST", create, keyed("k", "not JSON"))).status, 400)
      const nobody = { ...byPix(), Customer: { myId: "nobody" } }
      assert.strictEqual((yield* call("POST", create, keyed("k", nobody))).status, 404)
      assert.strictEqual((yield* call("POST", create, keyed("k", byPix()))).status, 200)
    })
  )

  it.effect("is independent of the same text of another company", () =>
    Effect.gen(function* () {
      const mine = yield* signIn()
      const theirs = yield* signIn()
      const first = yield* mine.call("POST", create, keyed("k", byPix()))
      const second = yield* theirs.call("POST", create, keyed("k", byPix()))
      assert.strictEqual(second.status, 200)
      assert.notStrictEqual(second.json.Subscription.svcPayId, first.json.Subscription.svcPayId)
    })
  )

  it.effect("belongs to the company and not to the token", () =>
    Effect.gen(function* () {
      const { call: asCompany, company } = yield* signIn()
      const first = yield* asCompany("POST", create, keyed("k", byPix()))
      const authorization = `Bearer ${yield* tokenOf(company)}`
      const again = yield* call("POST", create, {
        headers: { "idempotency-key": "k", authorization },
        body: byPix()
      })
      assert.strictEqual(again.text, first.text)
    })
  )

  it.effect("may be any 1 to 255 characters that a header can contain", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const keys = [
        "x".repeat(255),
        `"8e03978e-40d5-43e8-bc93-6894a57f9324"`,
        "'; DROP TABLE idempotency_keys; --",
        "é"
      ]
      for (const [index, key] of keys.entries()) {
        const first = yield* call("POST", create, keyed(key, byPix(`s${index}`)))
        assert.strictEqual(first.status, 200, key)
        assert.strictEqual((yield* call("POST", create, keyed(key, byPix(`s${index}`)))).text, first.text)
      }
      for (const key of ["x".repeat(256), ""]) {
        const answer = yield* call("POST", create, keyed(key, byPix("refused")))
        assert.strictEqual(answer.status, 400)
        assert.lengthOf(Object.keys(answer.json.error.details), 1)
      }
    })
  )

  it.effect("does not bypass authentication: a known key without token or scope returns a 401 or a 403", () =>
    Effect.gen(function* () {
      const { call: asCompany, company } = yield* signIn()
      yield* asCompany("POST", create, keyed("k", byPix()))
      assert.strictEqual((yield* call("POST", create, keyed("k", byPix()))).status, 401)
      const authorization = `Bearer ${yield* tokenOf(company, "balance.read")}`
      const answer = yield* call("POST", create, { headers: { "idempotency-key": "k", authorization }, body: byPix() })
      assert.strictEqual(answer.status, 403)
    })
  )
})

describe("an Idempotency-Key in use", () => {
  it.effect("is used by one of many concurrent requests: the others join it, and all receive the same response", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCard(cards.captured) })
      const plan = yield* InjectedFailures.FaultPlan
      yield* plan.next("charge", InjectedFailures.Fault.Slow({ delay: Duration.seconds(5) }))
      const add = call("POST", "/v2/transactions/sub/myId/add", keyed("k", payment("p")))
      const all = Effect.all(
        Array.from({ length: 10 }, () => add),
        { concurrency: "unbounded" }
      )
      const responses = yield* whileTimePasses(all)
      assert.deepStrictEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
      assert.strictEqual(responses[0]?.json.Transaction.status, "captured")
      assert.lengthOf([...new Set(responses.map(({ text }) => text))], 1)
      assert.strictEqual((yield* add).text, responses[0]?.text)
      assert.strictEqual(yield* charges, 1)
    }).pipe(onServer())
  )
})

describe("an Idempotency-Key of a retry whose outcome is unknown", () => {
  const retry = ["PUT", "/v2/transactions/p/myId/retry"] as const

  it.effect(
    "is a 504 that is not stored; a repeat joins the attempt, and gets its outcome as soon as it is known",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        yield* call("POST", create, { body: byCard(cards.deniedAtFirst) })
        yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
        const plan = yield* InjectedFailures.FaultPlan
        const { ResponseLost } = InjectedFailures.Fault
        yield* plan.next("charge", ResponseLost())
        yield* plan.next("lookup", ResponseLost(), ResponseLost(), ResponseLost())
        for (const options of [keyed("k"), keyed("k"), {}]) {
          const unknown = yield* call(...retry, options)
          assert.strictEqual(unknown.status, 504)
          assert.deepStrictEqual(Object.keys(unknown.json.error.details), ["Transaction.status"])
        }
        const captured = yield* call(...retry, keyed("k"))
        assert.deepStrictEqual([captured.status, captured.json.Transaction.status], [200, "captured"])
        assert.strictEqual((yield* call(...retry, keyed("k"))).text, captured.text)
        assert.strictEqual((yield* call(...retry)).status, 400, "a retry of its own comes after the capture")
        assert.strictEqual(yield* charges, 2, "the denial of before, and one capture")
        assert.strictEqual(yield* count("attempts"), 2)
      }).pipe(onServer())
  )

  it.effect("returns the outcome of its own attempt, also after another retry", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCard(cards.denied) })
      yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      const plan = yield* InjectedFailures.FaultPlan
      const { ResponseLost, Slow } = InjectedFailures.Fault
      yield* plan.next("charge", ResponseLost())
      yield* plan.next("lookup", ResponseLost())
      assert.strictEqual((yield* call(...retry, keyed("k"))).status, 504)
      // Joins the attempt, which is denied; the next one is slow, and the repeat does not wait for it.
      assert.strictEqual((yield* call(...retry)).json.Transaction.status, "denied")
      yield* plan.next("charge", Slow({ delay: Duration.seconds(5) }))
      const slow = yield* Effect.forkChild(call(...retry))
      for (let step = 0; step < 10_000 && (yield* count("attempts")) < 3; step++) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.deepInclude((yield* call(...retry, keyed("k"))).json.Transaction, { status: "denied" })
      assert.strictEqual((yield* whileTimePasses(Fiber.join(slow))).status, 200)
      assert.strictEqual(yield* charges, 3)
    }).pipe(onServer())
  )

  it.effect("stores the final response of a repeat, which no later retry changes", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCard(cards.denied) })
      yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      const plan = yield* InjectedFailures.FaultPlan
      const { ResponseLost } = InjectedFailures.Fault
      yield* plan.next("charge", ResponseLost())
      yield* plan.next("lookup", ResponseLost())
      assert.strictEqual((yield* call(...retry, keyed("k"))).status, 504)
      const joined = yield* call(...retry, keyed("k"))
      assert.deepStrictEqual([joined.status, joined.json.Transaction.status], [200, "denied"])
      yield* TestClock.adjust("1 minute")
      const later = yield* call(...retry)
      assert.notStrictEqual(later.json.Transaction.statusDate, joined.json.Transaction.statusDate)
      assert.strictEqual((yield* call(...retry, keyed("k"))).text, joined.text)
      assert.strictEqual(yield* charges, 3)
    }).pipe(onServer())
  )

  it.effect("returns the current payment instead of a 504 for an add, and a repeat returns the outcome", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCard(cards.captured) })
      const plan = yield* InjectedFailures.FaultPlan
      yield* plan.next("charge", InjectedFailures.Fault.ResponseLost())
      yield* plan.next("lookup", InjectedFailures.Fault.ResponseLost())
      const add = call("POST", "/v2/transactions/sub/myId/add", keyed("k", payment("p")))
      const added = yield* add
      assert.deepStrictEqual([added.status, added.json.Transaction.status], [200, "notSend"])
      const repeated = yield* add
      assert.deepStrictEqual([repeated.status, repeated.json.Transaction.status], [200, "captured"])
      assert.strictEqual((yield* add).text, repeated.text)
      assert.strictEqual(yield* charges, 1)
      assert.strictEqual(yield* count("transactions"), 1)
    }).pipe(onServer())
  )
})

describe("an Idempotency-Key of an add that a crash interrupted", () => {
  it.effect("returns the outcome to a repeat, also after a repeat that did not receive the outcome", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", create, { body: byCard(cards.captured) })
      const plan = yield* InjectedFailures.FaultPlan
      const { ResponseLost } = InjectedFailures.Fault
      yield* plan.next("charge", ResponseLost())
      yield* plan.next("lookup", ResponseLost(), ResponseLost())
      const add = call("POST", "/v2/transactions/sub/myId/add", keyed("k", payment("p")))
      yield* add
      yield* forgetAnswers
      const returned = yield* add
      assert.deepStrictEqual([returned.status, returned.json.Transaction.status], [200, "notSend"])
      assert.strictEqual((yield* call("PUT", "/v2/transactions/p/myId/retry")).json.Transaction.status, "captured")
      assert.strictEqual((yield* add).json.Transaction.status, "captured")
      assert.strictEqual(yield* charges, 1)
    }).pipe(onServer())
  )
})

describe("an Idempotency-Key after a restart", () => {
  it.effect("gives a repeat the same bytes", () =>
    Effect.gen(function* () {
      const database = yield* temporaryFile
      const company = { clientId: "padaria", clientSecret: "secret" }
      const first = yield* Effect.gen(function* () {
        const { call } = yield* signIn(company)
        yield* call("POST", create, { body: byCard(cards.captured) })
        return yield* call("POST", "/v2/transactions/sub/myId/add", keyed("k", payment("p")))
      }).pipe(onServer({ database }))
      yield* TestClock.adjust("1 day")
      yield* Effect.gen(function* () {
        const token = yield* tokenOf({ ...company, clientSecret: Redacted.make(company.clientSecret) })
        const again = yield* call("POST", "/v2/transactions/sub/myId/add", {
          headers: { "idempotency-key": "k", authorization: `Bearer ${token}` },
          body: payment("p")
        })
        assert.deepStrictEqual([again.status, again.text], [200, first.text])
        assert.strictEqual(yield* charges, 1)
      }).pipe(onServer({ database }))
    })
  )

  it.effect("returns the committed write when its response was lost", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const [index, [method, path, body]] of writes.entries()) {
        const first = yield* call(method, path, keyed(`k${index}`, body))
        yield* forgetAnswers
        const again = yield* call(method, path, keyed(`k${index}`, body))
        assert.deepStrictEqual([again.status, again.json], [200, first.json], path)
        const stored = yield* call(method, path, keyed(`k${index}`, body))
        assert.strictEqual(stored.text, again.text)
      }
      assert.strictEqual(yield* count("subscriptions"), 1)
      assert.strictEqual(yield* charges, 2)
    }).pipe(onServer())
  )

  it.effect("can be used again at once when its request wrote nothing", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'disk full'); END`
      assert.strictEqual((yield* call("POST", create, keyed("k", byPix()))).status, 500)
      assert.strictEqual(yield* count("idempotency_keys"), 0)
      yield* sql`DROP TRIGGER full`
      assert.strictEqual((yield* call("POST", create, keyed("k", byPix()))).status, 200)
    }).pipe(onServer())
  )
})

describe("the response to a write under a key", () => {
  const render = (view: unknown) => new TextEncoder().encode(JSON.stringify(view))

  it.effect("shows the result of the write, whatever was stored before", () =>
    Effect.gen(function* () {
      const underKey = (yield* Idempotency.make)(CompanyId.make(1), "k", { operation: "write" }, render)
      const written = (stored: ReadonlyArray<string>, value: string) =>
        underKey(
          (value: string) => ({ value }),
          (key) =>
            Effect.sync(() => {
              for (const each of stored) key?.respond(each)
              return done(value)
            })
        )
      const stored = yield* written(["first", "second"], "second")
      assert.instanceOf(stored, Idempotency.Rendered)
      assert.deepStrictEqual(stored.body, render({ value: "second" }))
      assert.deepStrictEqual(yield* written(["first", "second"], "first"), { value: "first" })
      assert.deepStrictEqual(yield* written([], "first"), { value: "first" })
    }).pipe(Effect.provide(services))
  )
})
