/** Bodies that arrive slowly, in pieces, too large or never, at a server that hands requests on when they are whole. */
import { assert, describe, it } from "@effect/vitest"
import type { Responded } from "@parcela/node-server/NodeServer"
import { Effect } from "effect"
import type { Socket } from "node:net"
import { arriving, type Client, clientsOf, type Handler, holding, serving } from "./fixtures/RawClients.ts"

/** Responds with what it was sent, once it has read it. */
const echo: Handler = (request, response) => {
  let body = ""
  const respond = () => response.end(`${request.method} ${request.url} ${body}`)
  // Of a request that has no body the stream has ended before it is handed on.
  if (request.readableEnded) respond()
  request.setEncoding("latin1")
  request.on("data", (text: string) => (body += text))
  request.on("end", respond)
}

const length = (bytes: number) => `Content-Length: ${bytes}`
const chunked = "Transfer-Encoding: chunked"
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** One turn of the event loop. */
const aTick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Waits until the server has read the given number of bytes of a connection. */
const arrived = Effect.fnUntraced(function* (socket: Socket, bytes: number) {
  while (socket.bytesRead < bytes) yield* aTick
})

/** Sends headers one after the other, so that the server has them in this order. */
const postInOrder = Effect.fnUntraced(function* (
  clients: ReadonlyArray<Client>,
  arrivals: ReturnType<typeof arriving>,
  fieldOf: (index: number) => string
) {
  for (const [index, client] of clients.entries()) {
    client.post(`/${index}`, fieldOf(index))
    yield* Effect.promise(() => arrivals.of(`/${index}`))
  }
})

/** The events that the server reports about its responses. */
const reporting = () => {
  const responses: Array<Responded> = []
  let wake = () => {}
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      wake = () => {
        if (responses.length >= count) resolve()
      }
      wake()
    })
  const onResponse = (responded: Responded) => {
    responses.push(responded)
    wake()
  }
  return { responses, onResponse, until }
}

const assertRefused = ({ received }: Client) => {
  assert.match(received, /^HTTP\/1\.1 503 /)
  assert.match(received, /^retry-after: 1\r$/im)
  assert.match(received, /^connection: close\r$/im)
  assert.match(received, /\{"error":\{"message":"[^"]+nothing was changed[^"]+"\}\}$/)
}

describe("a request whose body is incomplete", () => {
  it.live("uses no slot, however many there are, until it is complete", () =>
    Effect.gen(function* () {
      const paths: Array<string> = []
      const arrivals = arriving()
      const server = yield* serving(
        (request, response) => {
          paths.push(request.url!)
          echo(request, response)
        },
        { queue: { pending: 4, waiting: 4 }, onRequest: arrivals.onRequest }
      )
      const slow = yield* clientsOf(server, 20)
      yield* postInOrder(slow, arrivals, (index) => (index % 2 === 0 ? length(3) : chunked))
      for (const [index, client] of slow.entries()) client.write(index % 2 === 0 ? "a" : chunk("a"))
      const [other] = yield* clientsOf(server, 1)
      other!.get("/read")
      yield* Effect.promise(() => other!.answered())
      other!.post("/write", length(4)).write("body")
      yield* Effect.promise(() => other!.answered(2))
      assert.match(other!.received, /POST \/write body$/)
      assert.deepStrictEqual(paths, ["/read", "/write"])
      assert.isTrue(slow.every(({ received }) => received === ""))
      slow[6]!.write("bc")
      slow[7]!.write(`${chunk("b")}0\r\n\r\n`)
      yield* Effect.promise(() => Promise.all([slow[6]!.answered(), slow[7]!.answered()]))
      assert.match(slow[6]!.received, /POST \/6 abc$/)
      assert.match(slow[7]!.received, /POST \/7 ab$/)
    })
  )

  it.live(
    "is refused with 503 if there are too many, the oldest first, and logged with its id, status and duration",
    () =>
      Effect.gen(function* () {
        const arrivals = arriving()
        const { onResponse, responses, until } = reporting()
        const server = yield* serving(echo, {
          bodies: { arriving: 3 },
          onRequest: arrivals.onRequest,
          onResponse,
          requestIdPrefix: "run-"
        })
        const clients = yield* clientsOf(server, 5)
        yield* postInOrder(clients, arrivals, () => length(3))
        const refused = clients.slice(0, 2)
        yield* Effect.promise(() => Promise.all(refused.map((client) => client.closed())))
        refused.forEach(assertRefused)
        yield* Effect.promise(() => until(2))
        for (const [index, { milliseconds, request, requestId, status }] of responses.entries()) {
          assert.deepStrictEqual([request?.url, status], [`/${index}`, 503])
          assert.match(requestId, /^run-\w+$/)
          assert.isAbove(milliseconds, 0)
          assert.include(refused[index]!.received, `x-request-id: ${requestId}\r\n`)
        }
        for (const client of clients.slice(2)) client.write("abc")
        yield* Effect.promise(() => Promise.all(clients.slice(2).map((client) => client.answered())))
        assert.deepStrictEqual(
          clients.slice(2).map(({ statuses }) => statuses),
          [[200], [200], [200]]
        )
      })
  )

  it.live("is refused with 503 if the incoming bodies have too many bytes together, the oldest first", () =>
    Effect.gen(function* () {
      const arrivals = arriving()
      const server = yield* serving(echo, { bodies: { bytes: 100_000 }, onRequest: arrivals.onRequest })
      const clients = yield* clientsOf(server, 3)
      yield* postInOrder(clients, arrivals, () => length(50_000))
      const [oldest, ...others] = clients
      for (const client of clients) client.write("a".repeat(40_000))
      yield* Effect.promise(() => oldest!.closed())
      assertRefused(oldest!)
      for (const client of others) client.write("b".repeat(10_000))
      yield* Effect.promise(() => Promise.all(others.map((client) => client.answered())))
      assert.deepStrictEqual(
        others.map(({ statuses }) => statuses),
        [[200], [200]]
      )
    })
  )

  for (const { hangUp, name, status } of [
    { name: "resets its connection", hangUp: (socket: Socket) => socket.resetAndDestroy(), status: undefined },
    { name: "ends its connection", hangUp: (socket: Socket) => socket.destroy(), status: 400 }
  ]) {
    it.live(`is no longer counted when its client ${name}, and is logged`, () =>
      Effect.gen(function* () {
        const { onResponse, responses, until } = reporting()
        const arrivals = arriving()
        const server = yield* serving(echo, {
          bodies: { bytes: 100_000 },
          onRequest: arrivals.onRequest,
          onResponse
        })
        const connected = new Promise<Socket>((resolve) => server.once("connection", resolve))
        const [gone] = yield* clientsOf(server, 1)
        gone!.post("/gone", length(90_000)).write("a".repeat(80_000))
        yield* arrived(yield* Effect.promise(() => connected), 80_000)
        hangUp(gone!.socket)
        yield* Effect.promise(() => until(1))
        assert.deepStrictEqual(
          responses.map((responded) => [responded.request?.url, responded.status]),
          [["/gone", status]]
        )
        // The older one would be refused.
        const others = yield* clientsOf(server, 2)
        yield* postInOrder(others, arrivals, () => length(50_000))
        for (const client of others) client.write("a".repeat(50_000))
        yield* Effect.promise(() => Promise.all(others.map((client) => client.answered())))
        assert.deepStrictEqual(
          others.map(({ statuses }) => statuses),
          [[200], [200]]
        )
      })
    )
  }

  it.live("shares its limit with queued requests, and not with those whose handlers have the body", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const server = yield* serving(handler, { bodies: { bytes: 100_000 } })
      const clients = yield* clientsOf(server, 3)
      for (const [index, client] of clients.entries()) {
        client.post(`/${index}`, length(60_000)).write("a".repeat(60_000))
        yield* Effect.promise(() => until(index + 1))
      }
      for (const { send } of held) send()
      yield* Effect.promise(() => Promise.all(clients.map((client) => client.answered())))
      assert.deepStrictEqual(
        clients.map(({ statuses }) => statuses),
        [[200], [200], [200]]
      )
    })
  )

  it.live("is refused if complete queued requests use the whole limit", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const arrivals = arriving()
      const server = yield* serving(handler, {
        queue: { pending: 1 },
        bodies: { bytes: 100_000 },
        onRequest: arrivals.onRequest
      })
      const connections: Array<Socket> = []
      server.on("connection", (socket) => connections.push(socket))
      const [first, waiting, refused] = yield* clientsOf(server, 3)
      first!.get("/first")
      yield* Effect.promise(() => until(1))
      waiting!.post("/waiting", length(60_000)).write("a".repeat(60_000))
      yield* Effect.promise(() => arrivals.of("/waiting"))
      while (!connections.some(({ bytesRead }) => bytesRead > 60_000)) yield* aTick
      refused!.post("/refused", length(60_000)).write("a".repeat(60_000))
      yield* Effect.promise(() => refused!.closed())
      assertRefused(refused!)
      held[0]!.send()
      yield* Effect.promise(() => until(2))
      held[1]!.send()
      yield* Effect.promise(() => waiting!.answered())
      assert.deepStrictEqual([first!.statuses, waiting!.statuses], [[200], [200]])
    })
  )

  it.live("receives a 408 with its own id, after the responses to earlier requests", () =>
    Effect.gen(function* () {
      const { onResponse, responses, until } = reporting()
      const requests = holding()
      const server = yield* serving(requests.handler, { arrival: { header: 100, request: 200 }, onResponse })
      const [client] = yield* clientsOf(server, 1)
      client!.get("/first").post("/second", "X-Request-Id: mine", length(9)).write("ab")
      yield* Effect.promise(() => requests.until(1))
      // By then the second's time is over.
      const late = new Promise((resolve) => server.once("clientError", resolve))
      yield* Effect.promise(() => late)
      assert.strictEqual(client!.received, "")
      requests.held[0]!.send()
      yield* Effect.promise(() => client!.closed())
      assert.deepStrictEqual(client!.statuses, [200, 408])
      assert.match(client!.received, /x-request-id: mine\r\n/)
      yield* Effect.promise(() => until(2))
      assert.deepStrictEqual(
        responses.map(({ request, requestId, status }) => [request?.url, status, requestId === "mine"]),
        [
          ["/first", 200, false],
          ["/second", 408, true]
        ]
      )
    })
  )

  it.live("receives the last response of its connection when the server stops", () =>
    Effect.gen(function* () {
      const arrivals = arriving()
      const server = yield* serving(echo, { onRequest: arrivals.onRequest })
      const [client] = yield* clientsOf(server, 1)
      client!.post("/late", length(4)).write("bo")
      yield* Effect.promise(() => arrivals.of("/late"))
      server.close()
      client!.write("dy")
      yield* Effect.promise(() => client!.closed())
      assert.match(client!.received, /^connection: close\r$[^]*POST \/late body$/im)
    })
  )
})

describe("a body", () => {
  const whole = [
    { name: "one byte at a time", fields: [length(4)], pieces: ["b", "o", "d", "y"] },
    { name: "in chunks of a byte", fields: [chunked], pieces: [..."body"].map(chunk).concat("0\r\n\r\n") },
    { name: "in chunks with a trailer", fields: [chunked], pieces: [chunk("bo"), chunk("dy"), "0\r\nX-A: b\r\n\r\n"] },
    { name: "with its header", fields: [length(4)], pieces: ["body"] }
  ]
  for (const { fields, name, pieces } of whole) {
    it.live(`that arrives ${name} is read completely`, () =>
      Effect.gen(function* () {
        const server = yield* serving(echo)
        const [client] = yield* clientsOf(server, 1)
        client!.socket.setNoDelay(true)
        client!.post("/a", ...fields)
        for (const piece of pieces) {
          client!.write(piece)
          yield* aTick
        }
        yield* Effect.promise(() => client!.answered())
        assert.match(client!.received, /POST \/a body$/)
        // The connection continues with the next request.
        client!.post("/b", length(0)).get("/c")
        yield* Effect.promise(() => client!.answered(3))
        assert.match(client!.received, /POST \/b [^]*GET \/c $/)
      })
    )
  }

  it.live("of a GET and of HTTP/1.0 is read, and a HEAD with a body receives only headers", () =>
    Effect.gen(function* () {
      const server = yield* serving(echo)
      const [client, old] = yield* clientsOf(server, 2)
      client!.write("GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbo").write("dy")
      yield* Effect.promise(() => client!.answered())
      assert.match(client!.received, /GET \/a body$/)
      client!.write("HEAD /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody")
      yield* Effect.promise(() => client!.answered(2))
      assert.match(client!.received, /HTTP\/1\.1 200 OK\r\n(?:\S+: .*\r\n)+\r\n$/)
      old!.write("POST /c HTTP/1.0\r\nContent-Length: 4\r\n\r\nbo").write("dy")
      yield* Effect.promise(() => old!.closed())
      assert.match(old!.received, /POST \/c body$/)
    })
  )

  it.live("above the limit is passed on without its remainder, at once if its length is declared", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      const server = yield* serving(
        (request, response) => {
          sizes.push(request.readableLength)
          response.writeHead(413, { connection: "close" })
          response.end()
        },
        { bodies: { each: 10 } }
      )
      const clients = yield* clientsOf(server, 3)
      clients[0]!.post("/declared", length(11))
      yield* Effect.promise(() => clients[0]!.closed())
      clients[1]!.post("/chunked", chunked).write(chunk("1234567890")).write(chunk("1"))
      yield* Effect.promise(() => clients[1]!.closed())
      clients[2]!.post("/expecting", length(11), "Expect: 100-continue")
      yield* Effect.promise(() => clients[2]!.closed())
      assert.deepStrictEqual(sizes, [0, 11, 0])
      assert.deepStrictEqual(
        clients.map(({ statuses }) => statuses),
        [[413], [413], [413]]
      )
    })
  )

  it.live("with Expect: 100-continue is requested, and uses no slot until it arrives", () =>
    Effect.gen(function* () {
      const server = yield* serving(echo, { queue: { pending: 1, waiting: 1 } })
      const [waiting, other] = yield* clientsOf(server, 2)
      waiting!.post("/waiting", length(4), "Expect: 100-continue")
      yield* Effect.promise(() => waiting!.answered())
      other!.get("/other")
      yield* Effect.promise(() => other!.answered())
      assert.deepStrictEqual(waiting!.statuses, [100])
      waiting!.write("body")
      yield* Effect.promise(() => waiting!.answered(2))
      assert.deepStrictEqual(waiting!.statuses, [100, 200])
      assert.match(waiting!.received, /POST \/waiting body$/)
    })
  )

  it.live("behind a slow response of its connection is buffered up to a limit, and refused in order above it", () =>
    Effect.gen(function* () {
      const { held, handler, until } = holding()
      const server = yield* serving(handler)
      const [small] = yield* clientsOf(server, 1)
      small!.get("/first").post("/second", length(60_000)).write("a".repeat(60_000))
      yield* Effect.promise(() => until(1))
      held[0]!.send()
      yield* Effect.promise(() => until(2))
      held[1]!.send()
      yield* Effect.promise(() => small!.answered(2))
      const connection = new Promise<Socket>((resolve) => server.once("connection", resolve))
      const [large] = yield* clientsOf(server, 1)
      large!.get("/third").post("/fourth", length(60_000)).write("a".repeat(60_000))
      large!.post("/fifth", length(10_000)).write("a".repeat(10_000))
      const socket = yield* Effect.promise(() => connection)
      yield* Effect.promise(() => until(3))
      yield* arrived(socket, 70_000)
      held[2]!.send()
      yield* Effect.promise(() => until(4))
      held[3]!.send()
      yield* Effect.promise(() => large!.closed())
      assert.deepStrictEqual(
        [small!.statuses, large!.statuses],
        [
          [200, 200],
          [200, 200, 503]
        ]
      )
    })
  )
})
