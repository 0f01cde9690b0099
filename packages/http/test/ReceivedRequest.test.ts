import { assert, describe, it } from "@effect/vitest"
import { clientAddress } from "@parcela/http/ReceivedRequest"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect, Redacted } from "effect"
import { basic, call, onServer, raw, readRaw, signIn } from "@parcela/test-world/Server"

const trusted = ["10.0.0.0/8", "192.0.2.1", "fd00::/8"]

describe("the address of a client", () => {
  it.each<readonly [what: string, peer: string, forwardedFor: string | undefined, address: string]>([
    ["without a proxy it is the connection's", "203.0.113.9", undefined, "203.0.113.9"],
    ["in its canonical form", "::ffff:203.0.113.9", undefined, "203.0.113.9"],
    ["what a peer says that is not trusted is not read", "203.0.113.9", "198.51.100.7", "203.0.113.9"],
    ["not even where it is next to a trusted one", "192.0.2.2", "198.51.100.7", "192.0.2.2"],
    ["what a trusted proxy appended is believed", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["also when its address comes as IPv6", "::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["what a client wrote before it is not", "10.0.0.1", "127.0.0.1, 198.51.100.7", "198.51.100.7"],
    ["nor is a trusted address that a client wrote", "10.0.0.1", "10.0.0.9, 198.51.100.7", "198.51.100.7"],
    ["several proxies are followed from the right", "10.0.0.1", "x, 198.51.100.7, 192.0.2.1,10.0.0.2", "198.51.100.7"],
    ["up to the first that is not trusted", "10.0.0.1", "198.51.100.7, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["a chain of trusted ones ends at the leftmost", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["IPv6 is read", "fd00::1", "2001:DB8:0::7", "2001:db8::7"],
    ["an IPv4 address within one is that address", "fd00::1", "::ffff:198.51.100.7", "198.51.100.7"],
    ["and is trusted as that", "fd00::1", "198.51.100.7, ::ffff:10.0.0.2", "198.51.100.7"],
    ["a port is left out", "10.0.0.1", "198.51.100.7:4711", "198.51.100.7"],
    ["also that of an IPv6 address", "10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["brackets too", "10.0.0.1", "[2001:db8::7]", "2001:db8::7"],
    ["without the field it is the proxy's", "10.0.0.1", undefined, "10.0.0.1"],
    ["nothing in it says nothing", "10.0.0.1", "", "10.0.0.1"],
    ["what cannot be read ends the search at the last hop", "10.0.0.1", "198.51.100.7, unknown", "10.0.0.1"],
    ["behind the hop that is known", "10.0.0.1", "198.51.100.7, _hidden, 10.0.0.2", "10.0.0.2"],
    ["an empty entry is none", "10.0.0.1", "198.51.100.7,", "10.0.0.1"],
    ["nor is a short form, a network or a name", "10.0.0.1", "198.51", "10.0.0.1"],
    ["a network is none", "10.0.0.1", "198.51.100.0/24", "10.0.0.1"],
    ["a name is none", "10.0.0.1", "localhost", "10.0.0.1"],
    ["a number beyond 255 is none", "10.0.0.1", "198.51.100.256", "10.0.0.1"],
    ["line feeds and other tricks are none", "10.0.0.1", "198.51.100.7\u0000", "10.0.0.1"],
    ["a connection without a readable address is that text", "pipe", "198.51.100.7", "pipe"]
  ])("%s", (_what, peer, forwardedFor, address) => {
    assert.strictEqual(clientAddress(peer, forwardedFor, trusted), address)
  })

  it("is the connection's address when no proxy is trusted", () => {
    assert.strictEqual(clientAddress("127.0.0.1", "198.51.100.7", []), "127.0.0.1")
  })

  it("is searched over at most 20 hops", () => {
    const long = `198.51.100.7, ${Array.from({ length: 20 }, () => "10.0.0.9").join(", ")}`
    assert.strictEqual(clientAddress("10.0.0.1", long, trusted), "10.0.0.9")
    assert.strictEqual(clientAddress("10.0.0.1", long.replace(", 10.0.0.9", ""), trusted), "198.51.100.7")
  })
})

const grant = { grant_type: "client_credentials" }

const requesting = (clientId: string, secret: string, forwardedFor: string) =>
  Effect.map(
    call("POST", "/v2/token", {
      headers: { ...basic(clientId, secret), "x-forwarded-for": forwardedFor },
      body: grant
    }),
    ({ status }) => status
  )

describe("wrong secrets", () => {
  it.effect(
    "that arrive through a trusted proxy count for the client that sent them, whatever header the client wrote",
    () =>
      Effect.gen(function* () {
        const company = yield* SandboxServer.companyOf()
        const ask = (secret: string, from: string) => requesting(company.clientId, secret, from)
        const right = Redacted.value(company.clientSecret)
        for (let attempts = 0; attempts < 10; attempts++) {
          assert.strictEqual(yield* ask(`wrong ${attempts}`, `198.51.100.${attempts}, 203.0.113.9`), 401)
        }
        assert.strictEqual(yield* ask(right, "203.0.113.9"), 429)
        assert.strictEqual(yield* ask(right, "203.0.113.10, 203.0.113.9"), 429)
        assert.strictEqual(yield* ask(right, "203.0.113.9, 203.0.113.10"), 200)
        // A hundred of one client lock that client, and not the proxy.
        for (let attempts = 0; attempts < 100; attempts++)
          yield* requesting(`nobody ${attempts}`, "wrong", "203.0.113.11")
        assert.strictEqual(yield* ask(right, "203.0.113.11"), 429)
        assert.strictEqual(yield* ask(right, "203.0.113.12"), 200)
      }).pipe(onServer({ trustedProxies: ["127.0.0.1"] }))
  )

  it.effect("count for the address of the connection if its proxy is not trusted", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      const ask = (secret: string, from: string) => requesting(company.clientId, secret, from)
      for (let attempts = 0; attempts < 10; attempts++)
        assert.strictEqual(yield* ask("wrong", `203.0.113.${attempts}`), 401)
      assert.strictEqual(yield* ask(Redacted.value(company.clientSecret), "203.0.113.99"), 429)
    }).pipe(onServer({ trustedProxies: ["10.0.0.0/8"] }))
  )

  it.effect("are counted by the last of several lines of the field", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      const { authorization } = basic(company.clientId, "wrong")
      const ask = (first: string, last: string) =>
        Effect.map(
          raw(
            `POST /v2/token HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nX-Forwarded-For: ${first}\r\n` +
              `Forwarded: for=${first}\r\nX-FORWARDED-FOR: ${last}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
          ),
          (received) => readRaw(received).status
        )
      for (let attempts = 0; attempts < 10; attempts++) {
        assert.strictEqual(yield* ask(`198.51.100.${attempts}`, "203.0.113.9"), 401)
      }
      assert.strictEqual(yield* ask("198.51.100.99", "203.0.113.9"), 429)
      assert.strictEqual(yield* ask("203.0.113.9", "198.51.100.99"), 401)
    }).pipe(onServer({ trustedProxies: ["127.0.0.1"] }))
  )
})

describe("the addresses that a company allows", () => {
  it.effect("are compared with the address of the client behind a trusted proxy, at /token and with every token", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf({ allowedAddresses: ["203.0.113.7", "2001:db8::7"] })
      const ask = (from: string) => requesting(company.clientId, Redacted.value(company.clientSecret), from)
      assert.strictEqual(yield* ask("203.0.113.7"), 200)
      assert.strictEqual(yield* ask("2001:DB8:0::7"), 200)
      assert.strictEqual(yield* ask("203.0.113.7, 203.0.113.8"), 403)
      const { call } = yield* signIn({ allowedAddresses: ["127.0.0.1"] })
      const list = (headers: Record<string, string>) =>
        Effect.map(call("GET", "/v2/transactions?startAt=0&limit=1", { headers }), ({ status }) => status)
      assert.strictEqual(yield* list({}), 200)
      assert.strictEqual(yield* list({ "x-forwarded-for": "203.0.113.8" }), 403)
      // A request whose body is read again has the same address.
      const typed = { "x-forwarded-for": "203.0.113.8", "content-type": "text/plain" }
      assert.strictEqual((yield* call("PUT", "/v2/webhooks", { headers: typed, body: "{}" })).status, 403)
    }).pipe(onServer({ trustedProxies: ["127.0.0.1"] }))
  )
})
