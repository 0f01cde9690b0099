/** A receiver of deliveries on a free port. */
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The receiver's address, and a wait for the first untaken delivery of an event. */
export const receiver = Effect.gen(function* () {
  const received: Array<unknown> = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(200).end()
      for (const look of waiting) look()
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  const next = (event: string) =>
    Effect.callback<unknown>((resume) => {
      const look = () => {
        const index = received.findIndex((body) => Object(body).event === event)
        if (index < 0) return
        waiting.delete(look)
        resume(Effect.succeed(received.splice(index, 1)[0]))
      }
      waiting.add(look)
      look()
      return Effect.sync(() => waiting.delete(look))
    })
  return { url: `http://127.0.0.1:${port}/`, next }
})
