/**
 * `GET /sandbox/openapi.json` and `GET /docs/sandbox`: the controls as this sandbox speaks them, for tools and for people;
 * `GET /docs/test-cards`: the cards that it knows.
 * They say nothing that a stranger may not know, and are for everybody.
 *
 * @since 0.1.0
 */
import { Settings } from "@parcela/engine/Settings"
import { DocsTabs, pageResponse } from "@parcela/http/Docs"
import { docsPage } from "@parcela/http/docs/DocsPage"
import { modelOf } from "@parcela/http/docs/DocumentModel"
import { sandboxOpenApi } from "@parcela/transport/sandbox/SandboxOpenApi"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as TestCardPage from "./TestCardPage.ts"

const openApi = "/sandbox/openapi.json"
const href = "/docs/sandbox"

/**
 * The tabs of the reference pages of a sandbox.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerTabs: Layer.Layer<never> = Layer.succeed(DocsTabs, [
  { label: "Billing API", href: "/docs" },
  { label: "Sandbox controls", href },
  { label: "Test cards", href: TestCardPage.href }
])

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (hasToken: boolean) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { publicUrl } = yield* Settings
      const tabs = yield* DocsTabs
      const document = Effect.sync(() => sandboxOpenApi({ baseUrl: `${publicUrl}/sandbox`, hasToken }))
      // They are written when somebody looks, and kept.
      const text = yield* Effect.cached(Effect.map(document, (document) => JSON.stringify(document)))
      const page = yield* Effect.cached(
        Effect.map(document, (document) =>
          docsPage(modelOf(document), {
            base: "/sandbox",
            openApi,
            access: hasToken ? "token" : "none",
            tabs,
            href
          })
        )
      )
      yield* router.add(
        "GET",
        openApi,
        Effect.map(text, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
      )
      yield* router.add("GET", href, Effect.map(page, pageResponse))
      const cards = yield* Effect.cached(Effect.sync(() => TestCardPage.testCardPage(tabs)))
      yield* router.add("GET", TestCardPage.href, Effect.map(cards, pageResponse))
    })
  )
