import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { operationsOf } from "@parcela/transport/client/Operation"
import { Operations } from "@parcela/transport/Contract"
import { Examples, type OperationExamples } from "@parcela/transport/contract/Operation"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  Parcela,
  ParcelaError,
  type ParcelaOptions,
  UnknownOutcomeError,
  UnreadableResponseError
} from "../src/index.ts"

interface Methods {
  readonly [group: string]: { readonly [method: string]: (...args: ReadonlyArray<unknown>) => Promise<unknown> }
}

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: unknown
}

type Played = readonly [status: number, body: unknown, headers?: Record<string, string>] | "silent" | "refused"

const aborting = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))

/** Returns a client over a `fetch` that plays a script. `/token` always returns `t`. */
const playing = (play: (requests: SentRequest) => Played, options: Partial<ParcelaOptions> = {}) => {
  const requests: Array<SentRequest> = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(String(input))
    const text = init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : String(init?.body ?? "")
    const one = {
      method: init?.method ?? "GET",
      path: url.pathname + url.search,
      headers: new Headers(init?.headers),
      body: text === "" ? undefined : JSON.parse(text)
    }
    if (url.pathname === "/v2/token") {
      return Response.json({ access_token: "t", token_type: "Bearer", expires_in: 600, scope: "transactions.read" })
    }
    requests.push(one)
    const played = play(one)
    if (played === "silent") return aborting(init?.signal)
    if (played === "refused") throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })
    const [status, body, headers = {}] = played
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers })
  }
  const client = new Parcela({
    baseUrl: "http://api.test/v2",
    clientId: "shop",
    clientSecret: "secret-of-the-shop",
    retries: 0,
    fetch,
    ...options
  })
  return { client, requests }
}

const transaction = { svcPayId: 1, myId: "payment-1", status: "captured", value: 12_990 }
const added: Played = [200, { type: true, Transaction: transaction }]
const contract = { typeId: "myId", id: "contract-1" } as const
const payment = { myId: "payment-1", value: 12_990, payday: "2026-12-10" }

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it was not rejected"),
    (error: unknown) => error
  )

describe("Parcela", () => {
  it("returns a response as a promise, under the given key", async () => {
    const { requests, client } = playing(() => added)
    const { Transaction } = await client.transactions.add(contract, payment, { idempotencyKey: "order-77" })
    assert.deepStrictEqual(Transaction, transaction)
    const [one] = requests
    assert.strictEqual(`${one?.method} ${one?.path}`, "POST /v2/transactions/contract-1/myId/add")
    assert.deepStrictEqual(one?.body, payment)
    assert.strictEqual(one?.headers.get("authorization"), "Bearer t")
    assert.strictEqual(one?.headers.get("idempotency-key"), "order-77")
  })

  it("returns secrets as text", async () => {
    const { client } = playing(() => [200, { type: true, confirmHash: "hash", events: [] }])
    const { confirmHash } = await client.webhooks.edit({ url: "https://shop.example/", events: [] })
    assert.strictEqual(confirmHash, "hash")
    assert.deepStrictEqual(await client.token(), { accessToken: "t", expiresIn: 600, scope: "transactions.read" })
  })

  it("rejects with a class for each kind of failure", async () => {
    const add = (played: Played) => rejection(playing(() => played).client.transactions.add(contract, payment))
    const refused = await add([
      400,
      { error: { message: "no", details: { "Transaction.value": ["is odd"] } } },
      { "x-request-id": "req-1" }
    ])
    assert.instanceOf(refused, ApiError)
    assert.instanceOf(refused, ParcelaError)
    assert.deepInclude(refused, { status: 400, requestId: "req-1", details: { "Transaction.value": ["is odd"] } })
    assert.instanceOf(await add("refused"), ConnectionError)
    const unknown = await add([504, { error: { message: "not known" } }])
    assert.instanceOf(unknown, UnknownOutcomeError)
    assert.deepInclude(unknown, { operation: "transactions.add", attempts: 1 })
    const unreadable = await add([200, "hidden"])
    assert.instanceOf(unreadable, UnreadableResponseError)
    assert.strictEqual((unreadable as UnreadableResponseError).body(), "hidden")
    assert.notInclude(JSON.stringify(unreadable), "hidden")
    const { requests, client } = playing(() => added)
    const invalid = await rejection(client.transactions.add(contract, { ...payment, value: 0 }))
    assert.instanceOf(invalid, InvalidRequestError)
    assert.deepStrictEqual(Object.keys((invalid as InvalidRequestError).details), ["Transaction.value"])
    assert.lengthOf(requests, 0)
  })

  it("aborts a write by its signal with the key of the write, and a read with the signal's reason", async () => {
    const reason = new Error("enough")
    const abort = new AbortController()
    const { requests, client } = playing(() => {
      setImmediate(() => abort.abort(reason))
      return "silent"
    })
    const unknown = await rejection(client.transactions.add(contract, payment, { signal: abort.signal }))
    assert.instanceOf(unknown, UnknownOutcomeError)
    assert.strictEqual((unknown as UnknownOutcomeError).idempotencyKey, requests[0]?.headers.get("idempotency-key"))
    assert.strictEqual(await rejection(client.transactions.list({}, { signal: abort.signal })), reason)
    assert.lengthOf(requests, 1)
  })

  it("accepts timeout and retries for one call", async () => {
    const { requests, client } = playing(() => "silent")
    const error = await rejection(client.transactions.list({}, { timeout: 10, retries: 0 }))
    assert.instanceOf(error, ConnectionError)
    assert.include(String(error), "no response within 10ms")
    assert.lengthOf(requests, 1)
  })

  it("iterates a list with for await, and requests only the pages that are needed", async () => {
    const { requests, client } = playing(({ path }) => {
      const startAt = Number(new URLSearchParams(path.split("?")[1]).get("startAt"))
      return [200, { Transactions: [startAt + 1, startAt + 2].map((svcPayId) => ({ svcPayId, status: "captured" })) }]
    })
    const seen: Array<number> = []
    for await (const { svcPayId } of client.transactions.listAll({ limit: 2, status: ["captured"] })) {
      seen.push(svcPayId)
      if (svcPayId === 3) break
    }
    assert.deepStrictEqual(seen, [1, 2, 3])
    assert.deepStrictEqual(
      requests.map(({ path }) => path),
      ["/v2/transactions?startAt=0&limit=2&status=captured", "/v2/transactions?startAt=2&limit=2&status=captured"]
    )
  })

  it("throws the class of the failure inside a for await", async () => {
    const { client } = playing(() => [403, { error: { message: "not yours" } }])
    const walk = async () => {
      for await (const page of client.transactions.listPages()) assert.fail(`a page of ${page.Transactions.length}`)
    }
    assert.instanceOf(await rejection(walk()), ApiError)
  })

  it("ends a for await with the reason of its signal", async () => {
    const reason = new Error("enough")
    const abort = new AbortController()
    const { client } = playing(() => {
      setImmediate(() => abort.abort(reason))
      return "silent"
    })
    const walk = async () => {
      for await (const one of client.transactions.listAll({}, { signal: abort.signal })) assert.fail(String(one))
    }
    assert.strictEqual(await rejection(walk()), reason)
  })

  it("reports every response to the observer, and works with a service of another name", async () => {
    const seen: Array<string> = []
    const { requests, client } = playing(() => [200, { Transaction: { galaxPayId: 4, status: "denied" } }], {
      naming: "galaxPay",
      onResponse: ({ operation, status }) => seen.push(`${operation} ${status}`)
    })
    const { Transaction } = await client.transactions.retry({ typeId: "svcPayId", id: 4 })
    assert.deepStrictEqual(Transaction, { svcPayId: 4, status: "denied" })
    assert.strictEqual(requests[0]?.path, "/v2/transactions/4/galaxPayId/retry")
    assert.deepStrictEqual(seen, ["transactions.retry 200"])
  })

  it("uses only the service's names in requests, and only its own names in results", async () => {
    const examples = new Map<string, OperationExamples>()
    HttpApi.reflect(Operations, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group, mergedAnnotations }) =>
        examples.set(`${group.identifier}.${endpoint.identifier}`, Context.getUnsafe(mergedAnnotations, Examples))
    })
    let played: ReadonlyArray<Played> = []
    const { requests, client } = playing(() => played[requests.length % 2]!, { naming: "galaxPay" })
    for (const { body, group, method, name, path, query } of operationsOf(Operations)) {
      const { request, response } = examples.get(name)!
      const isNamed = path.includes(":typeId")
      const args = [
        ...(isNamed ? [{ typeId: "svcPayId", id: 7 }] : []),
        ...(query === undefined ? [] : [{ svcPayIds: [7] }]),
        ...(body === undefined ? [] : [request ?? {}])
      ]
      const problem = { error: { message: "Send galaxPayId", details: { "A.galaxPayId": ["is no galaxPayId"] } } }
      // The script counts the request itself.
      played = [
        [400, problem],
        [200, galaxPay.toWire(response)]
      ]
      // The method of an operation.
      const call = () => (client as unknown as Methods)[group]![method]!(...args)
      assert.notMatch(JSON.stringify(await call()), /galaxPay/iu, name)
      const error = await rejection(call())
      assert.notMatch(String(error) + JSON.stringify(error), /galaxPay/iu, name)
      assert.notMatch(JSON.stringify(requests), /svcPay/iu, name)
    }
  })

  it("requires a myId of a new entity also under another name, and sends nothing without one", async () => {
    const { requests, client } = playing(() => added, { naming: "galaxPay" })
    const { myId: _, ...unnamed } = payment
    // The types require a myId.
    const error = await rejection(client.transactions.add(contract, unnamed as typeof payment))
    assert.instanceOf(error, InvalidRequestError)
    assert.deepStrictEqual(error.details, { "Transaction.myId": ["is required"] })
    assert.deepStrictEqual(requests, [])
  })

  it("requests an additional token with the options of the call", async () => {
    const abort = new AbortController()
    abort.abort(new Error("enough"))
    const { client } = playing(() => added)
    assert.strictEqual(await rejection(client.token({ signal: abort.signal })), abort.signal.reason)
  })
})
