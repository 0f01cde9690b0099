import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { EditWebhooks, WebhookUrl } from "../../src/webhooks/EditWebhooks.ts"

describe("WebhookUrl", () => {
  it.each(["http://127.0.0.1:8027/", "https://hooks.example.com/parcela?x=1#y", "http://[::1]/"])(
    "accepts %s",
    (url) => {
      assert.isTrue(Schema.is(WebhookUrl)(url))
    }
  )

  it.each([
    "hooks.example.com",
    "ftp://hooks.example.com/",
    "javascript:alert(1)",
    "https://user:pass@hooks.example.com/",
    "https://user@hooks.example.com/",
    "",
    `https://hooks.example.com/${"a".repeat(2048)}`,
    7
  ])("refuses %s", (url) => {
    assert.isFalse(Schema.is(WebhookUrl)(url))
  })
})

describe("the address of a webhook", () => {
  it.each([
    "http://169.254.169.254/latest",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::169.254.169.254]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[::169.254.169.254]/",
    "http://[fe80::1]/",
    "http://224.0.0.1/",
    "http://[ff02::1]/",
    "http://255.255.255.255/",
    "http://0.0.0.0/",
    "http://0/",
    "http://[::]/",
    "http://１６９.254.169.254/",
    "http://100.100.100.200/latest/meta-data/",
    "http://[fd00:ec2::254]/latest",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://Metadata.Google.Internal./",
    "http://metadata/"
  ])("is refused if it cannot be a receiver: %s", (url) => {
    const result = Schema.decodeUnknownExit(WebhookUrl)(url)
    assert.include(String(result), "not a link-local, multicast, broadcast or unspecified one")
  })

  it.each([
    "http://a..b/",
    "http://.example.com/",
    "http://-a.example.com/",
    "http://a%2fb.example.com/",
    `http://${"a".repeat(64)}.example.com/`,
    `http://${Array.from({ length: 64 }, () => "abc").join(".")}/`,
    "http://hooks.example.com:0/",
    "http://hooks.exa\nmple.com/",
    "http://hooks.example.com/\r\nHost: other",
    " http://hooks.example.com/",
    "http://hooks.example.com/a b"
  ])("is refused if it is malformed: %j", (url) => {
    assert.isFalse(Schema.is(WebhookUrl)(url))
  })

  it.each([
    "http://localhost:8027/",
    "http://10.0.0.7/",
    "http://[fd00::7]/",
    "https://bücher.example/hooks",
    "https://my_host.example.com./",
    "http://receiver:80/",
    "http://198.51.100.7/"
  ])("may be private, or a host name: %s", (url) => {
    assert.isTrue(Schema.is(WebhookUrl)(url))
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
