import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect, Schema, Stream } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { deriveClient } from "../../src/client/DeriveClient.ts"
import { Operations } from "../../src/Contract.ts"
import { examples } from "../fixtures/Examples.ts"
import * as FakeHttp from "./FakeHttp.ts"

const added: FakeHttp.Played = [200, examples.addTransaction.response]
const contract = { typeId: "myId", id: "contract-1" } as const
const payment = examples.addTransaction.request

/** Returns a service with this number of transactions, in pages. */
const listOf = (count: number) =>
  FakeHttp.make(({ path }) => {
    if (path.endsWith("/token")) return FakeHttp.token("t")
    const query = new URL(path, "http://api.test").searchParams
    const startAt = Number(query.get("startAt"))
    const ids = Array.from({ length: count }, (_, index) => index + 1).slice(
      startAt,
      startAt + Number(query.get("limit"))
    )
    const Transactions = ids.map((svcPayId) => ({ svcPayId, status: "captured" }))
    return [200, { totalQtdFoundInPage: Transactions.length, Transactions }]
  })

const pathsOf = (fake: ReturnType<typeof FakeHttp.make>) => FakeHttp.sent(fake).map(({ path }) => path)

describe("deriveClient", () => {
  it.effect("has a method for an operation that was just added to a contract", () =>
    Effect.gen(function* () {
      const Plan = Schema.Struct({ svcPayId: Schema.Int, name: Schema.String }).annotate({ identifier: "Plan" })
      const extended = HttpApi.make("extended").add(
        HttpApiGroup.make("plans").add(
          HttpApiEndpoint.delete("remove", "/plans/:planId/:typeId", {
            params: { planId: Schema.String, typeId: Schema.Literals(["svcPayId", "myId"]) },
            success: Schema.Struct({ type: Schema.Boolean })
          }),
          HttpApiEndpoint.post("create", "/plans", {
            payload: Schema.Struct({ name: Schema.NonEmptyString }),
            success: Schema.Struct({ type: Schema.Boolean, Plan })
          })
        )
      )
      const fake = FakeHttp.make(({ method }) => [
        200,
        method === "POST" ? { Plan: { svcPayId: "7" } } : { type: true }
      ])
      const client = yield* deriveClient(extended, { ...FakeHttp.options, name: "Extended", reading: "lenient" }).pipe(
        Effect.provide(fake.layer)
      )
      const { Plan: created } = yield* client.plans.create({ name: "gold" })
      assert.deepStrictEqual(created, { svcPayId: 7 })
      assert.isTrue((yield* client.plans.remove({ typeId: "myId", id: "a/b" })).type)
      assert.deepStrictEqual(
        fake.calls.map(({ authorization, body, key, method, path }) => [method, path, body, authorization, key]),
        [
          ["POST", "/v2/plans", { name: "gold" }, undefined, undefined],
          ["DELETE", "/v2/plans/a%2Fb/myId", undefined, undefined, undefined]
        ]
      )
      const wrong = yield* Effect.flip(client.plans.create({ name: "" }))
      assert.deepInclude(wrong, { _tag: "InvalidRequest" })
      assert.deepStrictEqual(Object.keys((wrong as { details: object }).details), ["Plan.name"])
    })
  )

  it.effect("fails at once if an option that the contract requires is missing", () =>
    Effect.gen(function* () {
      const derive = deriveClient(Operations, { ...FakeHttp.options, name: "Incomplete", reading: "lenient" })
      const cause = yield* Effect.sandbox(derive).pipe(Effect.flip, Effect.provide(FakeHttp.operations(added).layer))
      assert.include(String(cause), "asks for a token")
    })
  )

  it.effect("sends a write without a key once, and reports that it may have happened", () =>
    Effect.gen(function* () {
      const unkeyed = HttpApi.make("unkeyed").add(
        HttpApiGroup.make("switches").add(
          HttpApiEndpoint.post("flip", "/flip", { success: Schema.Struct({ on: Schema.Boolean }) })
        )
      )
      const fake = FakeHttp.make(() => "lost")
      const client = yield* deriveClient(unkeyed, { ...FakeHttp.options, name: "Unkeyed", reading: "strict" }).pipe(
        Effect.provide(fake.layer)
      )
      const error = yield* Effect.flip(client.switches.flip())
      assert.deepInclude(error, { _tag: "ResponseLost", operation: "switches.flip" })
      assert.lengthOf(fake.calls, 1)
    })
  )
})

describe("a call's options", () => {
  it.effect("limit the attempts of a read and of a write", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations([503, { error: { message: "busy" } }])
      yield* FakeHttp.using(fake, (client) =>
        Effect.gen(function* () {
          yield* Effect.flip(client.transactions.list({}, { retries: 0 }))
          assert.lengthOf(FakeHttp.sent(fake), 1)
          const error = yield* Effect.flip(client.transactions.add(contract, payment, { retries: 4 }))
          assert.deepInclude(error, { _tag: "UnknownOutcome", attempts: 5 })
        })
      )
      assert.lengthOf(FakeHttp.sent(fake), 6)
    })
  )

  it.effect("override the options of the client", () =>
    Effect.gen(function* () {
      const fake = FakeHttp.operations("silent")
      const errors = yield* FakeHttp.using(
        fake,
        (client) =>
          Effect.all([
            Effect.flip(client.transactions.list()),
            Effect.flip(client.transactions.list({}, { timeout: "3 seconds" }))
          ]),
        { timeout: "2 seconds", retries: 0 }
      )
      assert.deepStrictEqual(
        errors.map((error) => "reason" in error && error.reason),
        ["no response within 2s", "no response within 3s"]
      )
      assert.lengthOf(FakeHttp.sent(fake), 2)
    })
  )
})

describe("errors", () => {
  it.effect("contain the request id of the response", () =>
    Effect.gen(function* () {
      const id = { "x-request-id": "req-1" }
      const failure = (status: number, body: unknown): FakeHttp.Played => [status, body, id]
      const ask = (played: FakeHttp.Played) =>
        FakeHttp.using(FakeHttp.operations(played), (client) => Effect.flip(client.transactions.add(contract, payment)))
      const errors = yield* Effect.all([
        ask(failure(400, { error: { message: "no" } })),
        ask(failure(504, { error: { message: "unknown" } })),
        ask(failure(200, "hello"))
      ])
      assert.deepStrictEqual(
        errors.map((error) => [error._tag, "requestId" in error && error.requestId]),
        [
          ["ApiFailure", "req-1"],
          ["UnknownOutcome", "req-1"],
          ["Unreadable", "req-1"]
        ]
      )
    })
  )

  it.effect("and their requests are reported to the observer with id and duration", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const fake = FakeHttp.make(({ path }) =>
        path.endsWith("/token")
          ? FakeHttp.token("t")
          : Effect.as(Effect.sleep("2 seconds"), [400, { error: { message: "no" } }, { "x-request-id": "req-2" }])
      )
      yield* FakeHttp.using(fake, (client) => Effect.flip(client.transactions.list()), {
        onResponse: ({ duration, operation, requestId, status }) =>
          Effect.sync(() => seen.push([operation, status, requestId, duration]))
      })
      assert.deepStrictEqual(seen, [["transactions.list", 400, "req-2", 2000]])
    })
  )
})

describe("lists", () => {
  it.effect("return every item of every page, and end with the first page that is not full", () =>
    Effect.gen(function* () {
      const fake = listOf(250)
      const items = yield* FakeHttp.using(fake, (client) => Stream.runCollect(client.transactions.listAll()))
      assert.deepStrictEqual(
        items.map(({ svcPayId }) => svcPayId),
        Array.from({ length: 250 }, (_, index) => index + 1)
      )
      assert.deepStrictEqual(pathsOf(fake), [
        "/v2/transactions?startAt=0&limit=100",
        "/v2/transactions?startAt=100&limit=100",
        "/v2/transactions?startAt=200&limit=100"
      ])
    })
  )

  it.effect("request a page only when it is needed", () =>
    Effect.gen(function* () {
      const fake = listOf(250)
      const pages = yield* FakeHttp.using(fake, (client) =>
        client.transactions
          .listPages({ startAt: 5, limit: 20, status: ["captured"] })
          .pipe(Stream.take(2), Stream.runCollect)
      )
      assert.deepStrictEqual(
        pages.map(({ Transactions }) => [Transactions.length, Transactions[0]?.svcPayId]),
        [
          [20, 6],
          [20, 26]
        ]
      )
      assert.deepStrictEqual(pathsOf(fake), [
        "/v2/transactions?startAt=5&limit=20&status=captured",
        "/v2/transactions?startAt=25&limit=20&status=captured"
      ])
    })
  )

  it.effect("skip items that appear again because an item was inserted before them", () =>
    Effect.gen(function* () {
      const pages = [[4, 3], [3, 2], [1]]
      const fake = FakeHttp.operations(
        ...pages.map((ids): FakeHttp.Played => [
          200,
          { Transactions: ids.map((svcPayId) => ({ svcPayId, status: "captured" })) }
        ])
      )
      const items = yield* FakeHttp.using(fake, (client) =>
        Stream.runCollect(client.transactions.listAll({ limit: 2, order: [{ field: "createdAt", direction: "desc" }] }))
      )
      assert.deepStrictEqual(
        items.map(({ svcPayId }) => svcPayId),
        [4, 3, 2, 1]
      )
    })
  )

  it.effect("fail when a page fails, after the items before it", () =>
    Effect.gen(function* () {
      const page = { Transactions: [{ svcPayId: 1, status: "captured" }] }
      const fake = FakeHttp.operations([200, page], [403, { error: { message: "not yours" } }])
      const seen: Array<number> = []
      const error = yield* FakeHttp.using(fake, (client) =>
        client.transactions.listAll({ limit: 1 }).pipe(
          Stream.runForEach(({ svcPayId }) => Effect.sync(() => seen.push(svcPayId))),
          Effect.flip
        )
      )
      assert.deepStrictEqual(seen, [1])
      assert.deepInclude(error, { _tag: "ApiFailure", status: 403 })
    })
  )
})

describe("a naming profile", () => {
  it.effect("renames requests, responses and errors", () =>
    Effect.gen(function* () {
      const { svcPayId, payedOutsideSvcPay, ...others } = examples.addTransaction.response.Transaction
      const wire = { galaxPayId: svcPayId, payedOutsideGalaxPay: payedOutsideSvcPay, ...others }
      const fake = FakeHttp.operations(
        [200, { type: true, Transaction: wire }],
        [200, { Transactions: [wire] }],
        [400, { error: { message: "no", details: { "Transaction.galaxPayId": ["is unknown"] } } }]
      )
      const [{ Transaction }, page, error] = yield* FakeHttp.using(
        fake,
        (client) =>
          Effect.all([
            client.transactions.add({ typeId: "svcPayId", id: 3 }, { ...payment, payedOutsideSvcPay: false }),
            client.transactions.list({ svcPayIds: [3], limit: 1 }),
            Effect.flip(client.transactions.retry({ typeId: "svcPayId", id: 9 }))
          ]),
        { naming: galaxPay }
      )
      assert.deepInclude(Transaction as object, { svcPayId, payedOutsideSvcPay })
      assert.strictEqual(page.Transactions[0]?.svcPayId, svcPayId)
      assert.deepInclude(error, { details: { "Transaction.svcPayId": ["is unknown"] } })
      assert.deepStrictEqual(pathsOf(fake), [
        "/v2/transactions/3/galaxPayId/add",
        "/v2/transactions?startAt=0&limit=1&galaxPayIds=3",
        "/v2/transactions/9/galaxPayId/retry"
      ])
      assert.deepStrictEqual(FakeHttp.sent(fake)[0]?.body, { ...payment, payedOutsideGalaxPay: false })
    })
  )
})
