import { assert, describe, it, layer } from "@effect/vitest"
import { Scope } from "@parcela/core/companies/Scope"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { byPix } from "@parcela/test-world/Samples"
import { basic, call, onServer, server, signIn, tokenOf } from "@parcela/test-world/Server"
import { requestOf, withToken } from "./fixtures/InterfaceRequests.ts"

const grant = { grant_type: "client_credentials" }

layer(server())("credentials", (it) => {
  it.effect("return a token for 600 seconds, sent as JSON or as a form", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      const headers = basic(company.clientId, Redacted.value(company.clientSecret))
      const json = yield* call("POST", "/v2/token", { headers, body: { grant_type: "authorization_code" } })
      const form = yield* call("POST", "/v2/token", {
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: "grant_type=client_credentials&scope=webhooks.write+balance.read"
      })
      assert.strictEqual(json.json.token_type, "Bearer")
      assert.strictEqual(json.json.expires_in, 600)
      assert.match(json.json.access_token, /^[\w-]{52}$/)
      assert.isAtMost(json.json.scope.length, 255)
      assert.strictEqual(form.json.scope, "webhooks.write balance.read")
    })
  )

  it.effect("return a token with every requested scope, although the text of the scope is cut to whole words", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      const headers = basic(company.clientId, Redacted.value(company.clientSecret))
      const sql = yield* SqlClient.SqlClient
      const granted = Effect.fnUntraced(function* (scope?: string) {
        const body = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }
        const response = yield* call("POST", "/v2/token", { headers, body })
        const [row] = yield* sql<{ scopes: string }>`
          SELECT scopes FROM access_tokens WHERE company_id = ${company.companyId}`
        yield* sql`DELETE FROM access_tokens WHERE company_id = ${company.companyId}`
        return { text: response.json.scope as string, carried: JSON.parse(row!.scopes) as ReadonlyArray<string> }
      })
      const all = yield* granted(Scope.literals.join(" "))
      assert.sameMembers([...all.carried], [...Scope.literals])
      assert.isAtMost(all.text.length, 255)
      assert.deepStrictEqual(all.text.split(" "), all.carried.slice(0, all.text.split(" ").length))
      const unasked = yield* granted()
      assert.sameMembers(
        [...unasked.carried],
        Scope.literals.filter((scope) => scope !== "balance.write" && scope !== "pos.write")
      )
      for (const scope of Scope.literals)
        assert.deepStrictEqual(yield* granted(scope), { text: scope, carried: [scope] })
    })
  )

  it.effect("return a 401 that names HTTP Basic when they are wrong, missing or malformed", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      const secret = Redacted.value(company.clientSecret)
      const base64 = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString("base64")}`
      const wrong = [
        undefined,
        "",
        "Basic",
        "Basic ",
        "Basic %%%",
        "Basic ====",
        base64(""),
        base64(":"),
        base64(company.clientId),
        base64(`${company.clientId}:`),
        base64(`${company.clientId}:wrong`),
        base64(`nobody:${secret}`),
        base64(`${company.clientId}:${secret}:more`),
        base64(`${company.clientId}\u0000:${secret}`),
        base64(new Uint8Array([0xff, 0xfe, 0x3a, 0xff])),
        base64("x".repeat(8000)),
        `Bearer ${secret}`,
        `Digest username="${company.clientId}"`,
        secret
      ]
      for (const authorization of wrong) {
        const headers = authorization === undefined ? {} : { authorization }
        const answer = yield* call("POST", "/v2/token", { headers, body: grant })
        assert.strictEqual(answer.status, 401, authorization)
        assert.strictEqual(answer.headers.get("www-authenticate"), `Basic realm="parcela", charset="UTF-8"`)
        assert.notInclude(answer.text, secret)
      }
    })
  )

  it.effect("are checked before the body", () =>
    Effect.gen(function* () {
      const answer = yield* call("POST", "/v2/token", { body: "not JSON" })
      assert.strictEqual(answer.status, 401)
    })
  )

  it.effect("may contain colons in the secret, and any text in UTF-8", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf({ clientId: "padaria são joão 🥖", clientSecret: "a:b:ç" })
      assert.isString(yield* tokenOf(company))
    })
  )
})

layer(server())("a token", (it) => {
  it.effect("returns a 401 that names Bearer at every operation when it is missing, malformed or unknown", () =>
    Effect.gen(function* () {
      const { company, token } = yield* signIn()
      const wrong = [
        undefined,
        "Bearer",
        "Bearer ",
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`,
        `Bearer ${token} ${token}`,
        `Bearer ${"x".repeat(5000)}`,
        `Token ${token}`,
        token,
        basic(company.clientId, Redacted.value(company.clientSecret)).authorization
      ]
      for (const { method, path, ...sent } of withToken.map((operation) => requestOf(operation))) {
        for (const authorization of wrong) {
          const headers = authorization === undefined ? {} : { authorization }
          const answer = yield* call(method, path, { headers, ...sent })
          assert.strictEqual(answer.status, 401, `${method} ${path}`)
          assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
        }
      }
    })
  )

  it.effect("is not issued for a request without a body, and the error names the required fields", () =>
    Effect.gen(function* () {
      const { company } = yield* signIn()
      const headers = basic(company.clientId, Redacted.value(company.clientSecret))
      const { json, status } = yield* call("POST", "/v2/token", { headers })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(json.error.details, { "Token.grant_type": ["is required: client_credentials"] })
    })
  )

  it.effect("is not issued for unavailable scopes, and the refusal names the company's scopes", () =>
    Effect.gen(function* () {
      const { company } = yield* signIn({ scopes: ["plans.read", "webhooks.write"] })
      const headers = basic(company.clientId, Redacted.value(company.clientSecret))
      const body = { grant_type: "client_credentials", scope: "foo.bar" }
      const { json, status } = yield* call("POST", "/v2/token", { headers, body })
      assert.strictEqual(status, 403)
      assert.match(json.error.message, /: it has (?:webhooks\.write plans|plans\.read webhooks)\.(?:read|write)$/)
    })
  )

  it.effect("gets a different message when it is not sent as Bearer than when it is unknown", () =>
    Effect.gen(function* () {
      const { company, token } = yield* signIn()
      const send = "Send Authorization: Bearer ACCESS_TOKEN, with the access_token that POST /token returns"
      const renew = "The access token is unknown or expired: get a new one with POST /token (it lasts 10 minutes)"
      const credentials = basic(company.clientId, Redacted.value(company.clientSecret)).authorization
      for (const [authorization, message] of [
        [undefined, send],
        ["Bearer", send],
        [token, send],
        [credentials, send],
        [`Bearer ${token}x`, renew],
        [`bearer ${token}x`, renew],
        [`Bearer ${"x".repeat(5000)}`, renew]
      ] as const) {
        const headers = authorization === undefined ? {} : { authorization }
        const { json } = yield* call("GET", "/v2/transactions?startAt=0&limit=1", { headers })
        assert.strictEqual(json.error.message, message)
      }
    })
  )

  it.effect("is not read from the query, a cookie or the body", () =>
    Effect.gen(function* () {
      const { token } = yield* signIn()
      const path = `/v2/transactions?startAt=0&limit=1&access_token=${token}`
      const answer = yield* call("GET", path, { headers: { cookie: `access_token=${token}` } })
      assert.strictEqual(answer.status, 401)
    })
  )

  it.effect("returns a 403 without the operation's scope, and succeeds with this scope alone", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      for (const operation of withToken) {
        const { method, path, ...sent } = requestOf(operation)
        const { scope = "" } = operation
        const others = Scope.literals.filter((other) => other !== scope)
        const without = yield* tokenOf(company, others.join(" "))
        const denied = yield* call(method, path, { headers: { authorization: `Bearer ${without}` }, ...sent })
        assert.strictEqual(denied.status, 403, `${method} ${path}`)
        assert.include(denied.json.error.message, scope)
        const only = yield* tokenOf(company, scope)
        const allowed = yield* call(method, path, { headers: { authorization: `Bearer ${only}` }, ...sent })
        // What the example is about need not be there.
        assert.include([200, 400, 404], allowed.status, `${method} ${path}`)
      }
    })
  )

  it.effect("is refused with a 403 when no requested scope is granted", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf({ scopes: ["balance.read"] })
      const headers = basic(company.clientId, Redacted.value(company.clientSecret))
      for (const scope of ["webhooks.write", "nonsense", "webhooks.write customers.read"]) {
        const answer = yield* call("POST", "/v2/token", { headers, body: { ...grant, scope } })
        assert.strictEqual(answer.status, 403)
        assert.isNull(answer.headers.get("www-authenticate"))
      }
    })
  )

  it.effect("gives no access to another company", () =>
    Effect.gen(function* () {
      const mine = yield* signIn()
      const theirs = yield* signIn()
      yield* theirs.call("POST", "/v2/subscriptions/manual", { body: byPix() })
      const listed = yield* mine.call("GET", "/v2/subscriptions?startAt=0&limit=10")
      assert.deepStrictEqual(listed.json.Subscriptions, [])
    })
  )

  it.effect("returns a 403 from an address that the company does not allow, and so do the credentials", () =>
    Effect.gen(function* () {
      const here = yield* signIn({ allowedAddresses: ["127.0.0.1"] })
      assert.strictEqual((yield* here.call("GET", "/v2/transactions?startAt=0&limit=1")).status, 200)
      const elsewhere = yield* SandboxServer.companyOf({ allowedAddresses: ["203.0.113.7"] })
      const headers = basic(elsewhere.clientId, Redacted.value(elsewhere.clientSecret))
      for (const forged of [{}, { "x-forwarded-for": "203.0.113.7", "x-real-ip": "203.0.113.7" }]) {
        const answer = yield* call("POST", "/v2/token", { headers: { ...headers, ...forged }, body: grant })
        assert.strictEqual(answer.status, 403)
      }
    })
  )
})

describe("guessing a secret", () => {
  it.effect("returns a 429 with Retry-After after ten wrong secrets, limits no other client, and ends by itself", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      const other = yield* SandboxServer.companyOf()
      const ask = (secret: string) =>
        call("POST", "/v2/token", { headers: basic(company.clientId, secret), body: grant })
      for (let attempts = 0; attempts < 10; attempts++)
        assert.strictEqual((yield* ask(`wrong ${attempts}`)).status, 401)
      for (const secret of ["wrong", Redacted.value(company.clientSecret)]) {
        const refused = yield* ask(secret)
        assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [429, "60"])
      }
      assert.isString(yield* tokenOf(other))
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* ask(Redacted.value(company.clientSecret))).status, 200)
    }).pipe(onServer())
  )
})

describe("the lifetime of a token", () => {
  it.effect("ends after 600 seconds with a 401, and a new token is valid at the same time as an old one", () =>
    Effect.gen(function* () {
      const { call, company } = yield* signIn()
      const list = "/v2/transactions?startAt=0&limit=1"
      yield* TestClock.adjust("599 seconds")
      assert.strictEqual((yield* call("GET", list)).status, 200)
      const fresh = { authorization: `Bearer ${yield* tokenOf(company)}` }
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* call("GET", list)).status, 401)
      assert.strictEqual((yield* call("GET", list, { headers: fresh })).status, 200)
    }).pipe(onServer())
  )
})
