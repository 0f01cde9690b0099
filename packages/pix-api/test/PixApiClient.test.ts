import { assert, describe, it } from "@effect/vitest"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import { Effect, Layer, Redacted, Ref } from "effect"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import * as PixApiClient from "../src/PixApiClient.ts"
import { accountAt } from "./fixtures/Simulator.ts"

const account = accountAt("https://pix.psp.example")
const secret = Redacted.value(account.clientSecret)

interface Scripted {
  readonly status: number
  readonly body?: unknown
}

const isLogin = ({ url }: HttpClientRequest.HttpClientRequest) => url === account.tokenUrl

/** A provider that gives tokens `token 1`, `token 2`, .. of an hour, and responds to all else as `respond` says. */
const provider = Effect.fnUntraced(function* (
  respond: (token: string | undefined) => Scripted,
  login: (n: number) => Scripted = (n) => ({ status: 200, body: { access_token: `token-${n}`, expires_in: 3_600 } })
) {
  const logins = yield* Ref.make(0)
  const requested = yield* Ref.make<ReadonlyArray<HttpClientRequest.HttpClientRequest>>([])
  const http = HttpClient.make((request) =>
    Effect.gen(function* () {
      yield* Ref.update(requested, (before) => [...before, request])
      const { body, status } = isLogin(request)
        ? login(yield* Ref.updateAndGet(logins, (n) => n + 1))
        : respond(request.headers["authorization"])
      return HttpClientResponse.fromWeb(
        request,
        new Response(body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body), { status })
      )
    })
  )
  const client = yield* Effect.provide(
    PixApiClient.PixApiClient,
    PixApiClient.layer().pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, http))),
    { local: true }
  )
  return {
    logins: Ref.get(logins),
    requested: Ref.get(requested),
    send: client.send(account, { method: "GET", path: "/cob/a", query: { revisao: "0" } }),
    sendAs: (changes: Partial<typeof account>) =>
      client.send({ ...account, ...changes }, { method: "GET", path: "/cob/a" })
  }
})

const ok = { status: 200, body: { fine: true } }

describe("a token", () => {
  it.effect("is requested once by many concurrent requests, and cached until shortly before it expires", () =>
    Effect.gen(function* () {
      const { logins, send } = yield* provider(() => ok)
      yield* Effect.all(
        Array.from({ length: 16 }, () => send),
        { concurrency: "unbounded" }
      )
      yield* TestClock.adjust("3569 seconds")
      yield* send
      assert.strictEqual(yield* logins, 1)
      yield* TestClock.adjust("1 second")
      yield* send
      assert.strictEqual(yield* logins, 2)
    })
  )

  it.effect("that is refused is renewed once, although several requests detect it", () =>
    Effect.gen(function* () {
      const { logins, send } = yield* provider((token) => (token === "Bearer token-1" ? { status: 401 } : ok))
      const responses = yield* Effect.all([send, send, send], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        responses.map(({ status }) => status),
        [200, 200, 200]
      )
      assert.strictEqual(yield* logins, 2)
    })
  )

  it.effect("that is always refused does not cause endless requests", () =>
    Effect.gen(function* () {
      const { requested, send } = yield* provider(() => ({ status: 401 }))
      assert.include(String((yield* Effect.flip(send)).cause), "(401)")
      assert.strictEqual((yield* requested).length, 4)
    })
  )

  it.effect("that could not be obtained is requested again by the next request", () =>
    Effect.gen(function* () {
      const { send } = yield* provider(
        () => ok,
        (n) => (n === 1 ? { status: 500, body: { access_token: 7 } } : { status: 200, body: { access_token: "t" } })
      )
      assert.strictEqual((yield* Effect.flip(send)).cause, "token: the provider returned no token (500)")
      assert.deepStrictEqual(yield* send, ok)
    })
  )

  it.effect.each([
    {
      tokenRequest: "form",
      contentType: "application/x-www-form-urlencoded",
      body: "grant_type=client_credentials&scope=cob.write"
    },
    {
      tokenRequest: "json",
      contentType: "application/json",
      body: '{"grant_type":"client_credentials","scope":"cob.write"}'
    }
  ] as const)("is requested by Basic and $tokenRequest", ({ body, contentType, tokenRequest }) =>
    Effect.gen(function* () {
      const { requested, sendAs } = yield* provider(() => ok)
      yield* sendAs({ tokenRequest, scope: "cob.write" })
      const login = (yield* requested).find(isLogin)
      assert.strictEqual(login?.headers["authorization"], `Basic ${btoa(`${account.clientId}:${secret}`)}`)
      const sent = login?.body._tag === "Uint8Array" ? login.body : undefined
      assert.strictEqual(sent?.contentType, contentType)
      assert.strictEqual(new TextDecoder().decode(sent?.body), body)
    })
  )
})

describe("a response", () => {
  it.effect.each([200, 201, 400, 404, 409, 422])("with %d states the outcome of the request", (status) =>
    Effect.gen(function* () {
      const { send } = yield* provider(() => ({ status, body: { said: true } }))
      assert.deepStrictEqual(yield* send, { status, body: { said: true } })
    })
  )

  it.effect.each([302, 403, 408, 410, 429, 500, 503, 504])("with %d leaves the outcome unknown", (status) =>
    Effect.gen(function* () {
      const body = {
        type: "x/AcessoNegado",
        detail: "Hoje não",
        violacoes: [{ razao: "r", propriedade: "p", valor: "Maria" }]
      }
      const { requested, send } = yield* provider(() => ({ status, body }))
      const error = yield* Effect.flip(send)
      assert.instanceOf(error, ProviderError)
      assert.strictEqual(error.cause, `GET /cob: Hoje não; p: r (${status})`)
      // One login, one request: nothing is repeated.
      assert.strictEqual((yield* requested).length, 2)
    })
  )

  it.effect("that is not JSON has no body", () =>
    Effect.gen(function* () {
      const { send } = yield* provider(() => ({ status: 200, body: "<html>" }))
      assert.deepStrictEqual(yield* send, { status: 200, body: undefined })
    })
  )
})

it.effect("excludes secret, token and payer from its errors, however they are printed", () =>
  Effect.gen(function* () {
    const down = HttpClient.make((request) =>
      Effect.succeed(HttpClientResponse.fromWeb(request, new Response(JSON.stringify({ access_token: "token-1" }))))
    ).pipe(
      HttpClient.transformResponse((response) =>
        Effect.flatMap(response, (found) =>
          isLogin(found.request)
            ? Effect.succeed(found)
            : HttpClientResponse.filterStatus((status) => status > 599)(found)
        )
      )
    )
    const client = yield* Effect.provide(
      PixApiClient.PixApiClient,
      PixApiClient.layer().pipe(Layer.provide(Layer.succeed(HttpClient.HttpClient, down))),
      { local: true }
    )
    const body = { devedor: { nome: "Maria da Silva" } }
    const error = yield* Effect.flip(client.send(account, { method: "PUT", path: "/cob/a", body }))
    const seen = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error)
    for (const hidden of [secret, btoa(`${account.clientId}:${secret}`), "token-1", "Maria"])
      assert.notInclude(seen, hidden)
    assert.include(seen, "PUT /cob: no response")
  })
)
