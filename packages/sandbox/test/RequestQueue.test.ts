import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Socket } from "node:net"
import { join } from "node:path"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { arriving, clientsOf, holding, serving } from "./fixtures/RawClients.ts"

describe("the queue of requests", () => {
  it.live("limits the running and the queued requests, and refuses others with 503 and Retry-After", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const arrivals = arriving()
      const server = yield* serving(handler, {
        queue: { pending: 2, waiting: 3 },
        onRequest: arrivals.onRequest
      })
      const clients = yield* clientsOf(server, 8)
      for (const [index, client] of clients.entries()) {
        client.get(`/${index}`)
        yield* Effect.promise(() => arrivals.of(`/${index}`))
        if (index < 2) yield* Effect.promise(() => until(index + 1))
      }
      const refused = clients.slice(5)
      yield* Effect.promise(() => Promise.all(refused.map((client) => client.closed())))
      for (const { received } of refused) {
        assert.match(received, /^HTTP\/1\.1 503 /)
        assert.match(received, /^retry-after: 1\r$/im)
        assert.match(received, /^connection: close\r$/im)
        assert.match(received, /\{"error":\{"message":"[^"]+nothing was changed[^"]+"\}\}$/)
      }
      assert.lengthOf(held, 2)
      for (let sent = 0; sent < 5; sent++) {
        yield* Effect.promise(() => until(sent + 1))
        held[sent]!.send()
      }
      yield* Effect.promise(() => Promise.all(clients.slice(0, 5).map((client) => client.answered())))
      // First in, first out.
      assert.deepStrictEqual(
        held.map(({ path }) => path),
        ["/0", "/1", "/2", "/3", "/4"]
      )
    })
  )

  it.live("does not run a queued request whose connection was reset", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const over: Array<string> = []
      const arrivals = arriving()
      const server = yield* serving(handler, {
        queue: { pending: 1 },
        onRequest: arrivals.onRequest,
        onResponse: ({ request, status }) => over.push(`${request?.url} ${status}`)
      })
      const reset = new Promise((resolve) => server.on("connection", (socket) => socket.on("close", resolve)))
      const [first, gone, last] = yield* clientsOf(server, 3)
      first!.get("/first")
      yield* Effect.promise(() => until(1))
      gone!.get("/gone").get("/pipelined")
      yield* Effect.promise(() => arrivals.of("/pipelined"))
      gone!.socket.resetAndDestroy()
      yield* Effect.promise(() => reset)
      last!.get("/last")
      held[0]!.send()
      yield* Effect.promise(() => until(2))
      assert.deepStrictEqual(
        held.map(({ path }) => path),
        ["/first", "/last"]
      )
      held[1]!.send()
      yield* Effect.promise(() => last!.answered())
      assert.includeMembers(over, ["/gone undefined", "/pipelined undefined"])
    })
  )

  it.live("runs the queued request of a client that half-closed its connection, and responds before it closes it", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const over: Array<string> = []
      const server = yield* serving(handler, {
        queue: { pending: 1 },
        onResponse: ({ request, status }) => over.push(`${request?.url} ${status}`)
      })
      const [first] = yield* clientsOf(server, 1)
      first!.get("/first")
      yield* Effect.promise(() => until(1))
      const ended = new Promise<Socket>((resolve) =>
        server.on("connection", (socket) => socket.on("end", () => resolve(socket)))
      )
      const [half] = yield* clientsOf(server, 1)
      half!.get("/half").get("/pipelined").socket.end()
      const socket = yield* Effect.promise(() => ended)
      for (let sent = 0; sent < 3; sent++) {
        yield* Effect.promise(() => until(sent + 1))
        held[sent]!.send()
      }
      yield* Effect.promise(() => half!.closed())
      assert.deepStrictEqual(half!.statuses, [200, 200])
      assert.isTrue(socket.destroyed)
      assert.sameMembers(over, ["/first 200", "/half 200", "/pipelined 200"])
    })
  )

  it.live("refuses an incomplete body whose client stops sending, and closes the connection", () =>
    Effect.gen(function* () {
      const { held, handler } = holding()
      const server = yield* serving(handler)
      const clients = yield* clientsOf(server, 3)
      clients[0]!.post("/length", "Content-Length: 2").write("{").socket.end()
      clients[1]!.post("/chunked", "Transfer-Encoding: chunked").write("2\r\n{}\r\n").socket.end()
      clients[2]!.post("/expected", "Content-Length: 2", "Expect: 100-continue").socket.end()
      yield* Effect.promise(() => Promise.all(clients.map((client) => client.closed())))
      assert.deepStrictEqual(
        clients.map(({ statuses }) => statuses.at(-1)),
        [400, 400, 400]
      )
      assert.lengthOf(held, 0)
    })
  )

  it.live("runs one request of a connection at a time, in order, and serves other connections in between", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const server = yield* serving(handler)
      const [piped, other] = yield* clientsOf(server, 2)
      piped!.socket.write(
        Array.from({ length: 300 }, (_, index) => `GET /piped-${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join("")
      )
      yield* Effect.promise(() => until(1))
      other!.get("/other")
      yield* Effect.promise(() => until(2))
      assert.deepStrictEqual(
        held.map(({ path }) => path),
        ["/piped-0", "/other"]
      )
      held[1]!.send()
      yield* Effect.promise(() => other!.answered())
      held[0]!.send()
      for (let next = 3; next <= 301; next++) {
        yield* Effect.promise(() => until(next))
        held[next - 1]!.send()
      }
      yield* Effect.promise(() => piped!.answered(300))
      assert.deepStrictEqual(
        held.flatMap(({ path }) => (path === "/other" ? [] : [path])),
        Array.from({ length: 300 }, (_, index) => `/piped-${index}`)
      )
    })
  )

  it.live("sends open responses before it refuses bytes that are not a request", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const server = yield* serving(handler)
      const [client] = yield* clientsOf(server, 1)
      client!.socket.write("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n")
      yield* Effect.promise(() => until(1))
      assert.strictEqual(client!.received, "")
      held[0]!.send()
      yield* Effect.promise(() => until(2))
      held[1]!.send()
      yield* Effect.promise(() => client!.closed())
      assert.deepStrictEqual(client!.statuses, [200, 200, 400])
    })
  )

  it.live("marks the last responses of a stopping server with Connection: close", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const server = yield* serving(handler, { queue: { pending: 1 } })
      const [busy, waiting] = yield* clientsOf(server, 2)
      busy!.get("/busy").get("/behind")
      yield* Effect.promise(() => until(1))
      waiting!.get("/waiting")
      server.close()
      for (let sent = 0; sent < 3; sent++) {
        yield* Effect.promise(() => until(sent + 1))
        held[sent]!.send()
      }
      yield* Effect.promise(() => Promise.all([busy!.closed(), waiting!.closed()]))
      assert.deepStrictEqual([busy!.statuses, waiting!.statuses], [[200, 200], [200]])
      for (const { received } of [busy!, waiting!]) assert.match(received, /^connection: close\r$(?![^]*HTTP)/im)
    })
  )

  it.live("accepts new connections and health checks while 64 connections keep the server busy", () =>
    Effect.gen(function* () {
      let writes = 0
      const waited = new Map<string, number>()
      let time = 0
      const server = yield* serving(
        (request, response) => {
          if (request.url === "/write") writes++
          else waited.set(request.url!, writes)
          response.end("ok")
        },
        // The queue looks at it for each request that it hands on, and in each iteration of the event loop: as slow on any machine.
        { now: () => (time += 0.7), isUrgent: ({ url }) => url === "/health" }
      )
      const writers = yield* clientsOf(server, 64)
      for (const writer of writers) {
        writer.get("/write")
        writer.socket.on("data", () => writer.get("/write"))
      }
      // Until all of them are connected and at it.
      yield* Effect.promise(() => Promise.all(writers.map((writer) => writer.answered(2))))
      const before = writes
      const [health, ...others] = yield* clientsOf(server, 21)
      health!.get("/health")
      for (const [index, other] of others.entries()) other.get(`/new-${index}`)
      yield* Effect.promise(() => Promise.all([health!, ...others].map((client) => client.answered())))
      const after = (path: string) => waited.get(path)! - before
      // A server that serves all 64 before it accepts one more lets the last of 20 wait for all of them four times and oftener.
      assert.isBelow(after("/health"), 48)
      assert.isBelow(Math.max(...others.map((_, index) => after(`/new-${index}`))), 3 * 64)
    })
  )

  it.live(
    "responds to others while more connections than slots do not read their responses, and closes stalled ones",
    () =>
      Effect.gen(function* () {
        const large = Buffer.alloc(8_388_608, "a")
        let sent = 0
        let wake = () => {}
        const all = new Promise<void>((resolve) => (wake = resolve))
        const server = yield* serving(
          (request, response) => {
            if (request.url === "/large") {
              response.end(large)
              if (++sent === 20) wake()
            } else response.end("ok")
          },
          { queue: { pending: 20, stall: 300 } }
        )
        const closed = new Promise<void>((resolve) => {
          let left = 24
          server.on("connection", (socket) => socket.on("close", () => --left === 0 && resolve()))
        })
        const stalled = yield* clientsOf(server, 24)
        for (const client of stalled) {
          client.socket.pause()
          client.get("/large").get("/large")
        }
        yield* Effect.promise(() => all)
        const [other] = yield* clientsOf(server, 1)
        other!.get("/other")
        yield* Effect.promise(() => other!.answered())
        // One response of each connection: the second request waits until the first response is written.
        assert.isAtMost(sent, 24)
        yield* Effect.promise(() => closed)
        assert.isAtMost(sent, 24)
      })
  )

  it.live("responds to others while 260 connections do not read their responses, with 256 slots", () =>
    Effect.gen(function* () {
      const large = Buffer.alloc(1_048_576, "a")
      let ended = 0
      let wake = () => {}
      const all = new Promise<void>((resolve) => (wake = resolve))
      // At a path: the system takes some 200 KB for each of its connections, and up to 4 MB for one of TCP.
      const path = join(yield* temporaryFolder, "server")
      const server = yield* serving(
        (request, response) => {
          response.end(request.url === "/large" ? large : "ok")
          if (request.url === "/large" && ++ended === 260) wake()
        },
        {},
        path
      )
      const stalled = yield* clientsOf(server, 260)
      for (const client of stalled) {
        client.socket.pause()
        client.get("/large")
      }
      yield* Effect.promise(() => all)
      const others = yield* clientsOf(server, 10)
      for (const other of others) other.get("/other")
      yield* Effect.promise(() => Promise.all(others.map((other) => other.answered())))
      assert.isTrue(stalled.every(({ received, socket }) => received === "" && !socket.destroyed))
    })
  )

  it.live("leaves no timer of a slowly read response to the next request of its connection", () =>
    Effect.gen(function* () {
      const large = Buffer.alloc(8_388_608, "a")
      const timeouts: Array<number | undefined> = []
      const server = yield* serving((request, response) => {
        if (request.url === "/next") timeouts.push(request.socket.timeout)
        response.end(request.url === "/next" ? "ok" : large)
        if (request.url === "/large") setImmediate(() => timeouts.push(request.socket.timeout))
      })
      const connected = new Promise<Socket>((resolve) => server.once("connection", resolve))
      const [client] = yield* clientsOf(server, 1)
      client!.socket.pause()
      client!.get("/large").post("/next", "Content-Length: 4").write("bo")
      const socket = yield* Effect.promise(() => connected)
      while (timeouts.length === 0) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.deepStrictEqual([timeouts, socket.destroyed], [[20_000], false])
      client!.socket.resume()
      yield* Effect.promise(() => client!.until(() => client!.received.length > large.length))
      client!.write("dy")
      yield* Effect.promise(() => client!.answered(2))
      assert.strictEqual(timeouts[1], 0)
    })
  )
})
