/**
 * A contract beside the billing interface as this server speaks it: its OpenAPI document for tools, and a page for people.
 * They say nothing that a stranger may not know, and are for everybody.
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
  /** Where the contract is served. */
  readonly base: `/${string}`
  /** The page of the reference. */
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
      // They are written when somebody looks, and kept.
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
