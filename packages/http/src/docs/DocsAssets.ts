/**
 * Style and script of the reference page, and the policy that allows only these two and requests to this server.
 *
 * @since 0.1.0
 */
/**
 * @category assets
 * @since 0.1.0
 */
export const style = `
:root { color-scheme: light dark; --ink: #1a1d1f; --soft: #585f66; --paper: #fff; --ground: #f6f7f9; --edge: #d9dee3;
  --action: #0b6e55; --on-action: #fff; --get: #0b5f8a; --post: #0b6e55; --put: #8a5a00; --bad: #a3231f }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebee; --soft: #a4adb5; --paper: #14171a; --ground: #1c2024; --edge: #343b41; --action: #4bc8a5;
    --on-action: #06251c; --get: #6cc1ee; --post: #4bc8a5; --put: #e3b04b; --bad: #ff8f88 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4.5rem }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
a { color: var(--action) }
code, pre, textarea, input { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace }
code { font-size: .875em; overflow-wrap: anywhere }
.skip { position: absolute; left: -99rem }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; padding: .5rem 1rem; background: var(--paper) }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline;
  padding: .7rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--edge) }
header span { color: var(--soft); font-size: .9rem }
header a { margin-left: auto; font-size: .9rem }
main { min-width: 0; padding: 1.25rem }
nav { padding: .75rem 1.25rem 0; font-size: .9rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li { margin: .35rem 0; color: var(--soft); overflow-wrap: anywhere }
nav li ul { padding-left: .85rem; border-left: 1px solid var(--edge) }
nav a { color: var(--ink); text-decoration: none }
nav a:hover { text-decoration: underline }
h1 { margin: 0 0 .25rem; font-size: 1.9rem }
h2 { margin: 0 0 .5rem; font-size: 1.45rem }
h2.group { margin: 2.5rem 0 0; padding-top: 1.5rem; border-top: 1px solid var(--edge) }
h3 { margin: 0 0 .35rem; font-size: 1.15rem }
h4 { margin: 1.4rem 0 .35rem; font-size: .95rem }
p { margin: 0 0 .75rem; max-width: 46rem }
.lead { font-size: 1.1rem; color: var(--soft) }
.hint { color: var(--soft) }
.operation { display: grid; gap: 1.25rem; padding: 1.75rem 0; border-bottom: 1px solid var(--edge) }
.operation:has(+ .group) { border-bottom: 0 }
.words, .samples { min-width: 0 }
.address { display: flex; gap: .6rem; align-items: baseline }
.method { font-weight: 700; font-size: .8rem; letter-spacing: .03em }
.get { color: var(--get) } .post { color: var(--post) } .put { color: var(--put) }
.scope { color: var(--soft); font-size: .9rem }
.fields { margin: 0 }
.field { padding: .6rem 0; border-top: 1px solid var(--edge) }
.field dt code { font-weight: 600 }
.field dd { margin: .1rem 0 0; color: var(--soft); font-size: .925rem; overflow-wrap: anywhere }
.kind { color: var(--soft); font-size: .85rem; overflow-wrap: anywhere }
.kind code, .field dt .kind code { font-weight: 400 }
.required { color: var(--bad); font-size: .8rem }
summary { cursor: pointer }
.response { border-top: 1px solid var(--edge); padding: .5rem 0 }
.status { font-weight: 700; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .875rem }
.s2 { color: var(--post) } .s4, .s5 { color: var(--bad) }
.code { margin: 0 0 1rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--ground); overflow: hidden }
.code figcaption { display: flex; justify-content: space-between; padding: .35rem .75rem; font-size: .8rem;
  color: var(--soft); border-bottom: 1px solid var(--edge) }
.code pre { margin: 0; padding: .75rem; max-height: 26rem; overflow: auto; font-size: .85rem; line-height: 1.5 }
.code pre code { font-size: 1em; overflow-wrap: normal }
button { font: inherit; color: var(--on-action); background: var(--action); border: 0; border-radius: .4rem;
  padding: .5rem 1rem; font-weight: 600; cursor: pointer }
button.copy { padding: 0; background: none; color: var(--action); font-weight: 400 }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px }
.try { border: 1px solid var(--edge); border-radius: .5rem; padding: .6rem .9rem }
.try > summary { font-weight: 600 }
#login { margin-top: 1rem; max-width: 30rem }
.try label { display: block; margin: .5rem 0; font-size: .875rem; color: var(--soft) }
.try input, .try textarea { display: block; width: 100%; margin-top: .15rem; padding: .45rem .6rem; font-size: .875rem;
  color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: .4rem }
.try label.check { display: flex; gap: .5rem; align-items: baseline }
.try label.check input { width: auto; margin: 0 }
.try pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; color: var(--soft) }
.try output { display: block; margin-top: .6rem; white-space: pre-wrap; overflow: auto; max-height: 26rem;
  font: .85rem/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere }
.schema { border-top: 1px solid var(--edge); padding: .6rem 0 }
.schema summary span { color: var(--soft); font-size: .9rem }
.schema .fields, .schema > p { margin: .5rem 0 .5rem 1rem }
.table { overflow-x: auto; margin: .75rem 0 1.5rem }
table { border-collapse: collapse; font-size: .925rem }
th, td { padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--edge); text-align: left; vertical-align: top }
th { color: var(--soft); font-weight: 600 }
td:first-child { white-space: nowrap }
[hidden] { display: none }
@media (max-width: 24rem) { header span { display: none } }
@media (min-width: 52rem) {
  .layout { display: grid; grid-template-columns: 16.25rem minmax(0, 1fr) }
  nav { position: sticky; top: 3.1rem; max-height: calc(100vh - 3.1rem); overflow: auto; padding: 1.25rem .5rem 2rem 1.25rem;
    border-right: 1px solid var(--edge) }
  .contents > summary { display: none }
  main { padding: 1.75rem 2rem 4rem; max-width: 88rem }
}
@media (min-width: 75rem) {
  .operation { grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); gap: 2.5rem }
}
@media print { header, nav, .try, .copy { display: none } }
`

/**
 * @category assets
 * @since 0.1.0
 */
export const script = `
let token = ""
let tokenEnds = 0
const base = location.origin + document.body.dataset.base
const basic = () => {
  const { id, secret } = document.getElementById("login").elements
  const bytes = new TextEncoder().encode(id.value + ":" + secret.value)
  return "Basic " + btoa(String.fromCharCode(...bytes))
}
const pretty = (text) => {
  try { return JSON.stringify(JSON.parse(text), null, 2) } catch { return text }
}
const send = async (output, path, options) => {
  output.textContent = "…"
  try {
    const response = await fetch(base + path, options)
    const text = await response.text()
    output.textContent = response.status + " " + response.statusText + "\\n" + pretty(text)
    return response.ok ? JSON.parse(text) : undefined
  } catch (error) {
    output.textContent = "The request could not be sent: " + error.message
  }
}
const login = document.getElementById("login")
const controls = document.getElementById("controls")
for (const form of [login, controls]) if (form !== null) form.hidden = false
const logIn = async () => {
  const output = login.querySelector("output")
  const headers = { authorization: basic(), "content-type": "application/json" }
  const body = JSON.stringify({ grant_type: "client_credentials" })
  const response = await send(output, "/token", { method: "POST", headers, body })
  if (response === undefined) return false
  token = response.access_token
  tokenEnds = performance.now() + response.expires_in * 1000
  output.textContent = "You are logged in for " + response.expires_in + " seconds, with the scopes: " + response.scope
  return true
}
login?.addEventListener("submit", (event) => {
  event.preventDefault()
  logIn()
})
controls?.addEventListener("submit", (event) => event.preventDefault())
for (const found of document.querySelectorAll("details.try")) found.hidden = false
const headersFor = ({ scheme, write }, hasBody) => {
  const headers = {}
  if (scheme === "basic") headers.authorization = basic()
  if (scheme === "bearer") headers.authorization = "Bearer " + token
  if (scheme === "controls") headers.authorization = "Bearer " + controls.elements.token.value
  if (write !== undefined) headers["idempotency-key"] = Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-")
  if (hasBody) headers["content-type"] = "application/json"
  return headers
}
const withValues = (path, values) =>
  path.replace(/\\{(\\w+)\\}/g, (placeholder, name) => (values[name] ? encodeURIComponent(values[name]) : placeholder))
// A request whose entity exists already is refused, and the example works with the one that is there.
const sendFirst = async (form, requests) => {
  const taken = {}
  for (const { body, method, path, take = {} } of requests) {
    const response = await fetch(base + withValues(path, taken), {
      method, headers: headersFor(form.dataset, body !== undefined), body: JSON.stringify(body)
    })
    const result = await response.json().catch(() => undefined)
    for (const [name, place] of Object.entries(take)) {
      taken[name] = place.split(".").reduce((value, key) => value?.[key], result)
      const input = form.querySelector('input[data-in="path"][name="' + name + '"]')
      if (input !== null && taken[name] !== undefined) input.value = taken[name]
    }
  }
}
for (const form of document.querySelectorAll("form[data-path]")) {
  const output = form.querySelector("output")
  const first = form.elements.first
  const inputs = [...form.querySelectorAll("input[data-in]")]
  for (const input of inputs) {
    if (first !== undefined && input.dataset.in === "path") input.addEventListener("input", () => { first.checked = false })
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const { method, path, scheme } = form.dataset
    if (scheme === "bearer" && performance.now() >= tokenEnds && !(await logIn())) {
      output.textContent = "You are not logged in: see Authentication, at the top of the page"
      return
    }
    if (first?.checked) {
      output.textContent = "…"
      try {
        await sendFirst(form, JSON.parse(first.dataset.requests))
      } catch (error) {
        output.textContent = "The requests before it could not be sent: " + error.message
        return
      }
    }
    const missing = inputs.filter((input) => input.required && input.value === "")
    if (missing.length > 0) {
      output.textContent = "Nothing was sent. Fill in: " + missing.map((input) => input.name).join(", ")
      missing[0].focus()
      return
    }
    const query = new URLSearchParams()
    const values = {}
    for (const input of inputs) {
      if (input.dataset.in === "path") values[input.name] = input.value
      else if (input.value !== "") query.set(input.name, input.value)
    }
    const body = form.elements.body?.value
    const search = query.size === 0 ? "" : "?" + query
    const headers = headersFor(form.dataset, body !== undefined)
    send(output, withValues(path, values) + search, { method: method.toUpperCase(), headers, body })
  })
}
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false
  button.addEventListener("click", async () => {
    const code = button.closest("figure").querySelector("code")
    try {
      await navigator.clipboard.writeText(code.textContent)
    } catch {
      getSelection().selectAllChildren(code)
      document.execCommand("copy")
    }
    button.textContent = "Copied"
  })
}
const contents = document.querySelector("details.contents")
if (matchMedia("(max-width: 52rem)").matches) contents.open = false
contents.addEventListener("click", (event) => {
  if (event.target.tagName === "A" && matchMedia("(max-width: 52rem)").matches) contents.open = false
})
const unfold = () => {
  const target = location.hash === "" ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener("hashchange", unfold)
unfold()
`

// SHA-256 of the style and the script above, as a browser computes it. A test compares the hashes with the texts.
const styleHash = "'sha256-zpnG4D5RGN06DtsYMT6DN3sWbVNe7pnJehkV7KB0Bq4='"
const scriptHash = "'sha256-R5r7Nz+pCEr2aqwVfWjb9hR5SU4PuY1tf4R2cuxaUCk='"

/**
 * `Content-Security-Policy` of the page.
 *
 * @category headers
 * @since 0.1.0
 */
export const policy: string = [
  "default-src 'none'",
  `style-src ${styleHash}`,
  `script-src ${scriptHash}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")
