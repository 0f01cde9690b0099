/**
 * The reference page: the OpenAPI document for readers. The page is one file without external resources; its script
 * copies samples and sends requests to this server.
 *
 * @since 0.1.0
 */
import { script } from "./DocsAssets.ts"
import { docsFrame, type DocsTab, code, json, text } from "./DocsFrame.ts"
import { type DocumentModel, type Operation, resolved } from "./DocumentModel.ts"
import { fields, row, operationSection } from "./OperationSection.ts"

/**
 * Public credentials: the default credentials of a sandbox.
 *
 * @category models
 * @since 0.1.0
 */
export interface PublicCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Settings of the page in addition to its document.
 *
 * @category models
 * @since 0.1.0
 */
export interface DocsPageOptions {
  /** The prefix of operations on this server; default `/v2`. */
  readonly base?: string
  /** The URL of the document; default `/openapi.json`. */
  readonly openApi?: string
  /** Authentication of requests: a token for client id and secret (the default), one controls token, or none. */
  readonly access?: "client" | "token" | "none"
  readonly credentials?: PublicCredentials | undefined
  /** The pages of this server, if there are several. */
  readonly tabs?: ReadonlyArray<DocsTab>
  /** The URL of this page; default `/docs`. */
  readonly href?: string
}

/**
 * The page as HTML.
 *
 * @category rendering
 * @since 0.1.0
 */
export const docsPage = (document: DocumentModel, options: DocsPageOptions = {}): string => {
  const { access = "client", base = "/v2", href = "/docs", openApi = "/openapi.json", tabs = [] } = options
  const { info, servers } = document
  const address = servers[0]?.url ?? ""
  const body = `<div class="layout">
<nav aria-label="Contents"><details class="contents" open><summary>Contents</summary>${contents(document, access)}</details></nav>
<main id="main">
<section class="intro"><h1>${text(info.title)}</h1><p class="lead">${text(info.summary)}</p>
<p>${text(info.description)}</p><p>Base address: <code>${text(address)}</code></p></section>
${authentication(address, access, options.credentials)}
${document.tags.map((tag) => tagSection(document, tag)).join("\n")}
${webhooks(document)}
${schemas(document)}
</main>
</div>
<script>${script}</script>`
  const words = `API reference, version ${info.version}`
  return docsFrame({ title: `${info.title} API reference`, name: info.title, words, tabs, href, openApi, base, body })
}

const operationsOf = (document: DocumentModel) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
  )

const link = (id: string, label: string): string => `<li><a href="#${text(id)}">${text(label)}</a></li>`

const contents = (document: DocumentModel, access: DocsPageOptions["access"]): string => {
  const operations = operationsOf(document)
  const groups = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<li>${text(name)}<ul>${own
      .map(({ operation }) => link(operation.operationId, operation.summary))
      .join("")}</ul></li>`
  })
  const events = Object.entries(document.webhooks ?? {}).map(([event, { post }]) => link(post.operationId, event))
  return (
    `<ul>${access === "none" ? "" : link("authentication", "Authentication")}${groups.join("")}` +
    `${events.length === 0 ? "" : `<li>Events<ul>${events.join("")}</ul></li>`}${link("schemas", "Schemas")}</ul>`
  )
}

const authentication = (
  base: string,
  access: DocsPageOptions["access"],
  credentials: PublicCredentials | undefined
): string => {
  if (access === "none") return ""
  if (access === "token") return tokenForm
  const known =
    credentials === undefined ? `"$CLIENT_ID:$CLIENT_SECRET"` : `'${credentials.clientId}:${credentials.clientSecret}'`
  const sample = `curl '${base}/token' \\\n  -u ${known} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"grant_type":"client_credentials"}'`
  return `<section class="operation" id="authentication"><div class="words"><h2>Authentication</h2>
<p>Exchange client id and client secret for an access token at <code>POST /token</code>, with HTTP Basic. Send the token
with every other request as <code>Authorization: Bearer</code>. It lasts ten minutes unless the server is set otherwise.</p>
<form class="try" id="login" hidden><h3>Log in to try requests here</h3>
<label>Client id <input name="id" autocomplete="off" value="${text(credentials?.clientId ?? "")}"></label>
<label>Client secret <input name="secret" type="password" autocomplete="off" value="${text(credentials?.clientSecret ?? "")}"></label>
<button>Get a token</button><output aria-live="polite"></output></form></div>
<div class="samples">${code("Request", sample)}</div></section>`
}

const tokenForm = `<section class="operation" id="authentication"><div class="words"><h2>Authentication</h2>
<p>Send the controls token with every request as <code>Authorization: Bearer</code>. It is the value of the server's
setting <code>PARCELA_CONTROLS_TOKEN</code>.</p>
<form class="try" id="controls" hidden><label>Controls token <input name="token" type="password" autocomplete="off"></label></form></div>
</section>`

const tagSection = (document: DocumentModel, tag: { readonly name: string; readonly description?: string }): string => {
  const own = operationsOf(document).filter(({ operation }) => operation.tags.includes(tag.name))
  return `<h2 class="group">${text(tag.name)}</h2><p class="hint">${text(tag.description ?? "")}</p>
${own.map((found) => operationSection(document, found)).join("\n")}`
}

const webhooks = (document: DocumentModel): string =>
  document.webhooks === undefined
    ? ""
    : `<h2 class="group">Events</h2>
<p class="hint">Sent to the address of PUT /webhooks, one request for each delivery.</p>
${Object.entries(document.webhooks)
  .map(([event, { post }]) => eventSection(document, event, post))
  .join("\n")}`

const eventSection = (document: DocumentModel, event: string, post: Operation): string => {
  const media = post.requestBody?.content["application/json"]
  const headers = post.parameters.map((parameter) => {
    const { description, name, required, schema } = resolved(document, "parameters", parameter)
    return row(name, schema, required ?? false, description)
  })
  return `<section class="operation" id="${text(post.operationId)}"><div class="words"><h3><code>${text(event)}</code></h3>
<p>${text(post.description)}</p><h4>Headers</h4><dl class="fields">${headers.join("")}</dl>
<h4>Body</h4><dl class="fields">${media === undefined ? "" : row("body", media.schema, true, "")}</dl></div>
<div class="samples">${code("Body", json(media?.examples?.default.value))}</div></section>`
}

const schemas = (document: DocumentModel): string => `<h2 class="group" id="schemas">Schemas</h2>
${Object.entries(document.components.schemas)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(
    ([name, schema]) =>
      `<details class="schema" id="schema-${text(name)}"><summary><code>${text(name)}</code> <span>${text(
        schema.description ?? ""
      )}</span></summary>${fields(schema)}</details>`
  )
  .join("\n")}`
