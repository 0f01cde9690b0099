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
import * as HttpRouter from "effect/http/HttpRouter"
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
 * The middleware goes around the router itself: middleware of Effect's own `serve` runs after a response is sent. Nothing here
 * writes a line of log for each request: the composition does, where responses end, with what `RequestNotes` keeps.
 *
 * @category layers
 * @since 0.1.0
 */
export const serve = <A, E, R>(all: Layer.Layer<A, E, R>) =>
  HttpRouter.toHttpEffect(all).pipe(
    // The router is made here and not by `all`, so this is where it looks for its settings.
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.flatMap((httpApp) =>
      Effect.map(
        Effect.all([Settings, TrustedProxies, AllowedOrigins, OtherContracts]),
        ([settings, proxies, origins, others]) =>
          Layer.effectDiscard(
            withRoom(
              HttpServer.serveEffect(
                // Errors of the middleware itself name nothing of the interface.
                spokenInterface({ ...settings, naming: svcPay })(
                  serverMiddleware(cors(origins)(spokenInterface(settings)(httpApp)), proxies, others)
                )
              )
            )
          )
      )
    ),
    Layer.unwrap
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
