/**
 * `GET /docs/sandbox` and `GET /sandbox/openapi.json`: the controls as this sandbox speaks them; `GET /docs/test-cards`: the
 * cards that it knows.
 *
 * @since 0.1.0
 */
import { DocsTabs, pageResponse } from "@parcela/http/Docs"
import * as Administration from "@parcela/service/administration/Administration"
import * as ContractPage from "@parcela/service/ContractPage"
import { sandboxOpenApi } from "@parcela/transport/sandbox/SandboxOpenApi"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as TestCardPage from "./TestCardPage.ts"

/**
 * The page of the controls.
 *
 * @category constants
 * @since 0.1.0
 */
export const href = "/docs/sandbox"

/**
 * The tabs of the reference pages of a sandbox.
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
    // It is written when somebody looks, and kept.
    const cards = yield* Effect.cached(Effect.sync(() => TestCardPage.testCardPage(tabs)))
    yield* router.add("GET", TestCardPage.href, Effect.map(cards, pageResponse))
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (hasToken: boolean) =>
  Layer.merge(ContractPage.layer({ base: "/sandbox", href, hasToken, document: sandboxOpenApi }), testCards)
