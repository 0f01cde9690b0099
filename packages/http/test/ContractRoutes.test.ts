/**
 * The same random requests to the routes of our own and to those of `HttpApiBuilder`: equal status, headers and bodies, but
 * for the differences that are listed.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Authentication from "@parcela/http/Authentication"
import * as ContractRoutes from "@parcela/http/ContractRoutes"
import { unrouted } from "@parcela/http/server/KnownPaths"
import { serverMiddleware } from "@parcela/http/server/ServerMiddleware"
import { interfaceOperations } from "@parcela/test-world/InterfaceOperations"
import { Contract } from "@parcela/transport/Contract"
import { routerConfig } from "@parcela/transport/contract/EntityPath"
import { BearerToken, ClientCredentials } from "@parcela/transport/Security"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpEffect, HttpRouter, HttpServer, type HttpServerResponse } from "effect/http"
import { inject } from "vitest"
import { basic } from "@parcela/test-world/Server"
import { requestsOf } from "./fixtures/InterfaceRequests.ts"
import { mutated, oneOf, randomOf, type Random, type Sent } from "./fixtures/Mutations.ts"
import * as StubbedOperations from "./fixtures/StubbedOperations.ts"
import * as Reference from "./reference/Reference.ts"

const prove = inject("prove")
const requests = prove.long ? (prove.count ?? 20_000) : 2_000

const ours = ({ operations }: Stubs) =>
  HttpRouter.toHttpEffect(
    HttpRouter.use(
      Effect.fnUntraced(function* () {
        // The stubs are made from the contract: there is one of each operation.
        yield* ContractRoutes.add(Contract, operations as never, {
          authentication: [
            [ClientCredentials, yield* Authentication.clientCredentials],
            [BearerToken, yield* Authentication.bearerToken]
          ],
          isTolerant: false
        })
      })
    )
  ).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.map((app) => serverMiddleware(app, [], unrouted([])))
  )

type Stubs = ReturnType<typeof StubbedOperations.make>

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The decoded requests that reached an operation. */
  readonly given: ReadonlyArray<StubbedOperations.Given>
}

type App<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, R>

/** A server over stubs of its own, spoken to without a socket. */
const serving = Effect.fnUntraced(function* <R, RApp>(make: (stubs: Stubs) => Effect.Effect<App<RApp>, never, R>) {
  const stubs = StubbedOperations.make()
  const services = Layer.mergeAll(StubbedOperations.services, HttpServer.layerServices)
  const context = yield* Layer.build(Layer.fresh(services))
  const silent = yield* Layer.build(Logger.layer([]))
  // The layers above are all that routes need.
  const all = Context.merge(context, silent) as unknown as Context.Context<R | RApp>
  const app = yield* Effect.provideContext(make(stubs), all)
  const handle = HttpEffect.toWebHandlerWith(all)(app as App<never>)
  return ({ body, headers, method, path }: Sent) =>
    Effect.promise(async (): Promise<Received> => {
      stubs.given.length = 0
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
        body: await response.text(),
        given: [...stubs.given]
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
 * Removes the intended differences between the two implementations:
 *
 * - The order of keys: our response has the order of the view, an encoder that of the schema. JSON objects are unordered.
 * - A body with the content type of a form that is not a form: its text would become the name of a field in an error.
 * - A byte order mark before a form is skipped, as before JSON.
 * - A repeated key of a query without a list: the error reports the repetition and not the value.
 * - A repeated key of an object in a body is refused instead of using the last value.
 * - A query that is not percent-encoded UTF-8 is a 400 instead of another text.
 * - An unknown key similar to a known one: our error suggests the known key.
 * - A store that fails while a write is authenticated: our message reports that nothing was changed.
 */
const comparable = ({ body: text, given, headers, status }: Received) => {
  const body = text.replaceAll(suggestion, "")
  const { "content-length": length, ...rest } = headers
  const bytes = Number(length) - Buffer.byteLength(text) + Buffer.byteLength(body)
  return status === 503
    ? { status, given, headers: rest, body: jsonOf(body.replace("nothing was changed, ", "")) }
    : { status, given, headers: { ...rest, bytes }, body: jsonOf(body) }
}

const suggestion = /: did you mean [^"]*\?/g

const isNoForm = ({ body, status }: Received): boolean => status === 400 && body.includes("is neither JSON nor a form")

const hasRepeatedKey = ({ path }: Sent): boolean => {
  const names = [...new URLSearchParams(path.split("?", 2)[1]).keys()]
  return new Set(names).size < names.length
}

/** As `Mutations` writes it. */
const hasKeyTwice = ({ body }: Sent): boolean => typeof body === "string" && /^\{"myId":"twice",.*"myId"/s.test(body)

/** Of the request, as a response to HEAD has no body that says so. */
const isBadQuery = ({ path }: Sent): boolean => {
  try {
    decodeURIComponent(path.split("?", 2)[1] ?? "")
    return false
  } catch {
    return true
  }
}

const isMarkedForm = ({ body, headers }: Sent): boolean =>
  typeof body === "string" && body.startsWith("\ufeff") && /form/.test(headers["content-type"] ?? "")

const full = { authorization: "Bearer full" }

/** A request that is right in form; a header says how its operation turns out. */
const valid = (random: Random, number: number): Sent => {
  const outcome = { [StubbedOperations.outcomeHeader]: oneOf(random, ["", "", "", ...StubbedOperations.outcomes]) }
  const headers: Record<string, string> = {
    ...outcome,
    ...(random(12) === 0
      ? { authorization: oneOf(random, ["Bearer narrow", "Bearer down", "bearer  full", "Bearer"]) }
      : full),
    ...(random(3) === 0 ? { "idempotency-key": oneOf(random, ["k1", "k2", "k3"]) } : {})
  }
  const credentials = basic(oneOf(random, ["shop", "shop", "shop", "guessed", "elsewhere", "down", "wrong"]), "secret")
  const scope = oneOf(random, ["transactions.read", "plans.read", ""])
  return oneOf(random, [
    {
      method: "POST",
      path: "/v2/token",
      headers: { ...outcome, ...credentials },
      body: { grant_type: "client_credentials", scope }
    },
    {
      method: "POST",
      path: "/v2/token",
      headers: { ...outcome, ...credentials, "content-type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials&scope=transactions.read"
    },
    // However many operations there are, a body that none of them reads is among the requests.
    { method: "PUT", path: "/v2/webhooks", headers: { ...headers, "content-type": "text/plain" }, body: "x" },
    // What services of the family have, and this one has not.
    { method: "GET", path: "/v2/company/balance", headers },
    ...requestsOf(`p${number % 50}`, number).map((sent) => ({ ...sent, headers }))
  ])
}

describe(`the routes and HttpApiBuilder, at ${requests} random requests`, () => {
  it.effect(
    "respond alike",
    () =>
      Effect.gen(function* () {
        const mine = yield* serving(ours)
        const theirs = yield* serving(({ operations }) => Reference.app(operations))
        const random = randomOf(20_261_122)
        const seen = new Map<number, number>()
        const reached = new Set<string>()
        for (let number = 0; number < requests; number++) {
          const right = valid(random, number)
          const sent = random(3) === 0 ? right : mutated(random, right)
          const [a, b] = [yield* theirs(sent), yield* mine(sent)]
          for (const { operation } of b.given) reached.add(operation)
          seen.set(b.status, (seen.get(b.status) ?? 0) + 1)
          if (isMarkedForm(sent) || (b.status === 400 && isBadQuery(sent))) continue
          if (b.status === 400 && hasKeyTwice(sent)) continue
          if (a.status === 400 && (isNoForm(b) || (b.status === 400 && hasRepeatedKey(sent)))) continue
          const label = `${number}: ${sent.method} ${sent.path.slice(0, 200)} ${JSON.stringify(sent.body)?.slice(0, 600)}`
          assert.deepStrictEqual(comparable(b), comparable(a), label)
        }
        assert.sameMembers(
          [...reached],
          interfaceOperations.map(({ name }) => name)
        )
        // What is compared is all that there is: each outcome of an operation, and each refusal before it.
        assert.includeMembers([...seen.keys()], [200, 400, 401, 403, 404, 405, 415, 422, 429, 500, 501, 503, 504])
      }),
    prove.long ? 3_600_000 : 120_000
  )
})
