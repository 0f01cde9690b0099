import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { addressOf, open } from "../../src/postgres/PostgresSocket.ts"

/** A connection whose server sent one byte, which was not read yet, and sends nothing more. */
const unread = Effect.gen(function* () {
  const server = createServer()
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => server.close())
  )
  const sent = new Promise<Socket>((resolve) =>
    server.once("connection", (socket) => socket.write("x", () => resolve(socket)))
  )
  const { port } = server.address() as AddressInfo
  const socket = open(addressOf(`postgres://parcela@127.0.0.1:${port}/parcela`), Duration.hours(1))
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  socket.pause()
  const [other] = yield* Effect.promise(() => Promise.all([sent, once(socket, "connect")]))
  yield* Effect.addFinalizer(() => Effect.sync(() => other.destroy()))
  return socket
})

const tick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("the socket of a connection to PostgreSQL", () => {
  it.live("is closed when the server stops responding, also after a delay because this process was paused", () =>
    Effect.gen(function* () {
      const socket = yield* unread
      yield* tick
      // As if the timeout and the byte have both arrived, and neither was handled.
      socket.resume()
      socket.emit("timeout")
      yield* Effect.promise(() => once(socket, "data"))
      yield* tick
      yield* tick
      assert.isFalse(socket.destroyed)
      socket.emit("timeout")
      yield* tick
      yield* tick
      assert.isTrue(socket.destroyed)
      assert.strictEqual(socket.errored?.message, "no reply within 1h")
    })
  )
})
