import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { makeNodeServer, type NodeServerOptions } from "../src/NodeServer.ts"

const listening = (options: Omit<NodeServerOptions, "deliver">) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = makeNodeServer({ ...options, deliver: (_body, _headers, respond) => respond(200, "{}") })
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
