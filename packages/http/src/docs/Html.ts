/**
 * Text and JSON as HTML.
 *
 * @since 0.1.0
 */

/** Text as it stands in an element or in an attribute. */
export const text = (plain: string): string =>
  plain
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

/** JSON in lines, as people read it. */
export const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** A block of code that can be copied. */
export const code = (label: string, content: string): string =>
  `<figure class="code"><figcaption>${text(label)}<button type="button" class="copy" hidden>Copy</button></figcaption>` +
  `<pre tabindex="0"><code>${text(content)}</code></pre></figure>`
