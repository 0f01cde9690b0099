import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Redacted } from "effect"
import { connect } from "node:net"
import { basic, callAs } from "../fixtures/RawRequest.ts"
import { call, onServer } from "@parcela/test-world/Server"

const secrets = /whsec_|confirmHash|clientSecret/

describe("the sandbox's controls", () => {
  it.effect("refuse pages of other origins, and host names that were rebound to this machine", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const { host, port } = new URL(url)
      const foreign = [
        { host: "evil.example" },
        { host: `evil.example:${port}` },
        { host: `127.0.0.1.evil.example:${port}` },
        { host: `localhost.evil.example` },
        { host: "0.0.0.0" },
        { host, origin: "https://evil.example" },
        { host, origin: "null" },
        { host, origin: "http://127.0.0.1:1" },
        { host, "sec-fetch-site": "cross-site" },
        { host, "sec-fetch-site": "same-site" }
      ]
      for (const headers of foreign) {
        const shown = yield* callAs("GET", "/sandbox/companies/sandbox", headers)
        assert.strictEqual(shown.status, 403, JSON.stringify(headers))
        assert.notMatch(shown.text, secrets)
        const made = yield* callAs("POST", "/sandbox/companies", { ...headers, "content-type": "text/plain" }, "{}")
        assert.strictEqual(made.status, 403, JSON.stringify(headers))
      }
      const own = [
        { host },
        { host: `localhost:${port}` },
        { host: "LOCALHOST" },
        { host: `[::1]:${port}` },
        { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" },
        { host, "sec-fetch-site": "none" }
      ]
      for (const headers of own) {
        const shown = yield* callAs("GET", "/sandbox/companies/sandbox", headers)
        assert.strictEqual(shown.status, 200, JSON.stringify(headers))
      }
    }).pipe(onServer())
  )

  it.effect("refuse requests through a proxy on this machine, although connection and Host are local", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const { host } = new URL(url)
      const added =
        "x-forwarded-for x-forwarded-proto x-forwarded-host forwarded via x-real-ip x-client-ip true-client-ip cf-connecting-ip".split(
          " "
        )
      for (const name of added) {
        const headers = { host, [name]: "203.0.113.9" }
        const shown = yield* callAs("GET", "/sandbox/companies/sandbox", headers)
        assert.strictEqual(shown.status, 403, name)
        assert.notMatch(shown.text, secrets)
        assert.strictEqual((yield* callAs("POST", "/sandbox/companies", headers, "{}")).status, 403, name)
      }
    }).pipe(onServer())
  )

  it.effect("refuse them also if that proxy is trusted and names this machine as the client", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const { host } = new URL(url)
      const headers = { host, "x-forwarded-for": "127.0.0.1" }
      assert.strictEqual((yield* callAs("GET", "/sandbox/companies/sandbox", headers)).status, 403)
      const response = yield* callAs("POST", "/v2/token", { ...basic("sandbox-secret"), ...headers }, "{}")
      assert.strictEqual(response.status, 403)
    }).pipe(onServer({ trustedProxies: ["127.0.0.1"] }))
  )

  it.effect("refuse HTTP/1.0, which nginx uses with a plain `proxy_pass`", () =>
    Effect.gen(function* () {
      const { hostname, port } = new URL((yield* Sandbox).url)
      const received = yield* Effect.promise(async () => {
        const socket = connect(Number(port), hostname)
        socket.end(`GET /sandbox/companies/sandbox HTTP/1.0\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
        return (await socket.toArray()).join("")
      })
      assert.match(received, /^HTTP\/1\.1 403 /)
      assert.notMatch(received, secrets)
    }).pipe(onServer())
  )

  it.effect("are not under /v2, and need no access token", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("POST", "/v2/sandbox/companies")).status, 404)
      assert.strictEqual((yield* call("POST", "/v2/companies")).status, 404)
    }).pipe(onServer())
  )

  it.effect("name the documentation page for an unknown path, as the administration does", () =>
    Effect.gen(function* () {
      for (const [path, page] of [
        ["/sandbox", "/docs/sandbox"],
        ["/sandbox/companies/sandbox/delivery", "/docs/sandbox"],
        ["/admin/", "/docs/admin"],
        ["/sandboxes", "/docs"],
        ["/v2", "/docs"]
      ] as const) {
        const { json, status } = yield* call("GET", path)
        assert.strictEqual(status, 404, path)
        assert.strictEqual(json.error.message, `There is no operation at this address: ${page} lists the operations`)
      }
    }).pipe(onServer())
  )

  it.effect("respond to an unreadable path and to another method with an error node", () =>
    Effect.gen(function* () {
      const broken = yield* callAs("GET", "/sandbox/companies/%", {})
      assert.include([400, 404], broken.status)
      assert.match(broken.text, /^\{"error":/)
      const patched = yield* call("PATCH", "/sandbox/companies")
      assert.deepStrictEqual([patched.status, patched.headers.get("allow")], [405, "GET, POST"])
    }).pipe(onServer())
  )

  describe("with a token", () => {
    const controlsToken = "a-token-of-24-characters"
    const withToken = onServer({ controlsToken: Redacted.make(controlsToken) })
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

    it.effect("are available to clients with the token, also from other machines and through a proxy", () =>
      Effect.gen(function* () {
        for (const headers of [
          {},
          { host: "sandbox.example" },
          { "x-forwarded-for": "203.0.113.9" },
          { origin: "https://shop.example" }
        ]) {
          const shown = yield* callAs("GET", "/sandbox/companies/sandbox", { ...headers, ...bearer(controlsToken) })
          assert.strictEqual(shown.status, 200, JSON.stringify(headers))
        }
      }).pipe(withToken)
    )

    it.effect("are refused to other clients, also on this machine, with the reason", () =>
      Effect.gen(function* () {
        for (const [given, message] of [
          [{}, /Send Authorization: Bearer/],
          [bearer(controlsToken.slice(1)), /is not that of this sandbox/],
          [bearer(`${controlsToken}x`), /is not that of this sandbox/],
          [bearer(controlsToken.toUpperCase()), /is not that of this sandbox/],
          [basic("sandbox-secret"), /Send Authorization: Bearer/]
        ] as const) {
          const refused = yield* call("GET", "/sandbox/companies/sandbox", { headers: given })
          assert.strictEqual(refused.status, 401, JSON.stringify(given))
          assert.match(refused.json.error.message, message)
          assert.match(refused.json.error.message, /PARCELA_CONTROLS_TOKEN/)
          assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
          assert.notMatch(refused.text, secrets)
        }
      }).pipe(withToken)
    )

    it.effect("do not start with one that is too short to be safe", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Effect.void.pipe(onServer({ controlsToken: Redacted.make("too-short") })))
        assert.match(error.message, /24 to 255 visible ASCII characters/)
        assert.notInclude(error.message, "too-short")
      })
    )
  })

  it.effect("treat a write without a body as one with an empty object, and accept no body except JSON", () =>
    Effect.gen(function* () {
      const { host } = new URL((yield* Sandbox).url)
      for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]) {
        const headers = { host, "content-type": type }
        assert.strictEqual((yield* callAs("POST", "/sandbox/companies", headers)).status, 200, type)
        assert.strictEqual((yield* callAs("POST", "/sandbox/companies", headers, "{}")).status, 200, type)
      }
      const form = { host, "content-type": "application/x-www-form-urlencoded" }
      const refused = yield* callAs("POST", "/sandbox/companies", form, "name=a")
      assert.strictEqual(refused.status, 415)
      assert.match(refused.text, /^\{"error":/)
    }).pipe(onServer())
  )

  it.effect("forbid caching of every response", () =>
    Effect.gen(function* () {
      for (const path of ["/sandbox/companies/sandbox", "/sandbox/companies/nobody"]) {
        assert.strictEqual((yield* call("GET", path)).headers.get("cache-control"), "no-store", path)
      }
    }).pipe(onServer())
  )
})
