import { assert, describe, it, layer } from "@effect/vitest"
import { familyOperations } from "@parcela/http/server/KnownPaths"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { interfaceOperations, pathOf } from "@parcela/test-world/InterfaceOperations"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ana, byCard, byPix, cards, payment } from "@parcela/test-world/Samples"
import {
  assertErrorNode,
  basic,
  call,
  onServer,
  raw,
  readRaw,
  server,
  signIn,
  tokenOf
} from "@parcela/test-world/Server"

const mebibyte = 1024 * 1024

/** Every address with the methods that it takes. */
const addresses: ReadonlyMap<string, ReadonlyArray<string>> = new Map<string, ReadonlyArray<string>>([
  ...interfaceOperations.map((operation): [string, ReadonlyArray<string>] => [
    `/v2${pathOf(operation)}`,
    interfaceOperations.flatMap(({ method, path }) => (path === operation.path ? [method] : []))
  ]),
  ["/health", ["GET"]],
  ["/openapi.json", ["GET"]],
  ["/docs", ["GET"]],
  ["/sandbox/companies/x", ["GET", "PATCH"]]
])

/** The operations of the service family, as paths of this service. */
const family = familyOperations.flatMap(([methods, path]) => {
  const at = `/v2${path.replace(":typeId", "myId").replaceAll(/:[A-Za-z]+/g, "p")}`
  return methods.split(" ").map((method) => ({ at, method }))
})

const isServed = (at: string, method: string): boolean => addresses.get(at)?.includes(method) ?? false

layer(server())("an address", (it) => {
  it.effect("returns a 404 with any method if it is unknown", () =>
    Effect.gen(function* () {
      const paths = ["/", "/v1/token", "/v2", "/v2/", "/v2/tokens", "/v2/transactions/p", "/.env", "/*"]
      for (const path of [...paths, "/v2/card-brands//x", "/v2/webhooks/x", "/sandbox", "/%2e%2e/etc/passwd"]) {
        for (const method of ["GET", "POST", "DELETE", "OPTIONS", "HEAD"]) {
          assert.strictEqual((yield* call(method, path)).status, 404, `${method} ${path}`)
        }
      }
    })
  )

  it.effect("returns a 501, and never a 404, for an operation that only the service family has", () =>
    Effect.gen(function* () {
      for (const { at, method } of family) {
        // What the contract has asks for a token.
        assert.strictEqual((yield* call(method, at)).status, isServed(at, method) ? 401 : 501, `${method} ${at}`)
      }
      assert.isTrue(family.some(({ at, method }) => !isServed(at, method)))
      assert.strictEqual((yield* call("PATCH", "/v2/customers")).status, 405)
      for (const [method, path] of [
        ["POST", "/v2/pos"],
        ["GET", "/v2/pos/7/myId"],
        ["GET", "/v2/releases"],
        ["GET", "/v2/company/fees"],
        ["POST", "/v2/boletos"]
      ] as const) {
        const { json, status } = yield* call(method, path)
        assert.deepStrictEqual([status, typeof json.error?.message], [501, "string"], `${method} ${path}`)
      }
    })
  )

  it.effect("returns a 405 with Allow for another method", () =>
    Effect.gen(function* () {
      const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
      for (const [path, allowed] of addresses) {
        const others = methods.filter(
          (method) => !allowed.includes(method) && !family.some((one) => one.at === path && one.method === method)
        )
        for (const suffix of ["", "?x=1", "/"]) {
          for (const method of others) {
            const answer = yield* call(method, path + suffix)
            assert.strictEqual(answer.status, 405, `${method} ${path}${suffix}`)
            assert.sameMembers(
              answer.headers.get("allow")?.split(", ") ?? [],
              [...allowed],
              `${method} ${path}${suffix}`
            )
          }
        }
      }
    })
  )

  it.effect("supports HEAD if it supports GET, with the same header and no body", () =>
    Effect.gen(function* () {
      const get = yield* call("GET", "/health")
      const head = yield* call("HEAD", "/health")
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.strictEqual(head.headers.get("content-length"), get.headers.get("content-length"))
      const { call: asCompany } = yield* signIn()
      assert.strictEqual((yield* asCompany("HEAD", "/v2/transactions?startAt=0&limit=1")).status, 200)
      assert.strictEqual((yield* call("HEAD", "/v2/transactions?startAt=0&limit=1")).status, 401)
      assert.strictEqual((yield* call("HEAD", "/v2/token")).status, 405)
    })
  )

  it.effect("in capitals or with escapes is an unknown path", () =>
    Effect.gen(function* () {
      const { company, token } = yield* signIn()
      const headers = basic(company.clientId, Redacted.value(company.clientSecret))
      const body = { grant_type: "client_credentials" }
      for (const path of ["/V2/token", "/v2/TOKEN", "/v2/Token", "/%762/token", "/v%32/token", "/%2Fv2/token"]) {
        assert.strictEqual((yield* call("POST", path, { headers, body })).status, 404, path)
      }
      const asBearer = { headers: { authorization: `Bearer ${token}` } }
      for (const path of ["/V2/transactions", "/%56%32/transactions", "/%762/transactions"]) {
        assert.strictEqual((yield* call("GET", `${path}?startAt=0&limit=1`, asBearer)).status, 404, path)
      }
    })
  )

  it.effect("is the same with doubled slashes, and its response forbids caches then too", () =>
    Effect.gen(function* () {
      const { company } = yield* signIn()
      const sent = {
        headers: basic(company.clientId, Redacted.value(company.clientSecret)),
        body: { grant_type: "client_credentials" }
      }
      for (const path of ["/v2/token", "//v2/token", "/v2//token", "///v2///token/", "/v2/token?a=//"]) {
        const response = yield* call("POST", path, sent)
        assert.include([200, 400], response.status, path)
        assert.strictEqual(response.headers.get("cache-control"), "no-store", path)
      }
      const unknown = yield* call("POST", "//v2/token", { ...sent, headers: basic("nobody", "x") })
      assert.match(unknown.headers.get("www-authenticate") ?? "", /^Basic/)
    })
  )

  it.effect("at the root redirects browsers to the documentation, and names it to programs", () =>
    Effect.gen(function* () {
      const browser = yield* call("GET", "/", { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } })
      assert.deepStrictEqual([browser.status, browser.headers.get("location")], [302, "/docs"])
      const program = yield* call("GET", "/")
      assert.strictEqual(program.status, 404)
      assert.match(program.json.error.message, /\/v2.*\/docs.*\/openapi\.json/)
      const icon = yield* call("GET", "/favicon.ico")
      assert.deepStrictEqual([icon.status, icon.text], [204, ""])
    })
  )

  it.effect("may end in a slash", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const path of ["/v2/subscriptions/?startAt=0&limit=1", "/v2/transactions/?startAt=0&limit=1"]) {
        assert.strictEqual((yield* call("GET", path)).status, 200)
      }
      assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual/", { body: byPix() })).status, 200)
    })
  )

  it.effect("identifies a transaction by any valid myId", () =>
    Effect.gen(function* () {
      const { call, token } = yield* signIn()
      yield* call("POST", "/v2/subscriptions/manual", { body: byCard(cards.denied) })
      const myIds = [
        "a/b",
        "a b+c",
        "50%",
        "%41",
        "ç é ã",
        "😀",
        "a?b#c&d=e",
        "..",
        "__proto__",
        `"quoted"`,
        "x'; DROP TABLE transactions; --",
        "\r\nset-cookie: a=b",
        "a".repeat(255),
        "😀".repeat(255)
      ]
      for (const myId of myIds) {
        const added = yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment(myId) })
        assert.strictEqual(added.json.Transaction.myId, myId)
        const segment = encodeURIComponent(myId)
        const bytes = `PUT /v2/transactions/${segment}/myId/retry HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n`
        const answer = readRaw(yield* raw(`${bytes}Authorization: Bearer ${token}\r\n\r\n`))
        assert.strictEqual(answer.status, 200, myId.slice(0, 40))
        const { Transaction } = JSON.parse(Buffer.from(answer.body, "latin1").toString()) as {
          Transaction: { myId: string }
        }
        assert.strictEqual(Transaction.myId, myId)
      }
    })
  )

  it.effect("returns a 400 for an invalid or too long segment, and a 404 for an unknown one", () =>
    Effect.gen(function* () {
      const { token } = yield* signIn()
      const bad = ["%", "%4", "%zz", "%FF", "%C3%28", "%ED%A0%80", "a".repeat(3_061), "%00", "a%00b", "a".repeat(256)]
      for (const segment of bad) {
        const bytes = `PUT /v2/transactions/${segment}/myId/retry HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n`
        const answer = readRaw(yield* raw(`${bytes}Authorization: Bearer ${token}\r\n\r\n`))
        assert.strictEqual(answer.status, 400, segment.slice(0, 20))
        assertErrorNode(answer.body, "application/json")
      }
      for (const kind of ["svcPayId", "myId"]) {
        const { call } = yield* signIn()
        assert.strictEqual((yield* call("PUT", `/v2/transactions/7/${kind}/retry`)).status, 404)
      }
    })
  )

  it.effect("returns a 400 with the field if its identifier is of the wrong kind", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const id of ["abc", "0", "-1", "1e3", "1.5", "999999999999", "%20 7", "٣"]) {
        const answer = yield* call("PUT", `/v2/transactions/${encodeURIComponent(id)}/svcPayId/retry`)
        assert.strictEqual(answer.status, 400, id)
        assert.hasAllKeys(answer.json.error.details, ["Transaction.svcPayId"])
      }
      for (const typeId of ["nonsense", "MYID", "%20myId"]) {
        const answer = yield* call("PUT", `/v2/transactions/7/${typeId}/retry`)
        assert.strictEqual(answer.status, 400, typeId)
        assert.hasAllKeys(answer.json.error.details, ["Transaction.typeId"])
      }
    })
  )
})

layer(server())("a body", (it) => {
  it.effect(
    "is accepted up to 1 MiB, and returns a 413 above that, by its length or in chunks, with or without a key",
    () =>
      Effect.gen(function* () {
        const { call, token } = yield* signIn()
        const bodyOf = (length: number) => {
          const json = JSON.stringify(byPix("big"))
          return json.padEnd(length)
        }
        const url = yield* SandboxServer.url
        const chunked = (text: string) =>
          Effect.promise(() =>
            fetch(`${url}/v2/subscriptions/manual`, {
              method: "POST",
              headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
              body: new Blob([text]).stream(),
              duplex: "half"
            } as RequestInit)
          )
        const tooMuch = yield* chunked(bodyOf(mebibyte + 1))
        assert.strictEqual(tooMuch.status, 413)
        assertErrorNode(yield* Effect.promise(() => tooMuch.text()), tooMuch.headers.get("content-type"))
        for (const headers of [{}, { "idempotency-key": "k" }]) {
          const answer = yield* call("POST", "/v2/subscriptions/manual", { headers, body: bodyOf(mebibyte + 1) })
          assert.strictEqual(answer.status, 413)
        }
        assert.strictEqual((yield* chunked(bodyOf(mebibyte))).status, 200)
      })
  )

  it.effect("is refused with one message, before validation, if it has more members than any operation accepts", () =>
    Effect.gen(function* () {
      const { call: asCompany, company } = yield* signIn()
      const items = Array.from({ length: 200_000 }, () => "a")
      const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key${index}`, 1]))
      const bodies = [
        [{ ...byPix(), Customer: { ...ana, emails: items } }, "Customer.emails"],
        [{ ...byPix(), Customer: { ...ana, phones: items } }, "Customer.phones"],
        [{ ...byPix(), ...keys }, "Subscription.body"],
        [items, "Subscription.body"]
      ] as const
      const nested = yield* asCompany("POST", "/v2/subscriptions/manual", {
        headers: { "content-type": "application/json" },
        body: `${"[".repeat(500_000)}${"]".repeat(500_000)}`
      })
      assert.deepStrictEqual(nested.json.error.details, {
        "Subscription.body": ["is nested deeper than 64 levels, the maximum"]
      })
      for (const [body, key] of bodies) {
        const refused = yield* asCompany("POST", "/v2/subscriptions/manual", { body })
        assert.strictEqual(refused.status, 400)
        assert.deepStrictEqual(Object.keys(refused.json.error.details), [key])
        assert.match(refused.json.error.details[key][0], /^has more than 1000 (items|fields)$/)
      }
      const form = yield* call("POST", "/v2/token", {
        headers: {
          ...basic(company.clientId, Redacted.value(company.clientSecret)),
          "content-type": "application/x-www-form-urlencoded"
        },
        body: "a=b&".repeat(100_000)
      })
      assert.deepStrictEqual(Object.keys(form.json.error.details), ["Token.body"])
      assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual", { body: items })).status, 401)
    })
  )

  it.effect("has bounded texts and lists", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const long = (length: number) => "é😀".repeat(length / 2)
      const customer = (emails: number, phones: number) => ({
        ...ana,
        emails: Array.from({ length: emails }, (_, index) => `a${index}@example.com`),
        phones: Array.from({ length: phones }, () => 11_987_654_321)
      })
      const fits = { ...byPix(), additionalInfo: long(16_384), Customer: customer(100, 100) }
      assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual", { body: fits })).status, 200)
      const added = { ...payment("p"), additionalInfo: long(16_384) }
      assert.strictEqual((yield* call("POST", "/v2/transactions/sub/myId/add", { body: added })).status, 200)
      const over = { ...byPix("over"), additionalInfo: `${long(16_384)}x`, Customer: customer(101, 101) }
      const refused = yield* call("POST", "/v2/subscriptions/manual", { body: over })
      assert.deepStrictEqual(refused.json.error.details, {
        "Subscription.additionalInfo": ["must have at most 16384 characters"],
        "Customer.emails": ["must have at most 100 e-mail addresses"],
        "Customer.phones": ["must have at most 100 numbers"]
      })
      const events = Array.from({ length: 101 }, () => "transaction.updateStatus")
      const webhooks = yield* call("PUT", "/v2/webhooks", { body: { url: "https://a.example/", events } })
      assert.deepStrictEqual(webhooks.json.error.details, { "Webhook.events": ["must have at most 100 events"] })
    })
  )

  it.effect("that declares an excessive length is refused before it arrives", () =>
    Effect.gen(function* () {
      const head = `POST /v2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`
      const answer = readRaw(yield* raw(head))
      assert.strictEqual(answer.status, 413)
      assertErrorNode(answer.body, "application/json")
    })
  )

  it.effect(
    "returns a 415 for another content type, and the type of JSON may have parameters or capitals, or be absent",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        for (const type of [
          "text/plain",
          "application/xml",
          "application/x-www-form-urlencoded",
          "application/json-seq",
          "*/*"
        ]) {
          const answer = yield* call("POST", "/v2/subscriptions/manual", {
            headers: { "content-type": type },
            body: "myId=a&Customer=b"
          })
          assert.strictEqual(answer.status, 415, type)
        }
        const multipart = yield* call("POST", "/v2/subscriptions/manual", {
          headers: { "content-type": "multipart/form-data; boundary=x" },
          body: byPix()
        })
        assert.strictEqual(multipart.status, 415)
        for (const [index, type] of ["application/json; charset=utf-8", "Application/JSON"].entries()) {
          const answer = yield* call("POST", "/v2/subscriptions/manual", {
            headers: { "content-type": type },
            body: byPix(`sub ${index}`)
          })
          assert.strictEqual(answer.status, 200, type)
        }
        const { token } = yield* signIn()
        const body = JSON.stringify(byPix())
        const head = `POST /v2/subscriptions/manual HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
        const untyped = readRaw(yield* raw(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`))
        assert.strictEqual(untyped.status, 200)
      })
  )

  it.effect("is read as JSON with any content type if it is JSON", () =>
    Effect.gen(function* () {
      const { call: asCompany, company } = yield* signIn()
      const types = ["application/x-www-form-urlencoded", "text/plain;charset=UTF-8", "application/xml", "nonsense"]
      for (const [index, type] of types.entries()) {
        const headers = { "content-type": type }
        const token = yield* call("POST", "/v2/token", {
          headers: { ...headers, ...basic(company.clientId, Redacted.value(company.clientSecret)) },
          body: ` \n${JSON.stringify({ grant_type: "authorization_code", scope: "transactions.read" })}`
        })
        assert.deepStrictEqual([token.status, token.json.scope], [200, "transactions.read"], type)
        const sent = { headers: { ...headers, "idempotency-key": type }, body: byPix(`labelled ${index}`) }
        const created = yield* asCompany("POST", "/v2/subscriptions/manual", sent)
        assert.strictEqual(created.status, 200, type)
        assert.strictEqual((yield* asCompany("POST", "/v2/subscriptions/manual", sent)).text, created.text)
        const wrong = yield* asCompany("PUT", "/v2/webhooks", { headers, body: { url: 1, events: [] } })
        assert.hasAllKeys(wrong.json.error.details, ["Webhook.url"])
        const broken = yield* asCompany("PUT", "/v2/webhooks", { headers, body: "{" })
        assert.strictEqual(broken.status, 400)
      }
    })
  )

  it.effect("is refused if it is compressed or incomplete", () =>
    Effect.gen(function* () {
      const { token } = yield* signIn()
      const head = `PUT /v2/webhooks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n`
      const gzip = readRaw(yield* raw(`${head}Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u001f\u008bx`))
      assert.strictEqual(gzip.status, 400)
      const chunk = readRaw(yield* raw(`${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`))
      assert.strictEqual(chunk.status, 400)
      assertErrorNode(chunk.body, "application/json")
    })
  )
})

layer(server({ strictRequests: true }))("a body for a strict server", (it) => {
  it.effect("with hundreds of unknown keys is refused with a list of a hundred of them", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const keys = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`key${index}`, 1]))
      const refused = yield* call("POST", "/v2/subscriptions/manual", { body: { ...byPix(), ...keys } })
      assert.lengthOf(Object.keys(refused.json.error.details), 100)
      assert.match(refused.json.error.message, /900 errors; those of 100 fields/)
    })
  )
})

layer(server())("a request", (it) => {
  it.effect("cannot inject header lines into a response", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const injected = encodeURIComponent("\r\nset-cookie: a=b\r\n\r\n<html>")
      for (const [method, path] of [
        ["PUT", `/v2/transactions/${injected}/myId/retry`],
        ["GET", `/v2/transactions?startAt=0&limit=1&myIds=${injected}`],
        ["GET", `/${injected}`]
      ] as const) {
        const answer = yield* call(method, path)
        assert.isNull(answer.headers.get("set-cookie"))
        assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      }
      const type = yield* call("POST", "/v2/token", { headers: { "content-type": `text/"><script>` }, body: "x" })
      assert.isTrue(type.status >= 400)
    })
  )

  it.effect("returns a 400 without Host in HTTP/1.1, but not in HTTP/1.0", () =>
    Effect.gen(function* () {
      const answer = readRaw(yield* raw("GET /health HTTP/1.1\r\n\r\n"))
      assert.strictEqual(answer.status, 400)
      assertErrorNode(answer.body, "application/json")
      assert.strictEqual(readRaw(yield* raw("GET /health HTTP/1.0\r\n\r\n")).status, 200)
    })
  )

  it.effect("to upgrade the connection is handled as an ordinary request", () =>
    Effect.gen(function* () {
      for (const upgrade of ["h2c", "websocket"]) {
        const head = `Host: x\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`
        assert.strictEqual(readRaw(yield* raw(`GET /health HTTP/1.1\r\n${head}`)).status, 200)
        const missing = readRaw(yield* raw(`GET /nope HTTP/1.1\r\n${head}`))
        assert.strictEqual(missing.status, 404)
        assertErrorNode(missing.body, "application/json")
        const chunked = readRaw(yield* raw(`POST /v2/token HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${head}0\r\n\r\n`))
        assert.strictEqual(chunked.status, 401)
        assertErrorNode(chunked.body, "application/json")
        const { token } = yield* signIn()
        const body = JSON.stringify(byPix(upgrade))
        const create = `POST /v2/subscriptions/manual HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n`
        const sized = `${create}Content-Length: ${body.length}\r\n${head}${body}`
        assert.strictEqual(readRaw(yield* raw(sized)).status, 200)
      }
    })
  )

  it.effect("that is aborted half-way has no effect on the server", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const url = new URL(yield* SandboxServer.url)
      const { connect } = yield* Effect.promise(() => import("node:net"))
      yield* Effect.forEach(
        Array.from({ length: 50 }),
        () =>
          Effect.callback<void>((resume) => {
            const socket = connect(Number(url.port), url.hostname, () => {
              socket.write("POST /v2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", () => socket.destroy())
            })
            socket.on("close", () => resume(Effect.void))
          }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual((yield* call("GET", "/v2/transactions?startAt=0&limit=1")).status, 200)
    })
  )
})

describe("a store that is full", () => {
  it.effect("returns a 503 with Retry-After for writes, still serves reads, and recovers by itself", () =>
    Effect.gen(function* () {
      const { call: asCompany, company } = yield* signIn()
      assert.strictEqual((yield* asCompany("POST", "/v2/subscriptions/manual", { body: byPix() })).status, 200)
      const sql = yield* SqlClient.SqlClient
      const [{ max_page_count: before } = { max_page_count: 0 }] = yield* sql<{
        max_page_count: number
      }>`PRAGMA max_page_count`
      yield* sql`PRAGMA max_page_count = 1`
      const add = (myId: string, headers = {}) =>
        asCompany("POST", "/v2/transactions/sub/myId/add", { headers, body: payment(myId) })
      let full = 0
      let stored = 0
      // What the last pages still hold is taken, then nothing is.
      for (let count = 0; count < 400 && full < 3; count++) {
        const response = yield* add(`p${count}`)
        if (response.status === 200) {
          stored++
          continue
        }
        full++
        assert.strictEqual(response.status, 503)
        assert.match(response.headers.get("retry-after") ?? "", /^\d+$/)
        assert.match(response.json.error.message, /nothing was changed/)
      }
      assert.strictEqual(full, 3)
      const other = [
        yield* add("keyed", { "idempotency-key": "k" }),
        yield* asCompany("PUT", "/v2/webhooks", {
          body: { url: `https://receiver.example/${"x".repeat(2_000)}`, events: [] }
        })
      ]
      for (const { status } of other) assert.include([503, 200], status)
      assert.strictEqual(other[0]!.status, 503)
      const listed = yield* asCompany("GET", "/v2/transactions?startAt=0&limit=100")
      assert.deepStrictEqual([listed.status, listed.json.totalQtdFoundInPage], [200, Math.min(stored, 100)])
      yield* sql`PRAGMA max_page_count = ${sql.literal(String(before))}`
      assert.strictEqual((yield* add("keyed", { "idempotency-key": "k" })).status, 200)
      assert.strictEqual((yield* tokenOf(company)).length, 52)
    }).pipe(onServer())
  )
})

describe("a defect of the service", () => {
  it.effect("is a 500 without details, and the next request succeeds", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'secret detail'); END`
      for (const [method, path, body] of [
        ["POST", "/v2/subscriptions/manual", byPix()],
        ["PUT", "/v2/webhooks", { url: "https://receiver.example/", events: [] }]
      ] as const) {
        const answer = yield* call(method, path, { body })
        assert.strictEqual(answer.status, 500)
        assert.notInclude(answer.text, "secret detail")
      }
      yield* sql`DROP TRIGGER full`
      assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual", { body: byPix() })).status, 200)
    }).pipe(onServer())
  )

  it.effect("is a 500 also during authentication", () =>
    Effect.gen(function* () {
      const { call: asCompany, company } = yield* signIn()
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE credentials RENAME TO elsewhere`
      yield* sql`ALTER TABLE access_tokens RENAME TO elsewhere_too`
      const token = yield* call("POST", "/v2/token", {
        headers: basic(company.clientId, "x"),
        body: { grant_type: "client_credentials" }
      })
      assert.strictEqual(token.status, 500)
      assert.strictEqual((yield* asCompany("GET", "/v2/transactions?startAt=0&limit=1")).status, 500)
    }).pipe(onServer())
  )
})
