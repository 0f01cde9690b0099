/**
 * The HTTP server of a service's routes, and cross-origin requests to it.
 *
 * @since 0.1.0
 */
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Settings } from "@parcela/engine/Settings"
import { routerConfig } from "@parcela/transport/contract/EntityPath"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { TrustedProxies } from "../ReceivedRequest.ts"
import { maximumBody } from "../ErrorResponse.ts"
import { withInterfaceNaming } from "../Naming.ts"
import { serverMiddleware, type Unrouted } from "./ServerMiddleware.ts"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isInterface } from "../Paths.ts"

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

/**
 * Origins whose pages may call the interface, as a browser writes them: `https://shop.example`; `*` allows any origin.
 * None by default, because a page that contains a client secret publishes the secret.
 *
 * @category settings
 * @since 0.1.0
 */
export const AllowedOrigins = Context.Reference<ReadonlyArray<string>>("@parcela/http/AllowedOrigins", {
  defaultValue: () => []
})

/** Response headers that a page may read in addition to the CORS-safelisted ones. */
const exposed = "allow, idempotent-replayed, retry-after, www-authenticate, x-request-id, x-unknown-keys"

const ownHeaders = ["authorization", "authorizationpartner", "content-type", "idempotency-key", "x-request-id"]

/** Limits of the header names that a preflight response repeats: number, and characters of each. */
const maxHeaders = 32
const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/u

/** Returns the header names that a preflight requests, or none if one is not a token (RFC 9110) or they are too many. */
const requestedHeaders = ({ headers }: HttpServerRequest.HttpServerRequest): ReadonlyArray<string> => {
  const names = (headers["access-control-request-headers"] ?? "").toLowerCase().split(",", maxHeaders + 1)
  const trimmed = names.map((name) => name.trim()).filter((name) => name !== "")
  return names.length <= maxHeaders && trimmed.every((name) => headerName.test(name)) ? trimmed : []
}

const preflight = (request: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, PUT, DELETE",
      // The page of an allowed origin may send any header: `*` does not include `authorization` (Fetch standard).
      "access-control-allow-headers": [...new Set([...ownHeaders, ...requestedHeaders(request)])].join(", "),
      "access-control-max-age": "600"
    }
  })

const isPreflight = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined

/**
 * Middleware that responds to preflights and adds CORS headers to responses under `/v2` for allowed origins.
 *
 * @category middleware
 * @since 0.1.0
 */
const cors =
  (origins: ReadonlyArray<string>) =>
  <E, R>(httpApp: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    origins.length === 0
      ? httpApp
      : Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
          if (!isInterface(request.url)) return httpApp
          const origin = request.headers["origin"]
          const isAllowed = origin !== undefined && (origins.includes("*") || origins.includes(origin))
          const marked = (response: HttpServerResponse.HttpServerResponse) =>
            HttpServerResponse.setHeaders(response, {
              vary: "origin",
              ...(isAllowed ? { "access-control-allow-origin": origin, "access-control-expose-headers": exposed } : {})
            })
          return isAllowed && isPreflight(request)
            ? Effect.succeed(marked(preflight(request)))
            : Effect.map(httpApp, marked)
        })
