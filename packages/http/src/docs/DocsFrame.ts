/**
 * The common frame of the reference pages (head, and a header with links to the other pages), and the HTML of text and
 * code.
 *
 * @since 0.1.0
 */
import { style } from "./DocsAssets.ts"

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

/** Escapes text for an element or an attribute. */
export const text = (plain: string): string =>
  plain
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

/** Returns indented JSON. */
export const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Returns a block of code with a button that copies the code. */
export const code = (label: string, content: string): string =>
  `<figure class="code"><figcaption>${text(label)}<button type="button" class="copy" hidden>Copy</button></figcaption>` +
  `<pre tabindex="0"><code>${text(content)}</code></pre></figure>`
