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
import { docsFrame, type DocsTab, text } from "@parcela/http/docs/DocsFrame"
import { type TestCard, type TestCardGroup, testCards } from "@parcela/provider-simulator/TestCards"

/**
 * The path of the controls' page.
 *
 * @category constants
 * @since 0.1.0
 */
export const href = "/docs/sandbox"

/**
 * The path of the test cards' page.
 *
 * @category constants
 * @since 0.1.0
 */
export const testCardsHref = "/docs/test-cards"

/**
 * The tabs of a sandbox's reference pages.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerTabs: Layer.Layer<never> = Layer.succeed(DocsTabs, [
  { label: "Billing API", href: "/docs" },
  { label: "Sandbox controls", href },
  { label: "Test cards", href: testCardsHref },
  Administration.tab
])

const testCardRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const tabs = yield* DocsTabs
    // Rendered at the first request, then cached.
    const cards = yield* Effect.cached(Effect.sync(() => testCardPage(tabs)))
    yield* router.add("GET", testCardsHref, Effect.map(cards, pageResponse))
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (hasToken: boolean) =>
  Layer.merge(contractPage({ base: "/sandbox", href, hasToken, document: sandboxOpenApi }), testCardRoute)

const groups = [...new Set(testCards.map(({ group }) => group))]

const idOf = (group: TestCardGroup): string => group.replaceAll(" ", "-")

const titleOf = (group: TestCardGroup): string => `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`

const row = ({ brand, number, result }: TestCard): string =>
  `<tr><td><code>${text(number)}</code></td><td>${text(brand)}</td><td>${text(result)}</td></tr>`

const section = (group: TestCardGroup): string => `<h2 class="group" id="${idOf(group)}">${text(titleOf(group))}</h2>
<div class="table" tabindex="0"><table><thead><tr><th scope="col">Card number</th><th scope="col">Brand</th>
<th scope="col">Result of a charge</th></tr></thead><tbody>${testCards
  .filter((card) => card.group === group)
  .map(row)
  .join("\n")}</tbody></table></div>`

const testCardPage = (tabs: ReadonlyArray<DocsTab>): string =>
  docsFrame({
    title: "Parcela sandbox: test cards",
    name: "Parcela sandbox",
    words: "Test cards",
    tabs,
    href: testCardsHref,
    openApi: "/sandbox/openapi.json",
    base: "/sandbox",
    body: `<div class="layout">
<nav aria-label="Contents"><details class="contents" open><summary>Contents</summary><ul>${groups
      .map((group) => `<li><a href="#${idOf(group)}">${text(titleOf(group))}</a></li>`)
      .join("")}</ul></details></nav>
<main id="main"><section class="intro"><h1>Test cards</h1>
<p class="lead">Card numbers that decide what becomes of their charges.</p>
<p>Any holder, any CVV and any expiry that is not past will do. A number that is not here is captured, if its check digit is
right and its brand is one that the service takes. The ninth to the twelfth digit of a denial code's card are the code (the eighth to the
eleventh of American Express); a code with letters has two digits for each character, A being 01.</p>
<p>As JSON: <code>GET /sandbox/test-cards</code>. What goes wrong with other cards, with boletos and with Pix is planned with
<code>POST /sandbox/faults</code>.</p></section>
${groups.map(section).join("\n")}
</main></div>`
  })
