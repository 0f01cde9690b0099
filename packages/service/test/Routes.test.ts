import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import * as Health from "@parcela/http/Health"
import { unrouted } from "@parcela/http/KnownPaths"
import * as Server from "@parcela/http/Server"
import { Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { HttpClient, HttpRouter, HttpServerResponse } from "effect/http"

/** A server with a route of its own; `made` is how often its routes were made, which takes until `gate` is open. */
const aServer = Effect.gen(function* () {
  const count = { made: 0 }
  const gate = yield* Deferred.make<void>()
  const routes = Layer.mergeAll(
    Layer.effectDiscard(
      Effect.andThen(
        Effect.sync(() => count.made++),
        Deferred.await(gate)
      )
    ),
    HttpRouter.add("GET", "/mine", HttpServerResponse.text("mine")),
    Health.layer
  )
  yield* Layer.build(Server.serve(Effect.succeed({ routes, unrouted: unrouted([]) })))
  return { count, gate, get: (path: string) => Effect.flatMap(HttpClient.get(path), (response) => response.text) }
})

describe("The routes of a server", () => {
  it.live("are not waited for by a health check, and are made once, however many ask for them", () =>
    Effect.gen(function* () {
      const { count, gate, get } = yield* aServer
      // As many connections as are used below.
      const [health] = yield* Effect.all(
        Array.from({ length: 3 }, () => get("/health")),
        { concurrency: 3 }
      )
      assert.deepStrictEqual([health, count.made], [`{"status":"ok"}`, 0])
      const asking = yield* Effect.forkChild(Effect.all([get("/mine"), get("/mine")], { concurrency: 2 }), {
        startImmediately: true
      })
      for (let times = 0; times < 5; times++) assert.strictEqual(yield* get("/health"), health)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(asking), ["mine", "mine"])
      assert.deepStrictEqual([yield* get("/health"), count.made], [health, 1])
    }).pipe(Effect.provide(NodeHttpServer.layerTest))
  )

  it.live("that cannot be made are a defect for who waits for them, once a request had them made", () =>
    Effect.gen(function* () {
      const fault = new Error("a file is missing")
      const { made } = Context.get(yield* Layer.build(Server.serve<never, never>(Effect.die(fault))), Server.Routing)
      const statusOf = (path: string) => Effect.map(HttpClient.get(path), ({ status }) => status)
      assert.deepStrictEqual([yield* statusOf("/health"), yield* statusOf("/v2/plans")], [200, 500])
      assert.deepStrictEqual(yield* Effect.exit(made), Exit.die(fault))
    }).pipe(Effect.provide(NodeHttpServer.layerTest))
  )
})
