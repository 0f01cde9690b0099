/** A floor: Effect's HTTP server that does the same as the one of `node:http`. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { floor } from "./Floor.ts"

const serve = HttpServer.serve(
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const text = floor.responses[`${request.method} ${request.url}`]
    if (!floor.authorizations.includes(request.headers["authorization"] ?? "")) {
      return HttpServerResponse.empty({ status: 401 })
    }
    if (text === undefined) return HttpServerResponse.empty({ status: 404 })
    if (request.method === "POST") yield* request.json
    return HttpServerResponse.text(text, { contentType: "application/json" })
  })
)

const announce = Layer.effectDiscard(
  HttpServer.addressFormattedWith((url) => Effect.sync(() => process.stdout.write(`${url}\n`)))
)

const server = NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" })

NodeRuntime.runMain(Layer.launch(Layer.provide(Layer.merge(serve, announce), server)))
