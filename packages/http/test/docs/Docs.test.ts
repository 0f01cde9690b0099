import { assert, describe, it, layer } from "@effect/vitest"
import { openApiDocument } from "@parcela/transport/OpenApiDocument"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { policy, script, style } from "../../src/docs/DocsAssets.ts"
import { docsPage } from "../../src/docs/DocsPage.ts"
import { modelOf } from "../../src/docs/DocumentModel.ts"
import { text } from "../../src/docs/DocsFrame.ts"
import { withNamesOf } from "../../src/docs/Samples.ts"
import { formsOf, submitted } from "../fixtures/DocsForms.ts"
import { basic, call, onServer, server, signIn, tokenOf } from "@parcela/test-world/Server"

const model = modelOf(openApiDocument({ baseUrl: "http://127.0.0.1:8026/v2" }))
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
  it("loads no other resource, from this host or another", () => {
    // The tags that a browser would load something for; the only address is of an empty image.
    const tags = html.match(/<(?:script|link|img|iframe|source|base|object|embed|style|meta)\b[^>]*>/giu) ?? []
    const loading = tags.filter((tag) => /(?:src|href|url)\s*=/iu.test(tag))
    assert.deepStrictEqual(loading, ['<link rel="icon" href="data:,">'])
    assert.notMatch(style, /url\(|@import/u)
    // In bytes before compression; 20 kB for an operation is what schemas and examples take.
    assert.isBelow(html.length / operations.length, 25_000)
  })

  it("has a policy that allows only its own style and script, no evaluated code, and requests to this server", () => {
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
      assert.include(section, withNamesOf(operation.operationId, text(JSON.stringify(example, null, 2))))
      assert.include(section, text(operation.description))
    }
    for (const { post } of Object.values(model.webhooks ?? {})) sectionOf(post.operationId)
  })

  it("sends a bearer token in every sample except that of /token", () => {
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

  it("has no broken link", () => {
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id))
    const links = [...html.matchAll(/href="#([^"]+)"/gu)].map(([, id]) => id)
    assert.isAbove(links.length, 50)
    assert.deepStrictEqual(
      links.filter((id) => !ids.has(id)),
      []
    )
  })

  it("escapes the texts of a document", () => {
    const evil = `<img src=x onerror="alert(1)">'`
    const document = { ...model, info: { ...model.info, title: evil, summary: evil, description: evil } }
    assert.notInclude(docsPage(document, { credentials: { clientId: evil, clientSecret: evil } }), "<img")
  })
})

/** Returns a response without values that differ between runs: each leaf is its type, except a status. */
const shape = (json: unknown, name = ""): unknown => {
  if (Array.isArray(json)) return json.map((item) => shape(item))
  if (typeof json !== "object" || json === null) return name === "status" ? json : typeof json
  const entries = Object.entries(json).map(([key, value]) => [key, shape(value, key)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Runs a test on a server of its own, on the day of the examples: a card payment of that day is charged at once. */
const onTheDay = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provide(
    test,
    SandboxServer.layer().pipe(
      Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-20T13:00:00Z"))))
    ),
    { local: true }
  )

describe("the forms of the reference page", () => {
  it.effect("work on a fresh sandbox from top to bottom, and return what the page shows", () =>
    Effect.gen(function* () {
      const { company } = yield* signIn()
      const token = yield* tokenOf(company)
      const credentials = basic(company.clientId, Redacted.value(company.clientSecret))
      for (const form of formsOf((yield* call("GET", "/docs")).text)) {
        const { answer, sent } = yield* submitted(form, { token, credentials })
        if (answer?.status !== 200) assert.fail(`${form.id}: ${answer?.text ?? sent}`)
        const { responses } = operations.find(({ operation }) => operation.operationId === form.id)!.operation
        const shown = responses["200"]!.content!["application/json"]!.examples!.default.value
        // The page lists before it adds: what is empty then is shown full.
        if (!form.id.startsWith("list")) assert.deepStrictEqual(shape(answer.json), shape(shown), form.id)
      }
    }).pipe(onTheDay)
  )

  it.effect("work one by one on a fresh sandbox each, in the reverse order too", () =>
    Effect.gen(function* () {
      for (const form of formsOf((yield* call("GET", "/docs")).text).toReversed()) {
        const { company } = yield* signIn()
        const token = yield* tokenOf(company)
        const credentials = basic(company.clientId, Redacted.value(company.clientSecret))
        const { answer, sent } = yield* submitted(form, { token, credentials })
        assert.strictEqual(answer?.status, 200, `${form.id}: ${answer?.text ?? sent}`)
      }
    }).pipe(onTheDay)
  )

  it.effect(
    "of the controls work on a fresh sandbox, but for what takes a defect, a receiver or an advance that runs",
    () =>
      Effect.gen(function* () {
        const refused: Record<string, number> = { cancelAdvance: 404, releaseQuarantinedWork: 404, replayDelivery: 400 }
        for (const form of formsOf((yield* call("GET", "/docs/sandbox")).text)) {
          // A delivery that became due in the instant of its replay counts as replayed.
          yield* TestClock.adjust("1 second")
          const { answer, sent } = yield* submitted(form, { token: "", credentials: {} })
          assert.strictEqual(answer?.status, refused[form.id] ?? 200, `${form.id}: ${answer?.text ?? sent}`)
        }
      }).pipe(onTheDay)
  )

  it("share no identifier and no document with the requests of the README", () => {
    const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8")
    assert.include(readme, '"document": "52998224725"')
    const values = formsOf(html).flatMap(({ body = "", fields, first }) => [
      ...[...(body + JSON.stringify(first)).matchAll(/"(?:myId|document)": ?"([^"]*)"/gu)].map(([, value]) => value!),
      ...fields.flatMap(({ value }) => value.match(/example-\w+/gu) ?? [])
    ])
    assert.isAtLeast(new Set(values).size, 5)
    for (const value of values) assert.notInclude(readme, value)
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

  it.effect("never shows a configured secret", () =>
    Effect.gen(function* () {
      const { text } = yield* call("GET", "/docs")
      assert.notInclude(text, "my own secret")
      assert.include(text, 'name="secret" type="password" autocomplete="off" value=""')
    }).pipe(onServer({ clientId: "shop", clientSecret: Redacted.make("my own secret") }))
  )
})
