/**
 * The same random requests to the routes of our own and to those of `HttpApiBuilder`: equal status, headers and bodies, but
 * for the differences that are listed.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Operations from "@parcela/http/Operations"
import { serverMiddleware } from "@parcela/http/ServerMiddleware"
import { routerConfig } from "@parcela/transport/Contract"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpEffect, HttpRouter, HttpServer, type HttpServerResponse } from "effect/http"
import { inject } from "vitest"
import { ana, basic, byCard, byPix, cards, payment } from "./fixtures/Http.ts"
import { mutated, oneOf, randomOf, type Random, type Sent } from "./fixtures/Mutations.ts"
import * as StubbedUseCases from "./fixtures/StubbedUseCases.ts"
import * as Reference from "./reference/Reference.ts"

const prove = inject("prove")
const requests = prove.long ? (prove.count ?? 20_000) : 2_000

const ours = HttpRouter.toHttpEffect(
  Operations.layer.pipe(Layer.provide(Layer.succeed(Operations.StrictRequests, true)))
).pipe(
  Effect.provideService(HttpRouter.RouterConfig, routerConfig),
  Effect.map((app) => serverMiddleware(app, []))
)

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type App<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, R>

/** A server over stubs of its own, spoken to without a socket. */
const serving = Effect.fnUntraced(function* <R, RApp>(make: Effect.Effect<App<RApp>, never, R>) {
  const services = Layer.mergeAll(StubbedUseCases.layer, HttpServer.layerServices)
  const context = yield* Layer.build(Layer.fresh(services))
  const silent = yield* Layer.build(Logger.layer([]))
  // The layers above are all that routes need.
  const all = Context.merge(context, silent) as unknown as Context.Context<R | RApp>
  const app = yield* Effect.provideContext(make, all)
  const handle = HttpEffect.toWebHandlerWith(all)(app as App<never>)
  return ({ body, headers, method, path }: Sent) =>
    Effect.promise(async (): Promise<Received> => {
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
      const url = new URL(`http://localhost${path.startsWith("/") ? path : `/${path}`}`)
      const hasBody = text !== undefined && method !== "GET" && method !== "HEAD"
      const response = await handle(
        new Request(url, {
          method,
          headers: { ...(hasBody ? { "content-type": "application/json" } : {}), ...headers },
          ...(hasBody ? { body: text } : {})
        })
      )
      return {
        status: response.status,
        headers: Object.fromEntries([...response.headers].toSorted(([a], [b]) => (a < b ? -1 : 1))),
        body: await response.text()
      }
    })
})

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Where the two may differ, and why.
 *
 * - The order of keys: a response is the view as it was made, and an encoder orders by its schema. JSON objects have none.
 * - A body that is labelled as a form and is none: its text would become the name of a field, and be shown.
 * - A byte order mark before a form is left out, as it is before JSON.
 * - A key of a query that is there twice and is no list: that is said, and not what its value should be.
 * - A store that cannot be used while a write is authenticated: here it says that nothing was changed, as it was not.
 */
const comparable = ({ body, headers, status }: Received) => {
  const { "content-length": length, ...rest } = headers
  return status === 503
    ? { status, headers: rest, body: jsonOf(body.replace("nothing was changed, ", "")) }
    : { status, headers: { ...rest, length }, body: jsonOf(body) }
}

const isNoForm = ({ body, status }: Received): boolean => status === 400 && body.includes("is neither JSON nor a form")

const hasRepeatedKey = ({ path }: Sent): boolean => {
  const names = [...new URLSearchParams(path.split("?", 2)[1]).keys()]
  return new Set(names).size < names.length
}

const isMarkedForm = ({ body, headers }: Sent): boolean =>
  typeof body === "string" && body.startsWith("\ufeff") && /form/.test(headers["content-type"] ?? "")

const full = { authorization: "Bearer full" }

const outcomes = [
  "",
  "",
  "",
  "",
  "-nobody",
  "-refused",
  "-reused",
  "-outside",
  "-unknown",
  "-defect",
  "-down",
  "-conflict",
  "-broken"
]

/** A request that is right in form; what its identifiers end with says how it turns out. */
const valid = (random: Random, number: number): Sent => {
  const id = `p${number % 50}${oneOf(random, outcomes)}`
  const headers: Record<string, string> = {
    ...(random(12) === 0
      ? { authorization: oneOf(random, ["Bearer narrow", "Bearer down", "bearer  full", "Bearer"]) }
      : full),
    ...(random(3) === 0 ? { "idempotency-key": oneOf(random, ["k1", "k2", "k3"]) } : {})
  }
  const client = oneOf(random, ["shop", "shop", "shop", "guessed", "elsewhere", "down", "wrong"])
  return oneOf(random, [
    {
      method: "POST",
      path: "/v2/token",
      headers: basic(client, "secret"),
      body: { grant_type: "client_credentials", scope: oneOf(random, ["transactions.read", "plans.read", ""]) }
    },
    {
      method: "POST",
      path: "/v2/token",
      headers: { ...basic(client, "secret"), "content-type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials&scope=transactions.read"
    },
    { method: "POST", path: "/v2/subscriptions/manual", headers, body: byCard(cards.captured, id) },
    {
      method: "POST",
      path: "/v2/subscriptions/manual",
      headers,
      body: {
        ...byPix(id),
        additionalInfo: "notes",
        PaymentMethodPix: { fine: 100, Deadline: { type: "days", value: 3 } },
        Customer: { ...ana, phones: [11_987_654_321] }
      }
    },
    { method: "POST", path: "/v2/transactions/sub/myId/add", headers, body: payment(id) },
    { method: "POST", path: "/v2/transactions/20/svcPayId/add", headers, body: payment(id) },
    { method: "PUT", path: `/v2/transactions/${id}/myId/retry`, headers },
    { method: "PUT", path: `/v2/transactions/${number}/svcPayId/retry`, headers },
    {
      method: "GET",
      path: `/v2/transactions?startAt=${oneOf(random, [0, 9])}&limit=3&status=denied,captured`,
      headers
    },
    { method: "GET", path: "/v2/subscriptions?startAt=0&limit=3&customerMyIds=ana&order=createdAt.desc", headers },
    { method: "HEAD", path: "/v2/subscriptions?startAt=0&limit=3", headers },
    { method: "GET", path: "/v2/card-brands", headers },
    { method: "GET", path: "/v2/webhooks", headers },
    {
      method: "PUT",
      path: "/v2/webhooks",
      headers,
      body: { url: `http://127.0.0.1:9/${id}`, events: ["chargeback.update"] }
    }
  ])
}

describe(`the routes and HttpApiBuilder, at ${requests} random requests`, () => {
  it.effect(
    "respond alike",
    () =>
      Effect.gen(function* () {
        const mine = yield* serving(ours)
        const theirs = yield* serving(Reference.app)
        const random = randomOf(20_261_122)
        const seen = new Map<number, number>()
        for (let number = 0; number < requests; number++) {
          const right = valid(random, number)
          const sent = random(3) === 0 ? right : mutated(random, right)
          const [a, b] = [yield* theirs(sent), yield* mine(sent)]
          seen.set(b.status, (seen.get(b.status) ?? 0) + 1)
          if (isMarkedForm(sent)) continue
          if (a.status === 400 && (isNoForm(b) || (b.status === 400 && hasRepeatedKey(sent)))) continue
          const asked = `${number}: ${sent.method} ${sent.path.slice(0, 200)} ${JSON.stringify(sent.body)?.slice(0, 600)}`
          assert.deepStrictEqual(comparable(b), comparable(a), asked)
        }
        // What is compared is all that there is: each outcome of an operation, and each refusal before it.
        assert.includeMembers([...seen.keys()], [200, 400, 401, 403, 404, 405, 415, 422, 429, 500, 501, 503, 504])
      }),
    prove.long ? 3_600_000 : 120_000
  )
})
