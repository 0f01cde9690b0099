/**
 * `GET /docs`: the reference page, rendered from the OpenAPI document of this server. The page loads no other
 * resources.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { policy } from "./docs/DocsAssets.ts"
import type { DocsTab } from "./docs/DocsFrame.ts"
import { docsPage, type PublicCredentials } from "./docs/DocsPage.ts"
import { modelOf } from "./docs/DocumentModel.ts"
import { document } from "./OpenApiRoute.ts"

/**
 * Public credentials that the page fills in. None by default; the composition provides them.
 *
 * @category settings
 * @since 0.1.0
 */
export const DocsCredentials = Context.Reference<Option.Option<PublicCredentials>>("@parcela/http/DocsCredentials", {
  defaultValue: Option.none
})

/**
 * Pages that link to each other when the server has several. A composition that adds a page lists all of them.
 *
 * @category settings
 * @since 0.1.0
 */
export const DocsTabs = Context.Reference<ReadonlyArray<DocsTab>>("@parcela/http/DocsTabs", { defaultValue: () => [] })

/**
 * Returns a page of the reference as a response.
 *
 * @category responses
 * @since 0.1.0
 */
export const pageResponse = (html: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer"
    }
  })

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const credentials = Option.getOrUndefined(yield* DocsCredentials)
    const tabs = yield* DocsTabs
    // Rendered at the first request, then cached.
    const page = yield* Effect.cached(
      Effect.map(document, (document) => docsPage(modelOf(document), { credentials, tabs }))
    )
    yield* router.add("GET", "/docs", Effect.map(page, pageResponse))
  })
)
