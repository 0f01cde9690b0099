import { assert, describe, it } from "@effect/vitest"
import { makeNodeServer, type NodeServerOptions } from "@parcela/node-server/NodeServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Deferred, Effect, Exit, Fiber, Schema, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"

/** Starts a server on a free port. Without `ready` it has no listener for requests. */
const listening = (options?: Partial<NodeServerOptions>, { ready = true } = {}) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = makeNodeServer({ now: () => performance.now(), ...options })
      if (ready) server.on("request", (_request, response) => response.end("ok"))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )

/** Sends bytes on an open connection and returns the received text after the server closes the connection. */
const untilClosed = (server: Server, bytes: string) =>
  Effect.callback<string>((resume) => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(bytes))
    let received = ""
    socket.on("data", (chunk) => (received += chunk.toString("latin1")))
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

/** Returns an open connection after its first response, and the received text after its close. */
const keeping = Effect.fnUntraced(function* (server: Server, bytes: string) {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(bytes))
  socket.setEncoding("latin1")
  socket.on("error", () => {})
  let received = ""
  const ended = new Promise<string>((resolve) => socket.once("close", () => resolve(received)))
  yield* Effect.promise(
    () => new Promise<void>((resolve) => socket.on("data", (text) => resolve(void (received += text))))
  )
  return { socket, closed: Effect.promise(() => ended) }
})

const tick = Effect.promise(() => new Promise((resume) => setImmediate(resume)))

const connections = (server: Server) =>
  Effect.callback<number>((resume) => void server.getConnections((_error, count) => resume(Effect.succeed(count))))

const decode = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.NonEmptyString }) }))
)

/** Returns the status of a response with an error node. */
const errorStatus = Effect.fnUntraced(function* (answer: string) {
  assert.match(answer, /content-type: application\/json/i)
  yield* decode(answer.slice(answer.indexOf("\r\n\r\n") + 4))
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
})

describe("a response that is ended with a callback", () => {
  it.effect("calls the callback also without an encoding", () =>
    Effect.gen(function* () {
      const server = yield* listening({}, { ready: false })
      const called = yield* Deferred.make<void>()
      server.on("request", (_request, response) =>
        response.end(Buffer.from("ok"), undefined as never, () => Deferred.doneUnsafe(called, Effect.void))
      )
      assert.include(yield* untilClosed(server, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "ok")
      assert.isTrue(yield* Deferred.isDone(called))
    })
  )
})

describe("the HTTP server", () => {
  it.effect("responds with a 500 when the service throws, and continues with other requests", () =>
    Effect.gen(function* () {
      const broken = new Error("a fault")
      const faults: Array<unknown> = []
      const server = yield* listening({ onFault: (fault) => faults.push(fault) }, { ready: false })
      server.on("request", ({ url }, response) => {
        if (url === "/throws") throw broken
        response.end("ok")
      })
      const ask = (path: string) => untilClosed(server, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      const [thrown, other] = yield* Effect.all([ask("/throws"), ask("/")], { concurrency: "unbounded" })
      assert.strictEqual(yield* errorStatus(thrown), 500)
      assert.match(other, /^HTTP\/1\.1 200/)
      assert.match(yield* ask("/"), /^HTTP\/1\.1 200/)
      assert.deepStrictEqual(faults, [broken])
    })
  )

  it.effect.each([
    ["nonsense\r\n\r\n", 400, "This is not an HTTP request"],
    ["GET / HTTP/1.1\r\n\r\n", 400, "The request has no Host"],
    ["CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 405, "This server is not a proxy: it does not support CONNECT"],
    ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", 503, "The service is starting: try again in a second"]
  ] as const)(
    "refuses %j with %i, in the composition's error body, and reports the refusal",
    ([bytes, status, message]) =>
      Effect.gen(function* () {
        const refused: Array<unknown> = []
        const errorBody = (text: string) => JSON.stringify({ error: { message: `translated: ${text}` } })
        const server = yield* listening({ errorBody, onRefused: (one) => refused.push(one) }, { ready: false })
        const answer = yield* untilClosed(server, bytes)
        assert.strictEqual(yield* errorStatus(answer), status)
        assert.include(answer, `translated: ${message}`)
        assert.deepStrictEqual(refused, [{ status, message }])
      })
  )

  it.effect("handles a request to upgrade as an ordinary request, although Effect's server listens for upgrades", () =>
    Effect.gen(function* () {
      const server = yield* listening(undefined, { ready: false })
      server.on("upgrade", () => assert.fail("it was taken for an upgrade"))
      server.on("request", (request, response) => {
        if (request.method === "GET") return response.end("GET")
        let body = ""
        request.on("data", (piece: Buffer) => (body += piece.toString()))
        return request.on("end", () => response.end(`POST ${body}`))
      })
      const head = "Host: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n"
      assert.match(yield* untilClosed(server, `GET / HTTP/1.1\r\n${head}\r\n`), /^HTTP\/1\.1 200 [^]*GET$/)
      const posted = yield* untilClosed(server, `POST / HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`)
      assert.match(posted, /^HTTP\/1\.1 200 [^]*POST \{\}$/)
    })
  )

  it.effect("responds to 10,000 pipelined requests of one connection, in their order", () =>
    Effect.gen(function* () {
      const server = yield* listening(undefined, { ready: false })
      server.on("request", ({ url }, response) => setImmediate(() => response.end(`<${url}>`)))
      const paths = Array.from({ length: 10_000 }, (_, number) => `/${number}`)
      const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("")
      const last = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      const received = yield* untilClosed(server, requests + last)
      assert.deepStrictEqual(received.match(/(?<=<)[^>]*(?=>)/g), [...paths, "/last"])
    })
  )

  it.effect("hands a request with its whole body to `handle`, before the listener", () =>
    Effect.gen(function* () {
      const handle: NodeServerOptions["handle"] = ({ method, whole }, response) => {
        if (method !== "POST" || whole === undefined) return false
        response.end(`handled ${Buffer.from(whole).toString()}`)
        return true
      }
      const server = yield* listening({ handle, bodies: { each: 4 } })
      const post = (body: string) =>
        untilClosed(
          server,
          `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        )
      assert.match(yield* post("body"), /\r\n\r\nhandled body$/)
      assert.match(yield* post("large body"), /\r\n\r\nok$/)
    })
  )

  it.effect("refuses invalid bytes once, for any number of packets, and after the earlier responses", () =>
    Effect.gen(function* () {
      const refused: Array<number> = []
      let respond = () => {}
      const server = yield* listening({ onRefused: ({ status }) => refused.push(status) }, { ready: false })
      server.on("request", (_request, response) => (respond = () => response.end("ok")))
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () =>
        socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\nno request\r\n\r\n")
      )
      let received = ""
      socket.on("data", (part) => (received += part.toString("latin1")))
      const closed = new Promise((resolve) => socket.once("close", resolve))
      const errors: Array<Error> = []
      server.on("clientError", (error) => errors.push(error))
      while (errors.length === 0) yield* tick
      socket.write("more")
      while (errors.length === 1) yield* tick
      respond()
      yield* Effect.promise(() => closed)
      assert.match(received, /^HTTP\/1\.1 200 [^]*ok\r?\n?[^]*HTTP\/1\.1 400 [^]*\}$/)
      assert.deepStrictEqual(refused, [400])
    })
  )

  it.effect("continues after a client requests a tunnel and resets its connection", () =>
    Effect.gen(function* () {
      const server = yield* listening()
      const tunnels: Array<Socket> = []
      server.on("connect", (request) => tunnels.push(request.socket))
      const client = connect((server.address() as AddressInfo).port, "127.0.0.1", () =>
        client.write("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n")
      )
      client.on("error", () => {})
      while (tunnels.length === 0) yield* tick
      // An error event without a listener is thrown and ends the process.
      tunnels[0]?.emit("error", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }))
      assert.isTrue(tunnels[0]?.destroyed)
      client.destroy()
    })
  )

  it.effect("keeps idle connections open for longer than it announces, so that a late request is not lost", () =>
    Effect.gen(function* () {
      const server = yield* listening()
      const answer = yield* untilClosed(
        server,
        "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      )
      assert.match(answer, /^Keep-Alive: timeout=65\r$/m)
      assert.strictEqual(server.keepAliveTimeout, 65_000)
      assert.isAtLeast(server.keepAliveTimeoutBuffer, 10_000)
    })
  )

  const cases = [
    { name: "no HTTP at all", bytes: "HELLO\r\n\r\n", status: 400 },
    { name: "TLS", bytes: "\u0016\u0003\u0001\u0002\u0000\u0001", status: 400 },
    { name: "a header with NUL", bytes: "GET / HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n", status: 400 },
    {
      name: "a length that is no number",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
      status: 400
    },
    {
      name: "two lengths",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      status: 400
    },
    {
      name: "a length and chunks",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      status: 400
    },
    {
      name: "a header that is too long",
      bytes: `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
      status: 431
    },
    {
      name: "too many headers",
      bytes: `GET / HTTP/1.1\r\nHost: x\r\n${"X: aaaaaaaa\r\n".repeat(3_000)}\r\n`,
      status: 431
    },
    {
      name: "an address that is too long",
      bytes: `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      status: 414
    },
    { name: "no Host", bytes: "GET / HTTP/1.1\r\n\r\n", status: 400 },
    { name: "two Hosts", bytes: "GET / HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n", status: 400 },
    {
      name: "two Authorizations",
      bytes: "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n",
      status: 400
    },
    {
      name: "an unknown transfer coding",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nabc",
      status: 501
    },
    {
      name: "a transfer coding beside chunked",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      status: 501
    },
    {
      name: "chunked twice",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      status: 400
    },
    {
      name: "an expectation that is unknown",
      bytes: "POST / HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nContent-Length: 0\r\n\r\n",
      status: 417
    }
  ]
  for (const { bytes, name, status } of cases) {
    it.effect(`answers ${name} with an error node, and closes the connection`, () =>
      Effect.gen(function* () {
        const server = yield* listening()
        assert.strictEqual(yield* errorStatus(yield* untilClosed(server, bytes)), status)
      })
    )
  }

  const quick = { arrival: { header: 100, request: 200 } }

  it.effect("responds to a slow header with a 408, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* listening(quick)
      assert.strictEqual(yield* errorStatus(yield* untilClosed(server, "GET / HTTP/1.1\r\nHost: x\r\n")), 408)
    })
  )

  it.effect("responds to a slow body with a 408, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* listening(quick)
      server.removeAllListeners("request")
      server.on("request", () => {})
      const slow = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab"
      assert.strictEqual(yield* errorStatus(yield* untilClosed(server, slow)), 408)
    })
  )

  it.effect("refuses a tunnel with an error node, and closes the connection", () =>
    Effect.gen(function* () {
      const server = yield* listening()
      const response = yield* untilClosed(server, "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n")
      assert.strictEqual(yield* errorStatus(response), 405)
      assert.match(response, /^allow: .*POST/im)
    })
  )

  it.effect("refuses a tunnel after the responses to the requests before it", () =>
    Effect.gen(function* () {
      const server = yield* listening(undefined, { ready: false })
      server.on("request", (request, response) => setImmediate(() => response.end(`to ${request.url}`)))
      const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
      const received = yield* untilClosed(server, `${get("/a")}${get("/b")}CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n`)
      assert.deepStrictEqual(received.match(/to \/\w|HTTP\/1\.1 405/g), ["to /a", "to /b", "HTTP/1.1 405"])
    })
  )

  it.effect("responds with a 503 before the service is ready", () =>
    Effect.gen(function* () {
      const server = yield* listening(undefined, { ready: false })
      const answer = yield* untilClosed(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      assert.strictEqual(yield* errorStatus(answer), 503)
      assert.match(answer, /retry-after: 1/i)
    })
  )

  it.effect("writes a response after the current callback, so that the responses of one tick are sent together", () =>
    Effect.gen(function* () {
      const server = yield* listening(undefined, { ready: false })
      const written: Array<number | undefined> = []
      server.on("request", (_request, response) => {
        response.end("ok")
        written.push(response.socket?.bytesWritten)
      })
      const answer = yield* untilClosed(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      assert.deepStrictEqual(written, [0])
      assert.match(answer, /^HTTP\/1.1 200 OK\r\n[^]*ok$/)
    })
  )
})

describe("a request without a body", () => {
  it.live("has an empty text as body when its header declares no body", () =>
    Effect.gen(function* () {
      const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
      const nodeServer = makeNodeServer({ now: () => performance.now() })
      const server = yield* NodeHttpServer.make(() => nodeServer, { host: "127.0.0.1", port: 0 }).pipe(
        Scope.provide(scope)
      )
      const echo = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
        Effect.map(text, (body) => HttpServerResponse.text(`${body.length} characters`))
      )
      yield* Scope.provide(server.serve(echo), scope)
      const received = yield* untilClosed(nodeServer, "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      assert.isTrue(received.endsWith("\r\n\r\n0 characters"))
    })
  )
})

describe("a response", () => {
  it.effect("has the bytes of its body as they are, whatever their number", () =>
    Effect.gen(function* () {
      for (const size of [1, 256, 4_096, 4_097]) {
        const body = Uint8Array.from({ length: size }, (_, index) => index)
        const server = yield* listening({}, { ready: false })
        server.on("request", (_request, response) => response.end(body))
        const received = yield* untilClosed(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        const arrived = received.slice(received.indexOf("\r\n\r\n") + 4)
        assert.strictEqual(arrived, Buffer.from(body).toString("latin1"))
        assert.match(received, new RegExp(`Content-Length: ${size}\\r`))
      }
    })
  )

  it.effect("has the id of its request in addition to the given headers", () =>
    Effect.gen(function* () {
      const server = yield* listening({ requestIdPrefix: "run-" }, { ready: false })
      server.on("request", ({ url }, response) => {
        if (url === "/given") response.writeHead(201, { allow: "GET" })
        if (url === "/named") response.writeHead(202, "Taken", { allow: "PUT" })
        response.end("ok")
      })
      const requests = ["/", "/given", "/named"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`)
      const received = yield* untilClosed(server, `${requests.join("\r\n")}Connection: close\r\n\r\n`)
      const isShown = (line: string) => /^(HTTP|allow|x-request-id)/u.test(line)
      assert.deepStrictEqual(received.split(/\r\n|ok(?=HTTP)/u).filter(isShown), [
        "HTTP/1.1 200 OK",
        "x-request-id: run-1",
        "HTTP/1.1 201 Created",
        "allow: GET",
        "x-request-id: run-2",
        "HTTP/1.1 202 Taken",
        "allow: PUT",
        "x-request-id: run-3"
      ])
    })
  )

  it.effect("counts as ended for its handler at once, and ends only once", () =>
    Effect.gen(function* () {
      const ended: Array<boolean> = []
      const server = yield* listening({}, { ready: false })
      server.on("request", (_request, response) => {
        ended.push(response.writableEnded)
        response.end("first")
        ended.push(response.writableEnded)
        response.end("second")
      })
      const received = yield* untilClosed(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      assert.isTrue(received.endsWith("\r\n\r\nfirst"))
      assert.deepStrictEqual(ended, [false, true])
    })
  )
})

describe("a response that cannot be written", () => {
  it.effect("closes its connection and is reported", () =>
    Effect.gen(function* () {
      const faults: Array<unknown> = []
      const server = yield* listening({ onFault: (fault) => faults.push(fault) }, { ready: false })
      // Violates the types: the body is missing.
      server.on("request", (_request, response) => response.end(7 as never))
      assert.strictEqual(yield* untilClosed(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), "")
      assert.deepStrictEqual(
        faults.map((fault) => fault instanceof TypeError),
        [true]
      )
    })
  )
})

describe("a request that still runs when the time to finish is over", () => {
  it.live("gets a 500 because it may have been executed; a 503 would report that nothing was changed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = makeNodeServer({ now: () => performance.now() })
      const address = { host: "127.0.0.1", port: 0, gracefulShutdownTimeout: 1 }
      const http = yield* NodeHttpServer.make(() => server, address).pipe(Scope.provide(scope))
      const started = yield* Deferred.make<void>()
      const app = Effect.interruptible(Effect.andThen(Deferred.succeed(started, undefined), Effect.never))
      yield* http.serve(app).pipe(Scope.provide(scope))
      const received = yield* Effect.forkChild(untilClosed(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
      yield* Deferred.await(started)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* errorStatus(yield* Fiber.join(received)), 500)
    })
  )
})

describe("a server that is closed", () => {
  it.effect(
    "reports once, when it stops accepting requests, how many requests have no response, including arriving ones",
    () =>
      Effect.gen(function* () {
        const closed: Array<number> = []
        const started: Array<object> = []
        const onClose = (requests: number) => void closed.push(requests)
        const server = yield* listening(
          { onClose, onRequest: (request) => void started.push(request) },
          { ready: false }
        )
        const arrived: Array<object> = []
        server.on("request", (request) => void arrived.push(request))
        const get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
        yield* Effect.forkChild(untilClosed(server, get))
        yield* Effect.forkChild(untilClosed(server, `${get}${get}`))
        yield* Effect.forkChild(untilClosed(server, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{"))
        while (arrived.length < 2 || started.length < 4) yield* tick
        server.close()
        server.close()
        assert.deepStrictEqual(closed, [4])
      })
  )

  it.live("responds to a request on an open connection with its last response, and then closes idle connections", () =>
    Effect.gen(function* () {
      const server = yield* listening({ lingering: 100 })
      const get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
      const busy = yield* keeping(server, get)
      const idle = yield* keeping(server, get)
      server.close()
      busy.socket.write(get)
      assert.match(
        yield* busy.closed,
        /^HTTP\/1\.1 200 [^]*keep-alive[^]*ok[^]*HTTP\/1\.1 200 [^]*connection: close[^]*ok/iu
      )
      assert.match(yield* idle.closed, /^HTTP\/1\.1 200 [^]*ok[^]*$/u)
    })
  )

  it.live(
    "ends although a request never arrives, and responds to a request without a listener that the server is stopping",
    () =>
      Effect.gen(function* () {
        const server = yield* listening({ lingering: 10_000, finishing: 100 })
        const get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
        const open = yield* keeping(server, get)
        const started = yield* Effect.forkChild(untilClosed(server, "GET /a HTTP/1.1\r\n"))
        while ((yield* connections(server)) < 2) yield* tick
        server.close()
        server.removeAllListeners("request")
        open.socket.write(get)
        assert.match(yield* open.closed, /HTTP\/1\.1 503 [^]*is stopping/u)
        assert.strictEqual(yield* Fiber.join(started), "")
      })
  )
})
