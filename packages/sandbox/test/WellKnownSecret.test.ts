import { assert, describe, it } from "@effect/vitest"
import { galaxPay, svcPay } from "@parcela/core/json/NamingProfile"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Redacted } from "effect"
import { basic, callAs, callByOldHttp } from "./fixtures/RawRequest.ts"
import { onServer } from "@parcela/test-world/Server"

describe("the well-known client secret", () => {
  it.effect("is accepted from this machine only: no rebound name, other origin or proxy receives a token with it", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const { host, port } = new URL(url)
      const ask = (headers: Readonly<Record<string, string>>, secret = "sandbox-secret") =>
        callAs("POST", "/v2/token", { ...basic(secret), ...headers }, `{"grant_type":"client_credentials"}`)
      const foreign = [
        { host: "rebind.test" },
        { host: `rebind.test:${port}`, origin: `http://rebind.test:${port}` },
        { host, origin: "http://evil.example" },
        { host, "sec-fetch-site": "cross-site" },
        { host, "x-forwarded-for": "203.0.113.9" }
      ]
      for (const headers of foreign) {
        const refused = yield* ask(headers)
        assert.strictEqual(refused.status, 403, JSON.stringify(headers))
        assert.include(refused.text, "PARCELA_CLIENT_SECRET")
      }
      for (const headers of [{ host }, { host: `localhost:${port}` }, { host, origin: `http://${host}` }]) {
        assert.strictEqual((yield* ask(headers)).status, 200, JSON.stringify(headers))
      }
    }).pipe(onServer())
  )

  for (const naming of [svcPay, galaxPay]) {
    it.effect(`is refused over HTTP/1.0, which simple proxies use, also with the naming profile ${naming.name}`, () =>
      Effect.gen(function* () {
        const body = `{"grant_type":"client_credentials"}`
        const received = yield* callByOldHttp("/v2/token", basic("sandbox-secret"), body)
        assert.match(received, /^HTTP\/1\.1 403 /)
      }).pipe(onServer({ naming }))
    )
  }

  it.effect("has no effect after another one is chosen, which is accepted from anywhere", () =>
    Effect.gen(function* () {
      const body = `{"grant_type":"client_credentials"}`
      const own = yield* callAs("POST", "/v2/token", { ...basic("of my own"), host: "billing.example" }, body)
      assert.strictEqual(own.status, 200)
    }).pipe(onServer({ clientSecret: Redacted.make("of my own") }))
  )
})
