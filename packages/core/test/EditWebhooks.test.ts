import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { EditWebhooks, WebhookUrl } from "../src/EditWebhooks.ts"

describe("WebhookUrl", () => {
  it.each(["http://127.0.0.1:8027/", "https://hooks.example.com/parcela?x=1#y", "http://[::1]/"])("is %s", (url) => {
    assert.isTrue(Schema.is(WebhookUrl)(url))
  })

  it.each([
    "hooks.example.com",
    "ftp://hooks.example.com/",
    "javascript:alert(1)",
    "https://user:pass@hooks.example.com/",
    "https://user@hooks.example.com/",
    "",
    `https://hooks.example.com/${"a".repeat(2048)}`,
    7
  ])("is not %s", (url) => {
    assert.isFalse(Schema.is(WebhookUrl)(url))
  })
})

describe("EditWebhooks", () => {
  it.effect.prop("decodes what it encodes", [EditWebhooks], ([command]) =>
    Effect.gen(function* () {
      const encoded = yield* Schema.encodeEffect(EditWebhooks)(command)
      assert.deepStrictEqual(yield* Schema.decodeEffect(EditWebhooks)(encoded), command)
    })
  )
})
