/**
 * The common frame of the reference pages: head, and a header with links to the other pages.
 *
 * @since 0.1.0
 */
import { style } from "./DocsAssets.ts"
import { text } from "./Html.ts"

/**
 * Another page of the reference.
 *
 * @category models
 * @since 0.1.0
 */
export interface DocsTab {
  readonly label: string
  readonly href: string
}

/**
 * A page of the reference.
 *
 * @category models
 * @since 0.1.0
 */
export interface DocsFrame {
  readonly title: string
  /** The title in the header, and the text after it. */
  readonly name: string
  readonly words: string
  readonly tabs: ReadonlyArray<DocsTab>
  /** The URL of this page. */
  readonly href: string
  readonly openApi: string
  /** The prefix of the operations on this server. */
  readonly base: string
  /** HTML. */
  readonly body: string
}

/**
 * The page as HTML.
 *
 * @category rendering
 * @since 0.1.0
 */
export const docsFrame = ({
  base,
  body,
  href,
  name,
  openApi,
  tabs,
  title,
  words
}: DocsFrame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body data-base="${text(base)}">
<a class="skip" href="#main">Skip to content</a>
<header><strong>${text(name)}</strong> <span>${text(words)}</span>
${tabs.map((tab) => tabLink(tab, href)).join(" ")} <a href="${text(openApi)}">OpenAPI</a></header>
${body}
</body>
</html>
`

const tabLink = ({ href, label }: DocsTab, current: string): string =>
  `<a href="${text(href)}"${href === current ? ' aria-current="page"' : ""}>${text(label)}</a>`
