/**
 * `GET /openapi.json` and `GET /docs`: the OpenAPI document of this server, and the reference page that is rendered from
 * the document. The page loads no other resources. A composition adds the same two routes for another contract.
 *
 * @since 0.1.0
 */
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { policy } from "./DocsAssets.ts"
import type { DocsTab } from "./DocsFrame.ts"
import { docsPage, type PublicCredentials } from "./DocsPage.ts"
import { modelOf } from "./DocumentModel.ts"
import { Settings } from "@parcela/engine/Settings"
import { openApiDocument } from "@parcela/transport/OpenApiDocument"
import { DocumentsWithLetters, StrictRequests } from "../SchemaVariants.ts"

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

/** The OpenAPI document of this server. */
const document = Effect.map(
  Effect.all([Settings, DocumentsWithLetters, StrictRequests]),
  ([{ naming, publicUrl }, documentsWithLetters, isStrict]) =>
    openApiDocument({ baseUrl: `${publicUrl}/v2`, documentsWithLetters, ignoresUnknownKeys: !isStrict, naming })
)

/**
 * The routes of the OpenAPI document and the reference page of this server.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const credentials = Option.getOrUndefined(yield* DocsCredentials)
    const tabs = yield* DocsTabs
    yield* addRoutes(router, {
      document,
      openApi: "/openapi.json",
      href: "/docs",
      render: (document) => docsPage(modelOf(document), { credentials, tabs })
    })
  })
)

/**
 * The documentation of an additional contract.
 *
 * @category options
 * @since 0.1.0
 */
export interface ContractPage {
  /** The prefix of the contract's paths. */
  readonly base: `/${string}`
  /** The path of the reference page. */
  readonly href: `/${string}`
  readonly hasToken: boolean
  /** Returns the OpenAPI document. */
  readonly document: (options: {
    readonly baseUrl: string
    readonly hasToken: boolean
    readonly naming: NamingProfile
  }) => object
}

/**
 * The routes of the OpenAPI document and the reference page of an additional contract. Both are public, because they
 * contain nothing confidential.
 *
 * @category layers
 * @since 0.1.0
 */
export const contractPage = ({ base, hasToken, href, ...page }: ContractPage) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { naming, publicUrl } = yield* Settings
      const tabs = yield* DocsTabs
      const openApi = `${base}/openapi.json` as const
      yield* addRoutes(router, {
        document: Effect.sync(() => page.document({ baseUrl: `${publicUrl}${base}`, hasToken, naming })),
        openApi,
        href,
        render: (document) =>
          docsPage(modelOf(document), { base, openApi, access: hasToken ? "token" : "none", tabs, href })
      })
    })
  )

interface Documentation {
  readonly document: Effect.Effect<object>
  readonly openApi: `/${string}`
  readonly href: `/${string}`
  /** Returns the reference page as HTML. */
  readonly render: (document: object) => string
}

/** Adds the two routes. Each text is made at its first request and then cached, so the server starts faster. */
const addRoutes = Effect.fnUntraced(function* (
  router: HttpRouter.HttpRouter,
  { document, href, openApi, render }: Documentation
) {
  const text = yield* Effect.cached(Effect.map(document, (document) => JSON.stringify(document)))
  const html = yield* Effect.cached(Effect.map(document, render))
  yield* router.add(
    "GET",
    openApi,
    Effect.map(text, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
  )
  yield* router.add("GET", href, Effect.map(html, pageResponse))
})
