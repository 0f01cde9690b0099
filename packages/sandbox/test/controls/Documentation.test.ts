import { assert, describe, it } from "@effect/vitest"
import { style } from "@parcela/http/docs/DocsAssets"
import { text } from "@parcela/http/docs/DocsFrame"
import { testCards } from "@parcela/provider-simulator/TestCards"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { callAs } from "../fixtures/RawRequest.ts"
import { call, onServer } from "@parcela/test-world/Server"

describe("the documentation of the controls", () => {
  it.effect("is an OpenAPI document with this sandbox's address, without a token and by GET only", () =>
    Effect.gen(function* () {
      const { json, status } = yield* call("GET", "/sandbox/openapi.json")
      assert.strictEqual(status, 200)
      assert.match(json.servers[0].url, /^http:\/\/127\.0\.0\.1:\d+\/sandbox$/)
      assert.isDefined(json.paths["/companies/{clientId}"].get)
      const elsewhere = yield* callAs("GET", "/sandbox/openapi.json", { host: "sandbox.example" })
      assert.strictEqual(elsewhere.status, 200)
      for (const path of ["/sandbox/openapi.json", "/docs/sandbox", "/docs/test-cards"]) {
        const refused = yield* call("POST", path)
        assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET"], path)
      }
    }).pipe(onServer())
  )

  it.effect("is a page that links to the pages of the interface and the test cards, and they link to it", () =>
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
      for (const path of ["/docs", "/docs/sandbox", "/docs/test-cards"]) {
        const { text } = yield* call("GET", path)
        assert.include(text, `<a href="${path}" aria-current="page">`, path)
        assert.lengthOf(text.match(/<a href="\/docs(?:\/sandbox|\/test-cards)?"/g) ?? [], 3, path)
      }
    }).pipe(onServer())
  )

  it.effect("shows every test card, and lists them by brand, code and group", () =>
    Effect.gen(function* () {
      const page = yield* call("GET", "/docs/test-cards")
      // Its style runs under the policy.
      assert.include(page.text, `<style>${style}</style>`)
      const hash = createHash("sha256").update(style).digest("base64")
      assert.include(page.headers.get("content-security-policy"), `style-src 'sha256-${hash}'`)
      for (const { number, result } of testCards) {
        assert.include(page.text, `<code>${number}</code>`)
        assert.include(page.text, text(result))
      }
      const listed = Effect.fnUntraced(function* (query: string) {
        const { json } = yield* call("GET", `/sandbox/test-cards${query}`)
        return json.testCards as ReadonlyArray<{ readonly number: string; readonly [field: string]: unknown }>
      })
      assert.deepStrictEqual(
        (yield* listed("")).map(({ number }) => number),
        testCards.map(({ number }) => number)
      )
      assert.deepStrictEqual(yield* listed("?brand=amex&code=121"), [
        {
          number: "340000001210003",
          name: "amex 121",
          brand: "amex",
          group: "denial codes",
          result: "denied, 121 (Not enough balance or limit)",
          code: "121"
        }
      ])
      assert.lengthOf(yield* listed("?group=authorization"), 2)
      assert.deepStrictEqual(
        yield* listed("?group=Often%20Used&brand=Visa"),
        yield* listed("?group=often%20used&brand=visa")
      )
    }).pipe(onServer())
  )

  it.effect("asks for the token if one is set, and does not show it", () =>
    Effect.gen(function* () {
      const { text } = yield* call("GET", "/docs/sandbox")
      assert.include(text, 'id="controls"')
      assert.include(text, 'data-scheme="controls"')
      assert.include(text, "$PARCELA_CONTROLS_TOKEN")
      assert.notInclude(text, "a-token-of-24-characters")
    }).pipe(onServer({ controlsToken: Redacted.make("a-token-of-24-characters") }))
  )
})
