/**
 * Text and JSON as HTML.
 *
 * @since 0.1.0
 */

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
