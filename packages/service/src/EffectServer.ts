/**
 * Effect's `HttpServer` over a Node server that hands on whole requests: a fiber for each of them, and nothing else around it.
 *
 * **Details**
 *
 * Effect's own adapter makes a frame, a scope and two contexts more for each request, and reads bodies as streams, a seventh of
 * what a read costs.
 *
 * @since 0.1.0
 */
import type { BufferedRequest } from "@parcela/webhooks/node/BufferedBodies"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { tracer } from "effect/http/HttpMiddleware"
import * as HttpServer from "effect/http/HttpServer"
import { ClientAbort, ServeError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as NetAddress from "effect/net/NetAddress"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { Server, ServerResponse } from "node:http"
import { NodeRequest } from "./NodeRequest.ts"
import { send } from "./NodeResponse.ts"

/**
 * A server that hands on requests whose bodies have come.
 *
 * @category models
 * @since 0.1.0
 */
export type WholeRequests = Server<typeof BufferedRequest>

/**
 * @category options
 * @since 0.1.0
 */
export interface EffectServerOptions {
  readonly host: string
  readonly port: number
  /** How long requests that are running get when the server is closed. */
  readonly gracefulShutdown: Duration.Duration
}

/**
 * Listens, and serves until its scope ends.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  server: WholeRequests,
  { gracefulShutdown, host, port }: EffectServerOptions
): Effect.fn.Return<HttpServer.HttpServer["Service"], ServeError, Scope.Scope> {
  const closed = yield* Effect.cached(close(server))
  yield* Effect.acquireRelease(listen(server, host, port), () => closed)
  const address = server.address()
  // A server that listens on a host and a port has both.
  if (address === null || typeof address === "string") return yield* Effect.die(new Error("No port is listened on"))
  return HttpServer.make({
    address: yield* Effect.mapError(
      Effect.fromResult(NetAddress.inetAddressFromIpString(address.address, address.port)),
      (cause) => new ServeError({ cause })
    ),
    serve: Effect.fnUntraced(function* (app, middleware) {
      // Made before the end of the listener, which waits, it is closed after it.
      const running = Scope.forkUnsafe(yield* Effect.scope, "parallel")
      const listener = listenerOf(middleware === undefined ? app : middleware(app), yield* Effect.context(), running)
      yield* Effect.acquireRelease(
        Effect.sync(() => server.on("request", listener)),
        () =>
          Effect.andThen(
            Effect.ignore(Effect.timeout(closed, gracefulShutdown)),
            Effect.sync(() => server.off("request", listener))
          )
      )
    })
  })
})

const listen = (server: WholeRequests, host: string, port: number) =>
  Effect.callback<void, ServeError>((resume) => {
    const failed = (cause: Error) => resume(Effect.fail(new ServeError({ cause })))
    server.once("error", failed)
    server.listen({ host, port }, () => {
      server.off("error", failed)
      resume(Effect.void)
    })
  })

/** Ends when the last connection has. */
const close = (server: WholeRequests) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })

type App = Effect.Effect<HttpServerResponse, unknown, HttpServerRequest | Scope.Scope>

/** What runs the application for a request. */
const listenerOf = (app: App, services: Context.Context<never>, scope: Scope.Scope) => {
  // Without a tracer nobody would take the span.
  const run = Context.get(services, Tracer.Tracer) === Tracer.nativeTracer ? app : tracer(app)
  return (request: BufferedRequest, response: ServerResponse<BufferedRequest>): void => {
    const own = Scope.makeUnsafe()
    const context = services.pipe(
      Context.add(HttpServerRequest, new NodeRequest(request)),
      Context.add(Scope.Scope, own)
    )
    const fiber = Effect.runForkWith(context)(run)
    fiber.addObserver((exit) =>
      send(exit, response, services, () => {
        const closing = Scope.closeUnsafe(own, exit)
        if (closing !== undefined) Effect.runForkWith(services)(closing)
      })
    )
    if (fiber.pollUnsafe() !== undefined) return
    Fiber.runIn(fiber, scope)
    response.once("close", () => {
      if (!response.writableEnded) fiber.interruptUnsafe(undefined, ClientAbort.annotation)
    })
  }
}
