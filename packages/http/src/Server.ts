/**
 * The HTTP server of a service's routes.
 *
 * @since 0.1.0
 */
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Settings } from "@parcela/engine/Settings"
import { routerConfig } from "@parcela/transport/RouterConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { TrustedProxies } from "./ClientAddress.ts"
import { AllowedOrigins, cors } from "./Cors.ts"
import { maximumBody } from "./ErrorResponse.ts"
import { withInterfaceNaming } from "./Naming.ts"
import { serverMiddleware, type Unrouted } from "./ServerMiddleware.ts"

/**
 * Routes to serve, and the response to unknown paths.
 *
 * @category models
 * @since 0.1.0
 */
export interface Served<A, R> {
  readonly routes: Layer.Layer<A, never, R>
  readonly unrouted: Unrouted
}

/**
 * Serves routes on the HTTP server of the composition.
 *
 * **Details**
 *
 * The routes are built before the server accepts requests, so a wiring error ends the start. The middleware wraps the
 * router itself, because middleware of Effect's own `serve` runs after a response is sent. The composition logs
 * requests when their responses end, with their `RequestRecord`.
 *
 * @category layers
 * @since 0.1.0
 */
export const serve = <A, R>({ routes, unrouted }: Served<A, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const settings = yield* Settings
      // The router is created here, so it reads its settings here and not in `routes`.
      const httpApp = yield* Effect.provideService(
        HttpRouter.toHttpEffect(routes),
        HttpRouter.RouterConfig,
        routerConfig
      )
      const inner = cors(yield* AllowedOrigins)(withInterfaceNaming(settings)(httpApp))
      const answered = serverMiddleware(inner, yield* TrustedProxies, unrouted)
      yield* withRoom(
        // Errors of the middleware itself contain no names of the interface.
        HttpServer.serveEffect(withInterfaceNaming({ ...settings, naming: svcPay })(answered))
      )
    })
  )

/**
 * Makes room for the services of a request. A request adds about ten services to those of the server, and Effect copies
 * all of them at the ninth.
 */
const withRoom = <A, E, R>(serving: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(serving, (context: Context.Context<R>) =>
    Context.makeUnsafe<R>(Context.add(context, HttpIncomingMessage.MaxBodySize, maximumBody).mapUnsafe, {
      maxDepth: 16
    })
  )
