/**
 * Style and script of the Pix page, and the policy that allows only these two.
 *
 * @since 0.1.0
 */
/**
 * @category assets
 * @since 0.1.0
 */
export const style = `
:root { color-scheme: light dark; --ink: #1a1d1f; --soft: #585f66; --paper: #fff; --ground: #f1f3f5; --edge: #d5dade;
  --action: #0b6e55; --on-action: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceff1; --soft: #a4adb5; --paper: #1b1f22; --ground: #101315; --edge: #353c42; --action: #4bc8a5;
    --on-action: #06251c }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 1.25rem; background: var(--paper) }
h1 { margin: 0; font-size: 1.05rem; font-weight: 600; overflow-wrap: anywhere }
h2 { margin: 0 0 .5rem; font-size: 1rem }
p { margin: 0 }
.value { font-size: 2.25rem; font-weight: 700; line-height: 1.2; margin-bottom: 1.25rem }
.payment { display: grid; gap: 1.5rem }
.paste, .scan { min-width: 0 }
.code { padding: .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--ground);
  font: .85rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; word-break: break-all;
  -webkit-user-select: all; user-select: all }
button { width: 100%; margin-top: .75rem; padding: .8rem 1rem; border: 0; border-radius: .5rem; font: inherit;
  font-weight: 600; color: var(--on-action); background: var(--action); cursor: pointer }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px }
.said { min-height: 1.5rem; margin-top: .25rem; font-weight: 600; color: var(--action) }
.hint { color: var(--soft); font-size: .9rem }
button + .hint { margin-top: .5rem }
.parts { margin: -.75rem 0 1.25rem; padding: 0; list-style: none; color: var(--soft) }
.scan svg { display: block; width: 100%; max-width: 18rem; height: auto; margin: 0 auto .5rem; border-radius: .5rem }
.scan .hint { text-align: center }
.again { margin-top: 1.25rem; text-align: center }
a { color: var(--action) }
.notice { margin: .75rem 0; padding: 1rem; border: 1px solid var(--edge); border-left: .4rem solid var(--action); border-radius: .5rem }
.notice h2 { font-size: 1.25rem; margin-bottom: .25rem }
dl { margin: 1.5rem 0 0; border-top: 1px solid var(--edge) }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .5rem 0;
  border-bottom: 1px solid var(--edge) }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0 }
@media (min-width: 40rem) {
  main { margin: 2rem auto; padding: 2rem; border-radius: .75rem; border: 1px solid var(--edge) }
  .payment { grid-template-columns: 1fr 17rem }
}
@media print { button, .said, .again { display: none } }
`

/**
 * @category assets
 * @since 0.1.0
 */
export const script = `
const code = document.getElementById("code")
const said = document.getElementById("said")
const button = document.getElementById("copy")
const copy = async () => {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(code)
    return document.execCommand("copy")
  }
}
button.hidden = false
button.addEventListener("click", async () => {
  said.textContent = (await copy()) ? "Código copiado." : "Não foi possível copiar: selecione o código e copie."
})
`

// SHA-256 of the style and the script above, as a browser computes it. A test compares the hashes with the texts.
const styleHash = "'sha256-Q7hqfMBjU+8QGvpmZKdF9GLzJWDdwDG0KFgvSEh6zMk='"
const scriptHash = "'sha256-oXSrDmrjoItQO0YtYlzAdCy/bIOMuFTHpaAyjMZ/N+8='"

const policyOf = (formAction: "'none'" | "'self'"): string =>
  [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `script-src ${scriptHash}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'"
  ].join("; ")

/**
 * `Content-Security-Policy` of the page.
 *
 * @category headers
 * @since 0.1.0
 */
export const policy: string = policyOf("'none'")

/**
 * The policy for a page with a button that simulates a payment.
 *
 * @category headers
 * @since 0.1.0
 */
export const policyWithForm: string = policyOf("'self'")
