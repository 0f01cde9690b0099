import { describe, it } from "@effect/vitest"
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Redacted } from "effect"
import { assert } from "vitest"
import { greeting } from "../src/StartupMessages.ts"

const listening = (url: string) => ({ url, clientId: "a shop", clientSecret: Redacted.make("a secret") })
const settings = { database: "sandbox.db", naming: svcPay }

/** The value of a name, or an empty text. */
const valueOf = (text: string, name: string): string => {
  const line = text.split("\n").find((line) => line.trimStart().startsWith(name)) ?? ""
  return line.trimStart().slice(name.length).trimStart()
}

describe("the greeting", () => {
  it("has a reachable address if the server listens on every address", () => {
    for (const [url, reached] of [
      ["http://0.0.0.0:8026", "http://127.0.0.1:8026"],
      ["http://[::]:8026", "http://[::1]:8026"],
      ["http://10.0.0.7:8026", "http://10.0.0.7:8026"]
    ] as const) {
      const text = greeting(listening(url), settings)
      assert.strictEqual(valueOf(text, "base URL"), `${reached}/v2`)
      assert.include(valueOf(text, "webhook secret"), `curl ${reached}/sandbox/companies/a%20shop`)
      assert.strictEqual(valueOf(text, "listens at"), url === reached ? "" : url)
      assert.notInclude(text, "a secret")
    }
  })

  it("uses the local address for the controls, with a token if one is set, because a proxy is refused there", () => {
    const publicUrl = "https://sandbox.example"
    const byToken = greeting(listening("http://0.0.0.0:8026"), { ...settings, publicUrl, hasControlsToken: true })
    assert.include(
      valueOf(byToken, "webhook secret"),
      `curl -H "Authorization: Bearer $PARCELA_CONTROLS_TOKEN" http://127.0.0.1:8026/sandbox/companies/a%20shop`
    )
    const onThisMachine = greeting(listening("http://0.0.0.0:8026"), { ...settings, publicUrl })
    assert.include(valueOf(onThisMachine, "webhook secret"), "curl http://127.0.0.1:8026/sandbox/companies/a%20shop")
    assert.include(valueOf(onThisMachine, "base URL"), `${publicUrl}/v2`)
  })

  it("has no line of more than 80 columns", () => {
    const text = greeting({ ...listening("http://127.0.0.1:8026"), clientId: "sandbox" }, settings)
    for (const line of text.split("\n")) assert.isAtMost(line.length, 80, line)
    assert.include(valueOf(text, "OpenAPI"), "http://127.0.0.1:8026/openapi.json")
  })
})
