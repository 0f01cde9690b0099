/**
 * `GET /docs`: the contract for people, rendered from the OpenAPI document of this server. The page loads nothing.
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
 * Credentials that the page fills in: only those that anybody may know. There are none unless a composition says so.
 *
 * @category settings
 * @since 0.1.0
 */
export const DocsCredentials = Context.Reference<Option.Option<PublicCredentials>>("@parcela/http/DocsCredentials", {
  defaultValue: Option.none
})

/**
 * The pages that each page links to, when there are several; a composition that adds one names all of them.
 *
 * @category settings
 * @since 0.1.0
 */
export const DocsTabs = Context.Reference<ReadonlyArray<DocsTab>>("@parcela/http/DocsTabs", { defaultValue: () => [] })

/**
 * A page of the reference as a response.
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
    // It is rendered when somebody looks, and kept.
    const page = yield* Effect.cached(
      Effect.map(document, (document) => docsPage(modelOf(document), { credentials, tabs }))
    )
    yield* router.add("GET", "/docs", Effect.map(page, pageResponse))
  })
)
