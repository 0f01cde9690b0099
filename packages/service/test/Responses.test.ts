import { assert, describe, it } from "@effect/vitest"
import { writer } from "@parcela/core/json/Picking"
import { makeNodeServer } from "@parcela/service/NodeServer"
import { Effect, Schema } from "effect"
import type { Server } from "node:http"
import { Duplex } from "node:stream"

/** A connection whose client reads when the test says so: until then what was written is still in the memory of its writer. */
class Connection extends Duplex {
  private unread: Array<Uint8Array> = []
  private written: (() => void) | undefined
  received = ""

  // Node's server asks these two of a socket.
  destroySoon(): void {
    this.destroy()
  }
  setTimeout(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: string, written: () => void): void {
    this.unread.push(chunk)
    this.written = written
  }

  override _writev(chunks: Array<{ chunk: Uint8Array }>, written: () => void): void {
    this.unread.push(...chunks.map(({ chunk }) => chunk))
    this.written = written
  }

  get isWritten(): boolean {
    return this.unread.length > 0
  }

  handOver(): void {
    for (const chunk of this.unread.splice(0)) this.received += Buffer.from(chunk).toString("latin1")
    const { written } = this
    this.written = undefined
    written?.()
  }
}

const write = writer(Schema.Struct({ page: Schema.String }))

const pageOf = (url: string) => ({ page: url.repeat(Math.ceil(148_000 / url.length)) })

/** The buffers that pages were written to, each once. */
const memory = new Set<ArrayBufferLike>()

/** A server whose pages show the address that they were asked for. */
const served = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const server = makeNodeServer({ now: () => performance.now() })
    server.on("request", ({ url = "" }, response) => {
      const page = write(pageOf(url))
      memory.add(page.buffer)
      response.end(page)
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
)

const turn = Effect.promise(() => new Promise((resume) => setImmediate(resume)))

/** Asks for a page, and returns once it was written to the connection. */
const asking = Effect.fnUntraced(function* (server: Server, url: string, connection = new Connection()) {
  if (connection.received === "") server.emit("connection", connection)
  connection.push(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`)
  while (!connection.isWritten) yield* turn
  return connection
})

const bodyOf = ({ received }: Connection) => received.slice(received.lastIndexOf("\r\n\r\n") + 4)

const isPageOf = (connection: Connection, url: string) => bodyOf(connection) === JSON.stringify(pageOf(url))

describe("the memory of a large response", () => {
  it.effect("is not written to before a slow client has read it, whatever others ask for meanwhile", () =>
    Effect.gen(function* () {
      const server = yield* served
      const slow = yield* Effect.forEach([1, 2, 3, 4], (number) => asking(server, `/slow/${number}`))
      let kept = new Connection()
      for (let number = 0; number < 12; number++) {
        kept = yield* asking(server, `/quick/${number}`, kept)
        kept.handOver()
        assert.isTrue(isPageOf(kept, `/quick/${number}`))
        // One that hangs up before it has read anything.
        const gone = yield* asking(server, `/gone/${number}`)
        gone.destroy()
        yield* turn
      }
      slow.forEach((connection, index) => {
        connection.handOver()
        assert.isTrue(isPageOf(connection, `/slow/${index + 1}`))
        connection.destroy()
      })
      kept.destroy()
      // The pages of the client that reads at once share one.
      assert.isAtMost(memory.size, 4 + 12 + 1)
    })
  )
})
