import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { callAs } from "../fixtures/RawRequest.ts"
import { call, onSandbox } from "../fixtures/Service.ts"

describe("the documentation of the controls", () => {
  it.effect("is an OpenAPI document with this sandbox's address, for everybody, by GET alone", () =>
    Effect.gen(function* () {
      const { json, status } = yield* call("GET", "/sandbox/openapi.json")
      assert.strictEqual(status, 200)
      assert.match(json.servers[0].url, /^http:\/\/127\.0\.0\.1:\d+\/sandbox$/)
      assert.isDefined(json.paths["/companies/{clientId}"].get)
      const elsewhere = yield* callAs("GET", "/sandbox/openapi.json", { host: "sandbox.example" })
      assert.strictEqual(elsewhere.status, 200)
      for (const path of ["/sandbox/openapi.json", "/docs/sandbox"]) {
        const refused = yield* call("POST", path)
        assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET"], path)
      }
    }).pipe(onSandbox())
  )

  it.effect("is a page beside that of the interface: each links to both", () =>
    Effect.gen(function* () {
      const { json } = yield* call("GET", "/sandbox/openapi.json")
      const page = yield* call("GET", "/docs/sandbox")
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
      assert.include(page.headers.get("content-security-policy"), "default-src 'none'")
      for (const item of Object.values<Record<string, { operationId: string }>>(json.paths)) {
        for (const { operationId } of Object.values(item)) assert.include(page.text, `id="${operationId}"`)
      }
      assert.include(page.text, 'data-base="/sandbox"')
      assert.include(page.text, 'data-scheme="none"')
      assert.notMatch(page.text, /CLIENT_SECRET|id="authentication"|<h2 class="group">Events/)
      for (const path of ["/docs", "/docs/sandbox"]) {
        const { text } = yield* call("GET", path)
        assert.include(text, `<a href="${path}" aria-current="page">`, path)
        assert.lengthOf(text.match(/<a href="\/docs(?:\/sandbox)?"/g) ?? [], 2, path)
      }
    }).pipe(onSandbox())
  )

  it.effect("asks for the token where one is set, and does not show it", () =>
    Effect.gen(function* () {
      const { text } = yield* call("GET", "/docs/sandbox")
      assert.include(text, 'id="controls"')
      assert.include(text, 'data-scheme="controls"')
      assert.include(text, "$PARCELA_CONTROLS_TOKEN")
      assert.notInclude(text, "a-token-of-24-characters")
    }).pipe(onSandbox({ controlsToken: Redacted.make("a-token-of-24-characters") }))
  )
})
