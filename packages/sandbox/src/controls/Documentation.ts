/**
 * `GET /docs/sandbox` and `GET /sandbox/openapi.json`: the controls of this sandbox. `GET /docs/test-cards`: its test
 * cards.
 *
 * @since 0.1.0
 */
import { contractPage, DocsTabs, pageResponse } from "@parcela/http/docs/Docs"
import * as Administration from "@parcela/service/Administration"
import { sandboxOpenApi } from "@parcela/transport/sandbox/SandboxOpenApi"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as TestCardPage from "./TestCardPage.ts"

/**
 * The path of the controls' page.
 *
 * @category constants
 * @since 0.1.0
 */
export const href = "/docs/sandbox"

/**
 * The tabs of a sandbox's reference pages.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerTabs: Layer.Layer<never> = Layer.succeed(DocsTabs, [
  { label: "Billing API", href: "/docs" },
  { label: "Sandbox controls", href },
  { label: "Test cards", href: TestCardPage.href },
  Administration.tab
])

const testCards = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const tabs = yield* DocsTabs
    // Rendered at the first request, then cached.
    const cards = yield* Effect.cached(Effect.sync(() => TestCardPage.testCardPage(tabs)))
    yield* router.add("GET", TestCardPage.href, Effect.map(cards, pageResponse))
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (hasToken: boolean) =>
  Layer.merge(contractPage({ base: "/sandbox", href, hasToken, document: sandboxOpenApi }), testCards)
