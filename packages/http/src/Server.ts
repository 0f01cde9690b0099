/**
 * The whole HTTP edge over the engine's use cases, as routes that an HTTP server can serve.
 *
 * @since 0.1.0
 */
import { Settings } from "@parcela/engine/Settings"
import { Contract, routerConfig } from "@parcela/transport/Contract"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Authentication from "./Authentication.ts"
import { TrustedProxies } from "./ClientAddress.ts"
import * as Docs from "./Docs.ts"
import { edge } from "./Edge.ts"
import * as FaultsLayer from "./FaultsLayer.ts"
import * as SubscriptionHandlers from "./handlers/SubscriptionHandlers.ts"
import * as TokenHandlers from "./handlers/TokenHandlers.ts"
import * as TransactionHandlers from "./handlers/TransactionHandlers.ts"
import * as WebhookHandlers from "./handlers/WebhookHandlers.ts"
import * as Health from "./Health.ts"
import * as Idempotency from "./Idempotency.ts"
import { named } from "./Naming.ts"
import * as OpenApiRoute from "./OpenApiRoute.ts"
import * as Root from "./Root.ts"

const contract = HttpApiBuilder.layer(Contract).pipe(
  Layer.provide([TokenHandlers.layer, SubscriptionHandlers.layer, TransactionHandlers.layer, WebhookHandlers.layer]),
  Layer.provide([
    Authentication.layerClientCredentials,
    Authentication.layerBearerToken,
    FaultsLayer.layer,
    Idempotency.layer
  ])
)

/**
 * Every route of the service: the contract under `/v2`, `/openapi.json`, `/docs` and `/health`.
 *
 * @category layers
 * @since 0.1.0
 */
export const routes = Layer.mergeAll(contract, OpenApiRoute.layer, Docs.layer, Health.layer, Root.layer)

/**
 * Serves these routes, and any others given, on the HTTP server of the composition.
 *
 * **Details**
 *
 * The edge goes around the router itself: middleware of Effect's own `serve` runs after a response is sent. Nothing here
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
      Effect.map(Effect.all([Settings, TrustedProxies]), ([{ naming }, proxies]) =>
        HttpServer.serve(edge(named(naming)(httpApp), proxies))
      )
    ),
    Layer.unwrap
  )
