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
import { docsPage, type PublicCredentials } from "./docs/DocsPage.ts"
import type { DocumentModel } from "./docs/DocumentModel.ts"
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
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const credentials = Option.getOrUndefined(yield* DocsCredentials)
    // It is rendered when somebody looks, and kept.
    const page = yield* Effect.cached(
      // The model is the part of the document, which is plain JSON, that the page shows.
      Effect.map(document, (document) => docsPage(document as unknown as DocumentModel, credentials))
    )
    yield* router.add(
      "GET",
      "/docs",
      Effect.map(page, (html) =>
        HttpServerResponse.text(html, {
          contentType: "text/html; charset=utf-8",
          headers: {
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer"
          }
        })
      )
    )
  })
)
