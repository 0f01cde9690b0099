/**
 * The OpenAPI document and the reference page of an additional contract. Both are public, because they contain nothing
 * confidential.
 *
 * @since 0.1.0
 */
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import { Settings } from "@parcela/engine/Settings"
import { DocsTabs, pageResponse } from "@parcela/http/Docs"
import { docsPage } from "@parcela/http/docs/DocsPage"
import { modelOf } from "@parcela/http/docs/DocumentModel"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/**
 * @category options
 * @since 0.1.0
 */
export interface ContractPage {
  /** The prefix of the contract's paths. */
  readonly base: `/${string}`
  /** The path of the reference page. */
  readonly href: `/${string}`
  readonly hasToken: boolean
  readonly document: (options: {
    readonly baseUrl: string
    readonly hasToken: boolean
    readonly naming: NamingProfile
  }) => Parameters<typeof modelOf>[0]
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = ({ base, hasToken, href, ...page }: ContractPage) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { naming, publicUrl } = yield* Settings
      const tabs = yield* DocsTabs
      const openApi = `${base}/openapi.json` as const
      const document = Effect.sync(() => page.document({ baseUrl: `${publicUrl}${base}`, hasToken, naming }))
      // Rendered at the first request, then cached.
      const text = yield* Effect.cached(Effect.map(document, (document) => JSON.stringify(document)))
      const html = yield* Effect.cached(
        Effect.map(document, (document) =>
          docsPage(modelOf(document), { base, openApi, access: hasToken ? "token" : "none", tabs, href })
        )
      )
      yield* router.add(
        "GET",
        openApi,
        Effect.map(text, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
      )
      yield* router.add("GET", href, Effect.map(html, pageResponse))
    })
  )
