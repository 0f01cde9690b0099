import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { makeNodeServer, type NodeServerOptions } from "../src/NodeServer.ts"

const listening = (options: Partial<NodeServerOptions>) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = makeNodeServer({ deliver: (_body, _headers, respond) => respond(200, "{}"), ...options })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** A request that is begun, and all that comes back to it once the connection is closed. */
const begin = (server: Server, text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => void socket.write(text))
      const answer = new Promise<string>((resolve) => {
        let received = ""
        socket.setEncoding("utf8").on("data", (part: string) => (received += part))
        socket.once("close", () => resolve(received))
      })
      return { socket, answer: Effect.promise(() => answer) }
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

/** Waits until the server has read so many bytes of its next connection. */
const read = (server: Server, bytes: number) => {
  const connected = new Promise<Socket>((resolve) => server.once("connection", resolve))
  return Effect.promise(async () => {
    const socket = await connected
    while (socket.bytesRead < bytes) await new Promise((resolve) => setImmediate(resolve))
  })
}

// Live: Node measures the arrival of requests by its own clock.
describe("the server of the receiver", () => {
  it.live("closes a request that stops in its header or in its body, at once when its time is over", () =>
    Effect.gen(function* () {
      const server = yield* listening({ arrival: { header: 100, request: 200 } })
      for (const text of [
        "POST / HTTP/1.1\r\nhost: a\r\n",
        "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n{"
      ]) {
        const { answer } = yield* begin(server, text)
        assert.match(yield* answer, /^HTTP\/1\.1 408 /)
      }
    })
  )

  it.live("responds to a request that is not one, and to one that has begun, after what came before them", () =>
    Effect.gen(function* () {
      const later: Array<() => void> = []
      const refused: Array<number> = []
      const server = yield* listening({
        deliver: (body, _headers, respond) => {
          later.push(() => respond(200, Buffer.from(body).toString()))
          if (later.length === 2) for (const respond of later.toReversed()) setImmediate(respond)
        },
        refused: (status) => refused.push(status)
      })
      const good = (body: string) => `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n${body}`
      for (const bad of [
        "NONSENSE\r\n\r\n",
        "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"
      ]) {
        later.length = 0
        const { answer } = yield* begin(server, good("[]") + good("{}") + bad)
        assert.match(
          yield* answer,
          /^HTTP\/1\.1 200 [^]*\r\n\r\n\[\]HTTP\/1\.1 200 [^]*\r\n\r\n\{\}HTTP\/1\.1 400 [^]*connection: close[^]*not an HTTP request/
        )
      }
      const { answer } = yield* begin(server, "\u0016\u0003\u0001")
      assert.match(yield* answer, /^HTTP\/1\.1 400 /)
      assert.deepStrictEqual(refused, [400, 400, 400])
    })
  )

  it.live("says when a delivery that could not be stored should come again", () =>
    Effect.gen(function* () {
      const server = yield* listening({ deliver: (_body, _headers, respond) => respond(503, "{}") })
      const text = "POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"
      const { answer } = yield* begin(server, text)
      assert.match(yield* answer, /^HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n/)
    })
  )

  it.live("responds to a sender that ends its side once its delivery is sent, and closes the connection", () =>
    Effect.gen(function* () {
      const stored: Array<() => void> = []
      const server = yield* listening({ deliver: (_body, _headers, respond) => stored.push(() => respond(200, "{}")) })
      server.once("connection", (socket) => socket.once("end", () => stored[0]!()))
      const { answer, socket } = yield* begin(server, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}")
      socket.once("connect", () => socket.end())
      assert.match(yield* answer, /^HTTP\/1\.1 200 [^]*\{\}$/)
    })
  )

  it.live("once it ends, responds to what comes on a connection that is kept, and closes it", () =>
    Effect.gen(function* () {
      const server = yield* listening({ lingering: 50 })
      const text = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}"
      const busy = yield* begin(server, text)
      yield* Effect.promise(() => new Promise((resolve) => busy.socket.once("data", resolve)))
      const idle = yield* begin(server, text)
      yield* Effect.promise(() => new Promise((resolve) => idle.socket.once("data", resolve)))
      const ended = new Promise((resolve) => server.close(resolve))
      busy.socket.write(text)
      assert.match(yield* busy.answer, /^HTTP\/1\.1 200 [^]*\{\}HTTP\/1\.1 200 [^]*connection: close[^]*\{\}$/)
      assert.match(yield* idle.answer, /^HTTP\/1\.1 200 [^]*\{\}$/)
      yield* Effect.promise(() => ended)
    })
  )

  it.live("once nothing responds any more, says that it ends", () =>
    Effect.gen(function* () {
      // Effect's server removes its listener before the last connections are closed.
      const server = yield* listening({})
      const { answer } = yield* begin(server, "GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
      assert.match(yield* answer, /^HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n[^]*"The receiver ends"/)
    })
  )

  it.live("ends although a request never does, that began before or after it", () =>
    Effect.gen(function* () {
      const server = yield* listening({ arrival: { header: 100, request: 200 }, lingering: 50 })
      const text = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{"
      const before = yield* begin(server, text)
      const after = yield* begin(server, `${text}}`)
      yield* Effect.promise(() => new Promise((resolve) => after.socket.once("data", resolve)))
      const ended = new Promise((resolve) => server.close(resolve))
      after.socket.write(text)
      yield* Effect.promise(() => ended)
      assert.notMatch(yield* before.answer, /^HTTP\/1\.1 200 /)
      assert.match(yield* after.answer, /^HTTP\/1\.1 200 [^]*\{\}$/)
    })
  )

  it.live("refuses what is no request once, in however many pieces it comes", () =>
    Effect.gen(function* () {
      const told: Array<number> = []
      let finish: () => void = () => {}
      const server = yield* listening({
        deliver: (_body, _headers, respond) => (finish = () => respond(200, "{}")),
        refused: (status) => told.push(status)
      })
      const text = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}no request\r\n\r\n"
      const isRead = read(server, text.length + 4)
      const { answer, socket } = yield* begin(server, text)
      const inPieces = new Promise<void>((resolve) => server.once("clientError", () => resolve()))
      yield* Effect.promise(() => inPieces)
      socket.write("more")
      yield* isRead
      finish()
      assert.match(yield* answer, /^HTTP\/1\.1 200 [^]*\{\}HTTP\/1\.1 400 [^]*\}$/)
      assert.deepStrictEqual(told, [400])
    })
  )

  const tooMany = [
    { name: "too many are", bodies: { arriving: 2 } },
    { name: "they have too many bytes together", bodies: { bytes: 1_000 } }
  ]
  for (const { bodies, name } of tooMany) {
    it.live(`refuses the body that has been arriving for longest when ${name}`, () =>
      Effect.gen(function* () {
        const told: Array<number> = []
        const server = yield* listening({ bodies, refused: (status) => told.push(status) })
        const text = `POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 500\r\n\r\n${"a".repeat(400)}`
        const begun = []
        for (let index = 0; index < 3; index++) {
          const isRead = read(server, text.length)
          begun.push(yield* begin(server, text))
          yield* isRead
        }
        const [oldest, ...others] = begun
        const refused = yield* oldest!.answer
        assert.match(refused, /^HTTP\/1\.1 503 /)
        assert.match(refused, /^retry-after: 1\r$/im)
        assert.match(refused, /\{"error":\{"message":"Too many deliveries are arriving[^"]*"\}\}$/)
        assert.deepStrictEqual(told, [503])
        for (const { answer, socket } of others) {
          socket.write("a".repeat(100))
          assert.match(yield* answer, /^HTTP\/1\.1 200 /)
        }
      })
    )
  }
})
