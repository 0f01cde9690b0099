/**
 * What stands around the routes of a service: it listens, and has them made when they are asked for.
 *
 * @since 0.1.0
 */
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Settings } from "@parcela/engine/Settings"
import { routerConfig } from "@parcela/transport/RouterConfig"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { TrustedProxies } from "./ClientAddress.ts"
import { AllowedOrigins, cors } from "./Cors.ts"
import { maximumBody, nothingHere } from "./ErrorResponse.ts"
import * as Health from "./Health.ts"
import { spokenInterface } from "./Naming.ts"
import { serverMiddleware, type Unrouted } from "./ServerMiddleware.ts"

/**
 * What a server serves.
 *
 * @category models
 * @since 0.1.0
 */
export interface Served<A, R> {
  readonly routes: Layer.Layer<A, never, R>
  readonly unrouted: Unrouted
}

/**
 * The routes of a server that takes requests.
 *
 * @category services
 * @since 0.1.0
 */
export class Routing extends Context.Service<
  Routing,
  {
    /** Waits until a request has had the routes made. What keeps them from being made is a defect of this one. */
    readonly made: Effect.Effect<void>
  }
>()("@parcela/http/Server/Routing") {}

/**
 * Serves routes on the HTTP server of the composition.
 *
 * **Details**
 *
 * They are asked for and made once, at the first request that is not for `/health`. The middleware goes around the router itself:
 * middleware of Effect's own `serve` runs after a response is sent. Nothing here writes a line of log for each request: the
 * composition does, where responses end, with what `RequestRecord` has.
 *
 * **Gotchas**
 *
 * Where they cannot be made, every request is answered with 500: a program that waits for `Routing.made` is ended by it.
 *
 * @category layers
 * @since 0.1.0
 */
export const serve = <A, R>(served: Effect.Effect<Served<A, R>>) =>
  Layer.effect(
    Routing,
    Effect.gen(function* () {
      const settings = yield* Settings
      const { httpApp, made, unrouted } = yield* routed(served)
      const inner = cors(yield* AllowedOrigins)(spokenInterface(settings)(httpApp))
      const answered = serverMiddleware(inner, yield* TrustedProxies, unrouted)
      yield* withRoom(
        // Errors of the middleware itself name nothing of the interface.
        HttpServer.serveEffect(spokenInterface({ ...settings, naming: svcPay })(answered))
      )
      return Routing.of({ made })
    })
  )

/**
 * What a request is served with. It adds some ten services to those of its server, and Effect would copy all of them at the
 * ninth.
 */
const withRoom = <A, E, R>(serving: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(serving, (context: Context.Context<R>) =>
    Context.makeUnsafe<R>(Context.add(context, HttpIncomingMessage.MaxBodySize, maximumBody).mapUnsafe, {
      maxDepth: 16
    })
  )

/**
 * Hands requests to these routes, which are made at the first one that is not for `/health`: a supervisor that asks how the
 * server is need not wait for them.
 */
const routed = Effect.fnUntraced(function* <A, R>(served: Effect.Effect<Served<A, R>>) {
  const make = Effect.flatMap(served, ({ routes, unrouted }) =>
    // The router is made here and not by `routes`, so this is where it looks for its settings.
    Effect.map(
      Effect.provideService(HttpRouter.toHttpEffect(routes), HttpRouter.RouterConfig, routerConfig),
      (httpApp) => ({ httpApp, unrouted })
    )
  )
  const context = yield* Effect.context<Effect.Services<typeof make>>()
  let known: Effect.Success<typeof make> | undefined
  const made = yield* Deferred.make<void>()
  const making = yield* Effect.cached(
    Effect.sync(() =>
      // By a fiber of its own: the first request may be given up, and knows of things that are no other's.
      Effect.runForkWith(context)(Effect.onExit(make, (exit) => Deferred.done(made, Exit.asVoid(exit))))
    )
  )
  const first = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) =>
    method === "GET" && url === "/health"
      ? Effect.succeed(Health.response)
      : Effect.flatMap(Effect.flatMap(making, Fiber.join), (all) => (known = all).httpApp)
  )
  return {
    httpApp: Effect.suspend(() => known?.httpApp ?? first),
    made: Deferred.await(made),
    // A router that found no route asks for it, and then the routes are made.
    unrouted: (request: HttpServerRequest.HttpServerRequest) => known?.unrouted(request) ?? nothingHere("/docs")
  }
})
