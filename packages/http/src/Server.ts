/**
 * The server around the routes of a service.
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
 * Serves routes on the HTTP server of the composition.
 *
 * **Details**
 *
 * The routes are built before the server takes requests, so that an error of wiring ends the start. The middleware goes around the
 * router itself: middleware of Effect's own `serve` runs after a response is sent. Nothing here logs requests: the composition does,
 * where responses end, with their `RequestRecord`.
 *
 * @category layers
 * @since 0.1.0
 */
export const serve = <A, R>({ routes, unrouted }: Served<A, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const settings = yield* Settings
      // The router is made here and not by `routes`, so this is where it looks for its settings.
      const httpApp = yield* Effect.provideService(
        HttpRouter.toHttpEffect(routes),
        HttpRouter.RouterConfig,
        routerConfig
      )
      const inner = cors(yield* AllowedOrigins)(spokenInterface(settings)(httpApp))
      const answered = serverMiddleware(inner, yield* TrustedProxies, unrouted)
      yield* withRoom(
        // Errors of the middleware itself name nothing of the interface.
        HttpServer.serveEffect(spokenInterface({ ...settings, naming: svcPay })(answered))
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
