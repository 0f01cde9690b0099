import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { unrouted } from "@parcela/http/server/KnownPaths"
import * as Server from "@parcela/http/server/Server"
import { Effect, Exit, Layer } from "effect"
import { HttpClient, HttpRouter, HttpServerResponse } from "effect/http"

describe("The routes of a server", () => {
  it.live("are served after the layer is built", () =>
    Effect.gen(function* () {
      const routes = HttpRouter.add("GET", "/mine", HttpServerResponse.text("mine"))
      yield* Layer.build(Server.serve({ routes, unrouted: unrouted([]) }))
      assert.strictEqual(yield* Effect.flatMap(HttpClient.get("/mine"), (response) => response.text), "mine")
    }).pipe(Effect.provide(NodeHttpServer.layerTest))
  )

  it.live("make the start fail if they cannot be built", () =>
    Effect.gen(function* () {
      const fault = new Error("a file is missing")
      const routes = Layer.effectDiscard(Effect.die(fault))
      const built = Layer.build(Server.serve({ routes, unrouted: unrouted([]) }))
      assert.deepStrictEqual(yield* Effect.exit(built), Exit.die(fault))
    }).pipe(Effect.provide(NodeHttpServer.layerTest))
  )
})
