import { assert, describe, it, layer } from "@effect/vitest"
import { openApiDocument } from "@parcela/transport/OpenApiDocument"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { policy, script, style } from "../src/docs/DocsAssets.ts"
import { docsPage } from "../src/docs/DocsPage.ts"
import type { DocumentModel } from "../src/docs/DocumentModel.ts"
import { text } from "../src/docs/Html.ts"
import { call, onServer, server } from "./fixtures/Http.ts"

const model = openApiDocument({ baseUrl: "http://127.0.0.1:8026/v2" }) as unknown as DocumentModel
const html = docsPage(model)
const operations = Object.entries(model.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, operation, path }))
)

/** The part of the page about one operation or event. */
const sectionOf = (id: string): string => {
  const from = html.indexOf(`<section class="operation" id="${id}"`)
  assert.isAtLeast(from, 0, id)
  return html.slice(from, html.indexOf("</section>", from))
}

describe("the reference page", () => {
  it("loads nothing, from this host or another", () => {
    // The tags that a browser would load something for; the only address is of an empty image.
    const tags = html.match(/<(?:script|link|img|iframe|source|base|object|embed|style|meta)\b[^>]*>/giu) ?? []
    const loading = tags.filter((tag) => /(?:src|href|url)\s*=/iu.test(tag))
    assert.deepStrictEqual(loading, ['<link rel="icon" href="data:,">'])
    assert.notMatch(style, /url\(|@import/u)
    assert.isBelow(html.length, 250_000)
  })

  it("has a policy under which its own style and script run, no code is made from text, and only this server is asked", () => {
    const hash = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`
    assert.include(html, `<style>${style}</style>`)
    assert.include(html, `<script>${script}</script>`)
    assert.deepStrictEqual(policy.split("; "), [
      "default-src 'none'",
      `style-src ${hash(style)}`,
      `script-src ${hash(script)}`,
      "connect-src 'self'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'"
    ])
    // Neither would run under the policy.
    assert.notMatch(html.replace(style, "").replace(script, ""), /\son\w+=|\sstyle=|javascript:/iu)
  })

  it("shows every operation with its parameters, codes and examples", () => {
    for (const { operation } of operations) {
      const section = sectionOf(operation.operationId)
      for (const status of Object.keys(operation.responses)) assert.include(section, `>${status}</span>`)
      const { content } = operation.responses["200"]!
      const example = content!["application/json"]!.examples!.default.value
      assert.include(section, text(JSON.stringify(example, null, 2)))
      assert.include(section, text(operation.description))
    }
    for (const { post } of Object.values(model.webhooks)) sectionOf(post.operationId)
  })

  it("sends a bearer token in every sample but that of /token", () => {
    for (const { operation, path } of operations) {
      const section = sectionOf(operation.operationId)
      const [isBearer, isBasic] = [
        section.includes("Authorization: Bearer $TOKEN"),
        section.includes("-u &quot;$CLIENT_ID")
      ]
      assert.deepStrictEqual([isBearer, isBasic], path === "/token" ? [false, true] : [true, false], path)
    }
  })

  it("describes every field of every schema", () => {
    for (const [name, schema] of Object.entries(model.components.schemas)) {
      assert.include(html, `id="schema-${name}"`)
      for (const field of Object.values(schema.properties ?? {})) assert.include(html, text(field.description ?? "?"))
    }
  })

  it("has no link that leads nowhere", () => {
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id))
    const links = [...html.matchAll(/href="#([^"]+)"/gu)].map(([, id]) => id)
    assert.isAbove(links.length, 50)
    assert.deepStrictEqual(
      links.filter((id) => !ids.has(id)),
      []
    )
  })

  it("writes what stands in a document as text", () => {
    const evil = `<img src=x onerror="alert(1)">'`
    const document = { ...model, info: { ...model.info, title: evil, summary: evil, description: evil } }
    assert.notInclude(docsPage(document, { clientId: evil, clientSecret: evil }), "<img")
  })
})

layer(server())("the page of a sandbox", (it) => {
  it.effect("fills in the credentials that the README names", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* call("GET", "/docs")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-security-policy"), policy)
      assert.match(headers.get("content-type") ?? "", /^text\/html/u)
      assert.include(text, 'value="sandbox-secret"')
    })
  )

  it.effect("never shows a secret that somebody has chosen", () =>
    Effect.gen(function* () {
      const { text } = yield* call("GET", "/docs")
      assert.notInclude(text, "my own secret")
      assert.include(text, 'name="secret" type="password" autocomplete="off" value=""')
    }).pipe(onServer({ clientId: "shop", clientSecret: Redacted.make("my own secret") }))
  )
})
