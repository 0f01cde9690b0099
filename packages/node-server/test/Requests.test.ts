import { assert, describe, it } from "@effect/vitest"
import { type BodyLimits, BufferedBodies, BufferedRequest } from "@parcela/node-server/Requests"
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"

type Event = readonly [event: "arrived" | "refused" | "dropped" | "connected", path: string]

const limits: BodyLimits = { each: 1_000, arriving: 10, bytes: 10_000 }

/** Starts a server that reports events of its requests and responds to each request with its body. */
const serving = (chosen: Partial<BodyLimits> = {}) =>
  Effect.gen(function* () {
    const events: Array<Event> = []
    const bodies = new BufferedBodies({ ...limits, ...chosen })
    const waiting = new Set<() => void>()
    const tell = (...event: Event) => {
      events.push(event)
      for (const look of waiting) look()
    }
    const until = (event: Event[0], path: string) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            const look = () => {
              if (events.some(([one, of]) => one === event && of === path)) resolve()
            }
            waiting.add(look)
            look()
          })
      )
    const read = (request: BufferedRequest, response: ServerResponse) => {
      const pieces: Array<Buffer> = []
      request.on("data", (piece: Buffer) => pieces.push(piece))
      request.on("end", () => {
        bodies.release(request)
        response.end(`${pieces.length}:${Buffer.concat(pieces).toString()}`)
      })
    }
    const server = createServer({ IncomingMessage: BufferedRequest }, (request, response) => {
      const path = request.url!
      tell("connected", path)
      bodies.receive({
        request,
        response,
        arrived: () => {
          tell("arrived", path)
          read(request, response)
        },
        refused: () => {
          tell("refused", path)
          response.writeHead(503, { connection: "close" }).end()
        },
        dropped: () => tell("dropped", path)
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    const open = (path: string, length: number, start: string) =>
      Effect.gen(function* () {
        const socket = yield* Effect.acquireRelease(
          Effect.sync(() => connect((server.address() as AddressInfo).port, "127.0.0.1")),
          (opened) => Effect.sync(() => opened.destroy())
        )
        const closed = new Promise<string>((resolve) => {
          let received = ""
          socket.setEncoding("latin1").on("data", (text: string) => (received += text))
          socket.on("error", () => {})
          socket.on("close", () => resolve(received))
        })
        const fields = `Host: x\r\nConnection: close\r\nContent-Length: ${length}`
        socket.write(`POST ${path} HTTP/1.1\r\n${fields}\r\n\r\n${start}`)
        yield* until("connected", path)
        return { socket, closed: Effect.promise(() => closed) }
      })
    const reported = () => events.filter(([event]) => event !== "connected")
    return { bodies, open, reported, until }
  })

describe("bodies that are buffered", () => {
  it.live("are handed on whole and in one piece, in whatever pieces they arrived", () =>
    Effect.gen(function* () {
      const { open, reported } = yield* serving()
      const { closed, socket } = yield* open("/a", 26, "")
      socket.setNoDelay(true)
      for (const letter of "abcdefghijklmnopqrstuvwxyz") {
        assert.deepStrictEqual(reported(), [])
        socket.write(letter)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.match(yield* closed, /1:abcdefghijklmnopqrstuvwxyz$/)
    })
  )

  it.live("are refused above the maximum number, oldest arrival first", () =>
    Effect.gen(function* () {
      const { open, reported, until } = yield* serving({ arriving: 2 })
      const [first, second] = [yield* open("/1", 4, "bo"), yield* open("/2", 4, "bo")]
      yield* open("/3", 4, "bo")
      yield* until("refused", "/1")
      assert.match(yield* first.closed, /^HTTP\/1\.1 503 /)
      second.socket.write("dy")
      assert.match(yield* second.closed, /1:body$/)
      yield* open("/4", 4, "bo")
      assert.deepStrictEqual(reported(), [
        ["refused", "/1"],
        ["arrived", "/2"]
      ])
    })
  )

  it.live("count until they are released or their client disconnects", () =>
    Effect.gen(function* () {
      const { bodies, open, reported, until } = yield* serving({ bytes: 1_000 })
      const gone = yield* open("/gone", 1_000, "a".repeat(900))
      gone.socket.resetAndDestroy()
      yield* until("dropped", "/gone")
      for (const path of ["/1", "/2", "/3"]) {
        const { closed } = yield* open(path, 900, "a".repeat(900))
        assert.match(yield* closed, /^HTTP\/1\.1 200 /)
      }
      assert.deepStrictEqual(reported(), [
        ["dropped", "/gone"],
        ["arrived", "/1"],
        ["arrived", "/2"],
        ["arrived", "/3"]
      ])
      assert.deepStrictEqual([...bodies.arriving()], [])
    })
  )
})
