import { assert, describe, it } from "@effect/vitest"
import { galaxPay, svcPay } from "@parcela/core/json/NamingProfile"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Redacted } from "effect"
import { request as send } from "node:http"
import { connect } from "node:net"
import { call, onSandbox, tokenAt } from "./fixtures/Service.ts"

const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`sandbox:${secret}`).toString("base64")}` })

/** A request with any header, also those that `fetch` sets itself. */
const callAs = Effect.fnUntraced(function* (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string
) {
  const { url } = yield* Sandbox
  return yield* Effect.callback<{ status: number; text: string }>((resume) => {
    const outgoing = send(url + path, { method, headers, agent: false }, (response) => {
      let text = ""
      response.on("data", (chunk) => (text += chunk))
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode ?? 0, text })))
    })
    outgoing.end(body)
  })
})

const secrets = /whsec_|confirmHash|clientSecret/

describe("the sandbox's controls", () => {
  it.effect("make a company in one call, with what is said and chance for the rest", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const first = (yield* call("POST", "/sandbox/companies")).json
      const second = (yield* call("POST", "/sandbox/companies", { body: {} })).json
      assert.notStrictEqual(first.clientId, second.clientId)
      assert.notStrictEqual(first.webhookSecret, second.webhookSecret)
      assert.notStrictEqual(first.confirmHash, second.confirmHash)
      yield* Effect.promise(() => tokenAt(url, first.clientId, first.clientSecret))
      const found = yield* call("GET", `/sandbox/companies/${first.clientId}`)
      const { clientSecret: _, ...shown } = first
      assert.deepStrictEqual(found.json, shown)
    }).pipe(onSandbox())
  )

  it.effect("name every fault of a company at once, and make none", () =>
    Effect.gen(function* () {
      const wrong = {
        name: "",
        clientId: "with:colon",
        clientSecret: "x".repeat(256),
        scopes: ["nonsense"],
        allowedAddresses: [1],
        surprise: 1
      }
      const answer = yield* call("POST", "/sandbox/companies", { body: wrong })
      assert.strictEqual(answer.status, 400)
      assert.sameMembers(
        Object.keys(answer.json.error.details),
        Object.keys(wrong).map((field) => `Company.${field}`)
      )
      for (const body of ["{", "[]", "null", `"x"`]) {
        assert.strictEqual((yield* call("POST", "/sandbox/companies", { body })).status, 400, body)
      }
      const cut = (yield* call("POST", "/sandbox/companies", { body: `{"name":` })).json.error.details
      assert.deepStrictEqual(cut, {
        "Company.body": ["is not JSON: it ends at line 1, column 9, where a value should follow"]
      })
      assert.strictEqual((yield* call("GET", "/sandbox/companies/nobody")).status, 404)
    }).pipe(onSandbox())
  )

  it.effect("do not give a clientId that is in use to another company", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const taken = yield* call("POST", "/sandbox/companies", { body: { clientId: "sandbox", clientSecret: "mine" } })
      assert.strictEqual(taken.status, 400)
      assert.hasAllKeys(taken.json.error.details, ["Company.clientId"])
      yield* Effect.promise(() => tokenAt(url, "sandbox", "sandbox-secret"))
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, (_, index) =>
          call("POST", "/sandbox/companies", { body: { clientId: "race", clientSecret: `secret ${index}` } })
        ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 200),
        1
      )
    }).pipe(onSandbox())
  )

  it.effect("refuse pages of other origins, and names that were pointed at this machine", () =>
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
    }).pipe(onSandbox())
  )

  it.effect("refuse what came through a proxy on this machine, whose connection and Host are local", () =>
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
    }).pipe(onSandbox())
  )

  it.effect("refuse it also where that proxy is trusted and says that its client is this machine", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const { host } = new URL(url)
      const headers = { host, "x-forwarded-for": "127.0.0.1" }
      assert.strictEqual((yield* callAs("GET", "/sandbox/companies/sandbox", headers)).status, 403)
      const asked = yield* callAs("POST", "/v2/token", { ...basic("sandbox-secret"), ...headers }, "{}")
      assert.strictEqual(asked.status, 403)
    }).pipe(onSandbox({ trustedProxies: ["127.0.0.1"] }))
  )

  it.effect("refuse HTTP/1.0, which nginx speaks to a server that it is given by `proxy_pass` alone", () =>
    Effect.gen(function* () {
      const { hostname, port } = new URL((yield* Sandbox).url)
      const received = yield* Effect.promise(async () => {
        const socket = connect(Number(port), hostname)
        socket.end(`GET /sandbox/companies/sandbox HTTP/1.0\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
        return (await socket.toArray()).join("")
      })
      assert.match(received, /^HTTP\/1\.1 403 /)
      assert.notMatch(received, secrets)
    }).pipe(onSandbox())
  )

  it.effect("take addresses as a connection writes them, and refuse what is none, such as a range", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      for (const wrong of ["not an address", "10.0.0.0/8", "", "127.0.0.1:80", "[::1]", "01.2.3.4", "localhost"]) {
        const refused = yield* call("POST", "/sandbox/companies", { body: { allowedAddresses: ["::1", wrong] } })
        assert.strictEqual(refused.status, 400, wrong)
        assert.match(refused.json.error.details["Company.allowedAddresses"][0], /item 2: .*ranges .* not supported/)
      }
      for (const own of ["127.0.0.1", "::ffff:127.0.0.1", "::FFFF:7F00:1"]) {
        const made = (yield* call("POST", "/sandbox/companies", { body: { allowedAddresses: [own, "2001:DB8::0:1"] } }))
          .json
        yield* Effect.promise(() => tokenAt(url, made.clientId, made.clientSecret))
      }
    }).pipe(onSandbox())
  )

  it.effect("are not under /v2, and need no token there is", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("POST", "/v2/sandbox/companies")).status, 404)
      assert.strictEqual((yield* call("POST", "/v2/companies")).status, 404)
    }).pipe(onSandbox())
  )

  it.effect("answer a path that cannot be read, and another method, with an error node", () =>
    Effect.gen(function* () {
      const broken = yield* callAs("GET", "/sandbox/companies/%", {})
      assert.include([400, 404], broken.status)
      assert.match(broken.text, /^\{"error":/)
      const patched = yield* call("PATCH", "/sandbox/companies")
      assert.deepStrictEqual([patched.status, patched.headers.get("allow")], [405, "POST"])
    }).pipe(onSandbox())
  )
})

describe("the secret that everybody knows", () => {
  it.effect("is taken from this machine alone: no rebound name, other origin or proxy gets a token with it", () =>
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
    }).pipe(onSandbox())
  )

  for (const naming of [svcPay, galaxPay]) {
    it.effect(`is not taken by HTTP/1.0, which plain proxies speak, under the naming ${naming.name} either`, () =>
      Effect.gen(function* () {
        const { hostname, port } = new URL((yield* Sandbox).url)
        const body = `{"grant_type":"client_credentials"}`
        const received = yield* Effect.promise(async () => {
          const socket = connect(Number(port), hostname)
          socket.end(
            `POST /v2/token HTTP/1.0\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n` +
              `Authorization: ${basic("sandbox-secret").authorization}\r\nContent-Type: application/json\r\n` +
              `Content-Length: ${body.length}\r\n\r\n${body}`
          )
          return (await socket.toArray()).join("")
        })
        assert.match(received, /^HTTP\/1\.1 403 /)
      }).pipe(onSandbox({ naming }))
    )
  }

  it.effect("is no matter once another one is chosen, which is taken from anywhere", () =>
    Effect.gen(function* () {
      const body = `{"grant_type":"client_credentials"}`
      const own = yield* callAs("POST", "/v2/token", { ...basic("of my own"), host: "billing.example" }, body)
      assert.strictEqual(own.status, 200)
    }).pipe(onSandbox({ clientSecret: Redacted.make("of my own") }))
  )
})
