/**
 * `GET /docs`: the interface for people, rendered from the contract. It needs nothing from another host.
 *
 * @since 0.1.0
 */
import { Contract } from "@parcela/transport/Contract"
import * as Effect from "effect/Effect"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

// The page's script knows hosts of its maker's: fonts, and a proxy that would see the tokens of requests tried out.
const onlyFromHere = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    // The page's script is 3 MB: it is loaded when somebody looks, and kept.
    const page = yield* Effect.cached(
      HttpRouter.toHttpEffect(HttpApiScalar.layer(Contract, { path: "/docs", scalar: { withDefaultFonts: false } }))
    )
    yield* router.add(
      "GET",
      "/docs",
      Effect.scoped(Effect.flatten(page)).pipe(
        Effect.map(HttpServerResponse.setHeader("content-security-policy", onlyFromHere))
      )
    )
  })
)
