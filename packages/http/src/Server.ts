/**
 * The whole HTTP layer over the engine's use cases, as routes that an HTTP server can serve.
 *
 * @since 0.1.0
 */
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Settings } from "@parcela/engine/Settings"
import { routerConfig } from "@parcela/transport/Contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { TrustedProxies } from "./ClientAddress.ts"
import { AllowedOrigins, cors } from "./Cors.ts"
import * as Docs from "./Docs.ts"
import { maximumBody } from "./ErrorResponse.ts"
import * as Health from "./Health.ts"
import { OtherContracts } from "./KnownPaths.ts"
import { spokenInterface } from "./Naming.ts"
import * as Operations from "./Operations.ts"
import * as OpenApiRoute from "./OpenApiRoute.ts"
import * as Root from "./Root.ts"
import { serverMiddleware } from "./ServerMiddleware.ts"

/**
 * Every route of the service: the contract under `/v2`, `/openapi.json`, `/docs` and `/health`.
 *
 * @category layers
 * @since 0.1.0
 */
export const routes = Layer.mergeAll(Operations.layer, OpenApiRoute.layer, Docs.layer, Health.layer, Root.layer)

/**
 * Serves these routes, and any others given, on the HTTP server of the composition.
 *
 * **Details**
 *
 * The routes are made at the first request that is not for `/health`. The middleware goes around the router itself: middleware
 * of Effect's own `serve` runs after a response is sent. Nothing here writes a line of log for each request: the composition does,
 * where responses end, with what `RequestNotes` keeps.
 *
 * @category layers
 * @since 0.1.0
 */
export const serve = <A, R>(all: Layer.Layer<A, never, R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const settings = yield* Settings
      const httpApp = cors(yield* AllowedOrigins)(spokenInterface(settings)(yield* routed(all)))
      const answered = serverMiddleware(httpApp, yield* TrustedProxies, yield* OtherContracts)
      return Layer.effectDiscard(
        withRoom(
          // Errors of the middleware itself name nothing of the interface.
          HttpServer.serveEffect(spokenInterface({ ...settings, naming: svcPay })(answered))
        )
      )
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
 * server is need not wait for them. They cannot fail, so nothing that keeps a server from starting is found late.
 */
const routed = Effect.fnUntraced(function* <A, R>(all: Layer.Layer<A, never, R>) {
  // The router is made here and not by `all`, so this is where it looks for its settings.
  const make = Effect.provideService(HttpRouter.toHttpEffect(all), HttpRouter.RouterConfig, routerConfig)
  const context = yield* Effect.context<Effect.Services<typeof make>>()
  let made: Effect.Success<typeof make> | undefined
  // By a fiber of its own: the first request may be given up, and knows of things that are no other's.
  const making = yield* Effect.cached(Effect.sync(() => Effect.runForkWith(context)(make)))
  const first = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) =>
    method === "GET" && url === "/health"
      ? Effect.succeed(Health.response)
      : Effect.flatMap(Effect.flatMap(making, Fiber.join), (httpApp) => (made = httpApp))
  )
  return Effect.suspend(() => made ?? first)
})
