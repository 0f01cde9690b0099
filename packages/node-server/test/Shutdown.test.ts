import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { BufferedRequest } from "../src/Requests.ts"
import { JoinedResponse } from "../src/Responses.ts"
import { type Lingering, LingeringServer } from "../src/Shutdown.ts"

const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

const listening = (times: Lingering) =>
  Effect.acquireRelease(
    Effect.callback<LingeringServer>((resume) => {
      const server = new LingeringServer(
        { IncomingMessage: BufferedRequest, ServerResponse: JoinedResponse, keepAliveTimeout: 0 },
        times
      )
      server.on("request", (_request, response: ServerResponse) => {
        if (!server.listening) response.setHeader("connection", "close")
        response.end("ok")
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** Runs a client that ends its side after its requests. Returns the received text after the server ends the other side. */
const halfClosed = (server: LingeringServer, bytes: string) =>
  Effect.callback<string>((resume) => {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => void socket.end(bytes))
    let received = ""
    socket.on("data", (part) => (received += part.toString("latin1")))
    socket.on("error", () => {})
    socket.once("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

/** Responds to requests after the server has received the end of their connection. */
const respondingAtEnd = Effect.fnUntraced(function* (times: Lingering) {
  const server = yield* listening(times)
  server.removeAllListeners("request")
  const waiting: Array<() => void> = []
  server.on("connection", (socket) => socket.once("end", () => waiting.splice(0).forEach((respond) => respond())))
  server.on("request", (request, response: ServerResponse) => waiting.push(() => response.end(request.url)))
  return server
})

/** Returns an open connection after its first response, and the text that it receives until its close. */
const open = Effect.fnUntraced(function* (server: LingeringServer) {
  const taken = new Promise<Socket>((resolve) => server.once("connection", resolve))
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => void socket.write(get))
  yield* Effect.promise(() => new Promise((resolve) => socket.once("data", resolve)))
  const rest = new Promise<string>((resolve) => {
    let received = ""
    socket.on("data", (part) => (received += part.toString("latin1")))
    socket.once("close", () => resolve(received))
    socket.on("error", () => {})
  })
  return { socket, taken: yield* Effect.promise(() => taken), rest: Effect.promise(() => rest) }
})

const closed = (server: LingeringServer) =>
  Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))

// The tests use the real clock, because Node's timers do.
describe("a server that is closed", () => {
  it.live("responds to a request on an open connection, then closes idle connections", () =>
    Effect.gen(function* () {
      const server = yield* listening({ lingering: 100, longest: 60_000 })
      const [busy, idle] = [yield* open(server), yield* open(server)]
      const ending = closed(server)
      busy.socket.write(get)
      yield* ending
      assert.match(yield* busy.rest, /^HTTP\/1\.1 200 [^]*connection: close/iu)
      assert.strictEqual(yield* idle.rest, "")
    })
  )

  it.live("closes idle connections at once when lingering is zero", () =>
    Effect.gen(function* () {
      const server = yield* listening({ lingering: 0, longest: 60_000 })
      const { rest, socket } = yield* open(server)
      const ending = closed(server)
      socket.write(get)
      yield* ending
      assert.strictEqual(yield* rest, "")
    })
  )

  it.live("ends although a request never arrives completely", () =>
    Effect.gen(function* () {
      const server = yield* listening({ lingering: 0, longest: 100 })
      const { rest, socket, taken } = yield* open(server)
      socket.write("GET / HTTP/1.1\r\n")
      while (taken.bytesRead === get.length)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* closed(server)
      assert.strictEqual(yield* rest, "")
    })
  )
})

describe("a client that ends its side after its requests", () => {
  const pipelined = ["/first", "/second", "/third"].map((path) => get.replace("/", path)).join("")

  it.live("receives the response before the connection is closed", () =>
    Effect.gen(function* () {
      const server = yield* respondingAtEnd({ longest: 60_000 })
      assert.match(yield* halfClosed(server, get), /^HTTP\/1\.1 200 [^]*\r\n\r\n\/$/u)
    })
  )

  it.live("receives the responses to all pipelined requests", () =>
    Effect.gen(function* () {
      const server = yield* respondingAtEnd({ longest: 60_000 })
      const received = yield* halfClosed(server, pipelined)
      assert.deepStrictEqual(received.match(/\/(first|second|third)/gu), ["/first", "/second", "/third"])
    })
  )

  it.live("has its connection closed at once when it has sent nothing", () =>
    Effect.gen(function* () {
      const server = yield* listening({ longest: 60_000 })
      assert.strictEqual(yield* halfClosed(server, ""), "")
    })
  )

  it.live("does not delay the end of a server without a response", () =>
    Effect.gen(function* () {
      const server = yield* listening({ lingering: 0, longest: 100 })
      server.removeAllListeners("request")
      const ended = new Promise((resolve) =>
        server.once("connection", (socket) => socket.once("end", () => setImmediate(resolve)))
      )
      const received = yield* Effect.forkChild(halfClosed(server, get))
      yield* Effect.promise(() => ended)
      yield* closed(server)
      assert.strictEqual(yield* Fiber.join(received), "")
    })
  )
})
