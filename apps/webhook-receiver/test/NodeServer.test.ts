import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type AddressInfo, connect } from "node:net"
import { makeNodeServer } from "../src/NodeServer.ts"

const listening = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof makeNodeServer>>((resume) => {
    const server = makeNodeServer({ header: 100, request: 200 })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
)

/** What comes back to a request that stops halfway, once the connection is closed. */
const halfway = (port: number, text: string) =>
  Effect.callback<string>((resume) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => void socket.write(text))
    socket
      .setEncoding("utf8")
      .on("data", (part: string) => {
        answer += part
      })
      .once("close", () => resume(Effect.succeed(answer)))
    return Effect.sync(() => socket.destroy())
  })

// Live: Node measures the arrival of requests by its own clock.
describe("the server of the receiver", () => {
  it.live("closes a request that stops in its header or in its body, at once when its time is over", () =>
    Effect.gen(function* () {
      const server = yield* listening
      server.on("request", (request) => request.resume())
      const { port } = server.address() as AddressInfo
      const answers = [
        yield* halfway(port, "POST / HTTP/1.1\r\nhost: a\r\n"),
        yield* halfway(port, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n{")
      ]
      for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 408 /)
    })
  )
})
