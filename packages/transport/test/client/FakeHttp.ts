/**
 * An HttpClient that plays a script, without sockets. A test defines the response to each request, and the client records
 * the requests.
 */
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { ParcelaClient } from "../../src/client/ParcelaClient.ts"
import type { ClientOptions } from "../../src/client/ClientOptions.ts"

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly key: string | undefined
  readonly body: unknown
}

/** `lost`: sent without a response. `refused`: no connection. `silent`: a response that never arrives. */
export type Played =
  | readonly [status: number, body: unknown, headers?: Record<string, string>]
  | "lost"
  | "refused"
  | "silent"

export const token = (name: string, seconds = 600): Played => [
  200,
  { access_token: name, token_type: "Bearer", expires_in: seconds, scope: "transactions.write" }
]

export const options: ClientOptions = {
  baseUrl: "http://api.test/v2",
  clientId: "shop",
  clientSecret: Redacted.make("secret-of-the-shop")
}

export const make = (
  play: (requests: SentRequest, calls: ReadonlyArray<SentRequest>) => Played | Effect.Effect<Played>
) => {
  const calls: Array<SentRequest> = []
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const body =
        request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)) : undefined
      const requests: SentRequest = {
        method: request.method,
        path: url.pathname + url.search,
        authorization: request.headers["authorization"],
        key: request.headers["idempotency-key"],
        body
      }
      calls.push(requests)
      const next = play(requests, calls)
      const played = Effect.isEffect(next) ? yield* next : next
      if (played === "silent") return yield* Effect.never
      if (played === "lost" || played === "refused") {
        const cause = Object.assign(new Error("fetch failed"), {
          cause: Object.assign(new Error("socket"), { code: played === "lost" ? "ECONNRESET" : "ECONNREFUSED" })
        })
        return yield* Effect.fail(
          new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
        )
      }
      const [status, answer, headers] = played
      return HttpClientResponse.fromWeb(
        request,
        new Response(typeof answer === "string" ? answer : JSON.stringify(answer), {
          status,
          ...(headers ? { headers } : {})
        })
      )
    })
  )
  const layer = Layer.merge(Layer.succeed(HttpClient.HttpClient, client), SecureRandom.layerWebCrypto)
  return { calls, layer }
}

/** Plays the responses in order and repeats the last one. `/token` always returns `t`. */
export const operations = (...answers: ReadonlyArray<Played>) => {
  let next = 0
  return make((requests) =>
    requests.path === "/v2/token" ? token("t") : answers[Math.min(next++, answers.length - 1)]!
  )
}

export const sent = (fake: ReturnType<typeof make>) => fake.calls.filter(({ path }) => path !== "/v2/token")

/** Runs `use` with a client over `fake`, and advances the clock as needed. */
export const using = <A, E>(
  fake: ReturnType<typeof make>,
  use: (client: ParcelaClient["Service"]) => Effect.Effect<A, E>,
  given: Partial<ClientOptions> = {}
) =>
  Effect.gen(function* () {
    const client = yield* ParcelaClient
    const fiber = yield* Effect.forkChild(use(client))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(ParcelaClient.layerNoDeps({ ...options, ...given }).pipe(Layer.provide(fake.layer))))
