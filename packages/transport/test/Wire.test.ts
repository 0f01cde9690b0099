import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import { examples } from "./fixtures/Examples.ts"
import * as FakeService from "./FakeService.ts"

const basic = `Basic ${btoa("shop:secret")}`

const call = (method: string, path: string, options: { body?: string; headers?: Record<string, string> } = {}) =>
  Effect.gen(function* () {
    const service = yield* FakeService.scoped
    const response = yield* Effect.promise(() =>
      service.handler(
        new Request(`http://localhost/v2${path}`, {
          method,
          headers: { authorization: "Bearer good", "content-type": "application/json", ...options.headers },
          ...(options.body === undefined ? {} : { body: options.body })
        })
      )
    )
    const answer = yield* Effect.promise(() => response.json() as Promise<unknown>)
    return { status: response.status, answer, body: answer as ErrorNode, seen: service.seen }
  })

describe("the contract on the wire", () => {
  it.effect("accepts a token request as JSON and as a form", () =>
    Effect.gen(function* () {
      const fromJson = yield* call("POST", "/token", {
        headers: { authorization: basic },
        body: JSON.stringify({ grant_type: "authorization_code", scope: "subscriptions.read something.else" })
      })
      const fromForm = yield* call("POST", "/token", {
        headers: { authorization: basic, "content-type": "application/x-www-form-urlencoded" },
        body: "grant_type=client_credentials&scope=a+b"
      })
      assert.deepStrictEqual(fromJson.answer, examples.createToken.response)
      assert.deepStrictEqual(fromJson.seen, [
        { payload: { grant_type: "authorization_code", scope: "subscriptions.read something.else" } }
      ])
      assert.deepStrictEqual(fromForm.seen, [{ payload: { grant_type: "client_credentials", scope: "a b" } }])
    })
  )

  it.effect("reports every problem of a body at once, including unknown fields", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("POST", "/transactions/7/svcPayId/add", {
        body: JSON.stringify({ value: 0, payday: "2026-02-30", surprise: 1 })
      })
      assert.strictEqual(status, 400)
      assert.sameMembers(Object.keys(body.error.details ?? {}), [
        "Payload.myId",
        "Payload.value",
        "Payload.payday",
        "Payload.surprise"
      ])
    })
  )

  it.effect("ignores unknown headers and reads the Idempotency-Key", () =>
    Effect.gen(function* () {
      const { seen } = yield* call("POST", "/subscriptions/manual", {
        headers: { "x-anything": "1", "idempotency-key": "key-1" },
        body: JSON.stringify(examples.createManualSubscription.request)
      })
      assert.deepStrictEqual(seen[0]?.headers, { "idempotency-key": "key-1" })
    })
  )

  it.effect("reads comma-joined lists, page and order of a query", () =>
    Effect.gen(function* () {
      const { seen, status } = yield* call(
        "GET",
        "/transactions?startAt=0&limit=100&myIds=a,b&svcPayIds=1,22&status=denied,captured" +
          "&order=payday.desc,createdAt.asc&payDayFrom=2026-01-01"
      )
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        seen.map(({ query }) => query),
        [
          {
            startAt: 0,
            limit: 100,
            myIds: ["a", "b"],
            svcPayIds: [1, 22],
            status: ["denied", "captured"],
            order: [
              { field: "payday", direction: "desc" },
              { field: "createdAt", direction: "asc" }
            ],
            payDayFrom: "2026-01-01"
          }
        ]
      )
    })
  )

  it.effect("reports every problem of a query at once, including unknown keys", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call(
        "GET",
        "/subscriptions?limit=101&svcPayIds=1,1e3&status=paid&order=name.asc&payDayFrom=2026-01-01&createdAtTo=today"
      )
      assert.strictEqual(status, 400)
      assert.sameMembers(Object.keys(body.error.details ?? {}), [
        "Query.startAt",
        "Query.limit",
        "Query.svcPayIds",
        "Query.status",
        "Query.order",
        "Query.payDayFrom",
        "Query.createdAtTo"
      ])
    })
  )

  it.effect.each([
    ["7", "svcPayId", { typeId: "svcPayId", id: 7 }],
    ["7", "myId", { typeId: "myId", id: "7" }],
    ["a%2Fb%20c", "myId", { typeId: "myId", id: "a/b c" }],
    [encodeURIComponent("😀".repeat(255)), "myId", { typeId: "myId", id: "😀".repeat(255) }]
  ] as const)("reads the identifier %s of kind %s", ([id, typeId, ref]) =>
    Effect.gen(function* () {
      const { seen } = yield* call("PUT", `/transactions/${id}/${typeId}/retry`)
      assert.deepStrictEqual(
        seen.map(({ entity }) => entity),
        [ref]
      )
    })
  )

  it.effect("ignores a trailing slash", () =>
    Effect.gen(function* () {
      const { status } = yield* call("GET", "/subscriptions/?startAt=0&limit=1")
      assert.strictEqual(status, 200)
    })
  )

  it.effect("accepts a retry with any body", () =>
    Effect.gen(function* () {
      const { answer } = yield* call("PUT", "/transactions/7/svcPayId/retry", { body: "{}" })
      assert.deepStrictEqual(answer, examples.retryTransaction.response)
    })
  )

  it.effect("cuts a message to the 255 characters of the error node", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("PUT", "/transactions/404/svcPayId/retry")
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(body, { error: { message: `${"x".repeat(254)}…` } })
    })
  )

  it.effect("authenticates before decoding the body", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("POST", "/token", { headers: { authorization: "12345" }, body: "{" })
      assert.strictEqual(status, 401)
      assert.deepStrictEqual(body, { error: { message: "no" } })
    })
  )

  it.effect("passes the required scope of an operation to the middleware", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("PUT", "/webhooks", { headers: { authorization: "Bearer narrow" } })
      assert.strictEqual(status, 403)
      assert.strictEqual(body.error.message, "webhooks.write")
    })
  )
})
