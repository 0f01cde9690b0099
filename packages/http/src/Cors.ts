/**
 * Cross-origin requests (CORS, WHATWG Fetch section 3.2). The server allows only the configured origins; none by
 * default.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isInterface } from "./Paths.ts"

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

const allowed = "authorization, authorizationpartner, content-type, idempotency-key, x-request-id"

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": allowed,
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
export const cors =
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
          return isAllowed && isPreflight(request) ? Effect.succeed(marked(preflight)) : Effect.map(httpApp, marked)
        })
