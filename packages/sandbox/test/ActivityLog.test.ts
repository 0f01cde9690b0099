import { assert, describe, it } from "@effect/vitest"
import type { ActivityLogOptions } from "@parcela/service/ActivityLog"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { connect } from "node:net"
import { byCard, cards, cvv, payment } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"

/** A log and its lines. */
const logOf = (options: Partial<ActivityLogOptions> = {}) => {
  const lines: Array<string> = []
  const log: ActivityLogOptions = { format: "json", colour: false, write: (text) => lines.push(text), ...options }
  // A line is written when its response is over, which the client may know first.
  const until = (holds: (line: string) => boolean) =>
    Effect.promise(async () => {
      for (let tick = 0; tick < 10_000 && !lines.some(holds); tick++) await new Promise((go) => setImmediate(go))
      return lines.find(holds) ?? "no such line"
    })
  return { lines, log, until }
}

/** Sends bytes and returns all that comes back until the server closes the connection. */
const raw = Effect.fnUntraced(function* (bytes: string) {
  const { port } = new URL((yield* Sandbox).url)
  return yield* Effect.callback<string>((resume) => {
    let received = ""
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk) => (received += chunk.toString("latin1")))
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })
})

const idOf = (headers: Headers) => headers.get("x-request-id") ?? ""

describe("the log of requests", () => {
  for (const format of ["json", "text"] as const) {
    const behindProxy = logOf({ format })
    it.effect(`has the address of the client, also through a trusted proxy (${format})`, () =>
      Effect.gen(function* () {
        const from = Effect.fnUntraced(function* (forwardedFor?: string) {
          const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor }
          const answer = yield* call("GET", "/v2/transactions", { headers })
          return yield* behindProxy.until((line) => line.includes(idOf(answer.headers)))
        })
        const address = format === "json" ? '"address":"203.0.113.9"' : "  from 203.0.113.9  "
        assert.include(yield* from("198.51.100.7, 203.0.113.9"), address)
        const direct = yield* from()
        if (format === "json") assert.include(direct, '"address":"127.0.0.1"')
        else assert.notInclude(direct, "from ")
      }).pipe(onServer({ log: behindProxy.log, trustedProxies: ["127.0.0.1"] }))
    )
  }

  const asJson = logOf()
  it.effect(
    "has a line for each request with method, path, status, duration, company and id, and without values of the request",
    () =>
      Effect.gen(function* () {
        const bearer = yield* token
        yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.captured) })
        const added = yield* call("POST", "/v2/transactions/sub/myId/add", {
          token: bearer,
          body: { ...payment("p"), value: "hidden amount", surprise: "hidden value", "a\u0007b": 1 }
        })
        const written = JSON.parse(yield* asJson.until((line) => line.includes(idOf(added.headers))))
        assert.deepInclude(written, {
          event: "request",
          method: "POST",
          path: "/v2/transactions/sub/myId/add",
          status: 400,
          company: 1,
          requestId: idOf(added.headers)
        })
        assert.isNumber(written.ms)
        assert.match(written.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        assert.include(written.unknownKeys, "surprise")
        assert.deepStrictEqual(written.faultyFields, ["Transaction.value"])
        const missing = yield* call("PUT", "/v2/transactions/nobody/myId/retry", { token: bearer })
        const refused = JSON.parse(yield* asJson.until((line) => line.includes(idOf(missing.headers))))
        assert.deepStrictEqual([refused.status, refused.faultyFields], [404, ["Transaction.myId"]])
        const listed = yield* call("GET", "/v2/transactions?startAt=0&limit=1&myIds=in-the-query", { token: bearer })
        yield* call("GET", "/documents/1/a-document-key/pix")
        yield* call("POST", "/pix-callbacks/a-callback-secret/pix")
        const last = yield* call("GET", `/${"x".repeat(5_000)}`)
        yield* asJson.until((line) => line.includes(idOf(last.headers)))
        const all = asJson.lines.join("")
        assert.include(all, idOf(listed.headers))
        const secret = Redacted.value((yield* Sandbox).clientSecret)
        for (const hidden of [
          bearer,
          secret,
          cards.captured,
          "in-the-query",
          "hidden value",
          "hidden amount",
          "a-document-key",
          "a-callback-secret",
          "\u0007"
        ]) {
          assert.notInclude(all, hidden)
        }
        // By itself: a request's random identifier has these digits now and then.
        assert.notMatch(all, new RegExp(`(?<![\\w-])${cvv}(?![\\w-])`))
        assert.isTrue(asJson.lines.every((line) => line.length < 500 && line.endsWith("\n")))
      }).pipe(onServer({ log: asJson.log }))
  )

  const odd = logOf()
  it.effect("hides document keys, callback secrets and card numbers, however the address is written", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const grouped = cards.captured.replace(/(\d{4})(?=\d)/g, "$1 ")
      yield* call("POST", "//pix-callbacks/a-callback-secret/pix")
      yield* call("POST", "/pix-callbacks//a-callback-secret/pix")
      yield* call("GET", "//documents//1//a-document-key/pix")
      for (const path of [
        "/%64ocuments/1/a-document-key/pix",
        "/%2564ocuments/1/a-document-key",
        "/%%36%34ocuments/1/a-document-key",
        "/documents%2F1%2Fa-document-key"
      ])
        yield* call("GET", path)
      yield* call("POST", "/pix%2dcallbacks/a-callback-secret/pix")
      yield* raw("GET http://a/pix-callbacks/a-callback-secret/pix HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      yield* raw("GET http://a/documents/1/a-document-key/pix HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      yield* call("PUT", `/v2/transactions/${cards.captured}/myId/retry`, { token: bearer })
      yield* call("PUT", `/v2/transactions/${encodeURIComponent(grouped)}/myId/retry`, { token: bearer })
      const body = { [cards.captured]: 1, [`of ${grouped}`]: 2 }
      const last = yield* call("POST", "/v2/customers", { token: bearer, body })
      const written = JSON.parse(yield* odd.until((line) => line.includes(idOf(last.headers))))
      assert.deepStrictEqual(written.unknownKeys, ["…", '"of?…"'])
      const lines = odd.lines.join("")
      for (const hidden of ["a-callback-secret", "a-document-key", cards.captured, cards.captured.slice(-4)]) {
        assert.notInclude(lines, hidden)
      }
      // Other long numbers name entities, and are what a line is read for.
      const named = yield* call("PUT", "/v2/transactions/1234567890123456/myId/retry", { token: bearer })
      const line = yield* odd.until((text) => text.includes(idOf(named.headers)))
      assert.include(line, "/v2/transactions/1234567890123456/myId/retry")
    }).pipe(onServer({ log: odd.log }))
  )

  const below = logOf()
  it.effect("has a line for a request that the HTTP server refuses, with the id of the response", () =>
    Effect.gen(function* () {
      for (const [bytes, status] of [
        ["NONSENSE\r\n\r\n", 400],
        ["GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
        ["POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501],
        ["POST /a HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\n\r\n", 417],
        ["CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405]
      ] as const) {
        const response = yield* raw(bytes)
        assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `))
        const id = /^x-request-id: (\S+)\r$/im.exec(response)?.[1] ?? "none"
        const line = JSON.parse(yield* below.until((text) => text.includes(`"${id}"`)))
        assert.deepStrictEqual([line.status, line.requestId], [status, id])
      }
    }).pipe(onServer({ log: below.log }))
  )

  const broken = logOf()
  it.effect("has the request's id and company on each line that is logged during the request", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE transactions RENAME TO elsewhere`
      const headers = { "x-request-id": "try-7" }
      const failed = yield* call("GET", "/v2/transactions?startAt=0&limit=1", { token: bearer, headers })
      assert.isAtLeast(failed.status, 500)
      const event = JSON.parse(yield* broken.until((line) => line.includes('"level"') && line.includes("try-7")))
      assert.deepInclude(event, { requestId: "try-7", company: 1 })
    }).pipe(onServer({ log: broken.log }))
  )

  const inColumns = logOf({ format: "text" })
  it.effect("has columns in the text format", () =>
    Effect.gen(function* () {
      const health = yield* call("GET", "/health", { headers: { "x-request-id": "mine-1" } })
      const line = yield* inColumns.until((text) => text.includes(idOf(health.headers)))
      assert.match(line, /^\d\d:\d\d:\d\d\.\d{3} {2}GET {5}200 {4} *\d+\.\d ms {2} {11} {2}\/health {2}mine-1\n$/)
      assert.notInclude(line, "\u001b")
    }).pipe(onServer({ log: inColumns.log }))
  )

  const coloured = logOf({ format: "text", colour: true })
  it.effect("colours the status if colours are enabled", () =>
    Effect.gen(function* () {
      const found = yield* call("GET", "/health")
      const missing = yield* call("GET", "/nothing")
      assert.include(yield* coloured.until((text) => text.includes(idOf(found.headers))), "\u001b[32m200")
      assert.include(yield* coloured.until((text) => text.includes(idOf(missing.headers))), "\u001b[33m404")
    }).pipe(onServer({ log: coloured.log }))
  )
})

describe("the id of a request", () => {
  it.effect("is on every response, unique or the client's own if that is safe", () =>
    Effect.gen(function* () {
      const ids = new Set<string>()
      for (const path of ["/health", "/v2/transactions", "/nothing", "/docs", "/sandbox/companies/nobody"]) {
        const { headers } = yield* call("GET", path)
        assert.match(idOf(headers), /^[0-9a-f]{6}-[0-9a-z]+$/)
        ids.add(idOf(headers))
      }
      assert.strictEqual(ids.size, 5)
      const own = yield* call("GET", "/v2/transactions", { headers: { "x-request-id": "order-4711/try:2" } })
      assert.strictEqual(idOf(own.headers), "order-4711/try:2")
      for (const unsafe of ["a b", "x".repeat(129), `"quoted"`, "<script>"]) {
        const { headers } = yield* call("GET", "/health", { headers: { "x-request-id": unsafe } })
        assert.match(idOf(headers), /^[0-9a-f]{6}-/)
      }
    }).pipe(onServer())
  )
})
