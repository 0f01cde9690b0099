import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import * as Signature from "../../src/Signature.ts"
import { layer, type NodeWebhookSenderOptions } from "../../src/node/NodeWebhookSender.ts"
import { WebhookSender } from "../../src/WebhookSender.ts"
import * as WebhookSecret from "../../src/WebhookSecret.ts"
import { bodyOf, bytesOf, now, secret, secretOf } from "../fixtures/Deliveries.ts"

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: Uint8Array
}

/** A server on a free port of this machine that is closed with the scope. */
const serve = (answer: (response: ServerResponse, request: IncomingMessage) => void) =>
  Effect.gen(function* () {
    const seen: Array<Seen> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const { headers, method, url } = request
          seen.push({ method, url, headers, body: Buffer.concat(chunks) })
          answer(response, request)
        })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1` }
  })

const send = (url: string, options?: NodeWebhookSenderOptions) =>
  WebhookSender.use((sender) =>
    sender.send({ url, body: bodyOf(1), webhookId: 1, secrets: [secret, secretOf(9)] })
  ).pipe(
    Effect.provide(Layer.provide(layer({ destinations: { allowPrivate: true }, ...options }), NodeCrypto.layerMac), {
      local: true
    })
  )

/** A delivery without a response, and a signal for the end of its connection. */
const sentInVain = Effect.gen(function* () {
  const arrived = yield* Deferred.make<void>()
  const closed = yield* Deferred.make<void>()
  const { url } = yield* serve((_, request) => {
    request.socket.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
    Deferred.doneUnsafe(arrived, Effect.void)
  })
  const fiber = yield* Effect.forkChild(send(url))
  yield* Deferred.await(arrived)
  return { closed, fiber }
})

describe("NodeWebhookSender", () => {
  it.effect("sends one signed POST request that a receiver can verify", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now * 1000 + 999)
      const { seen, url } = yield* serve((response) => response.writeHead(204).end())
      assert.deepStrictEqual(yield* send(url), { _tag: "Accepted", status: 204 })
      assert.strictEqual(seen.length, 1)
      const { body, headers, method, url: path } = seen[0]!
      assert.deepStrictEqual([method, path], ["POST", "/hooks?a=1"])
      assert.strictEqual(headers["content-type"], "application/json")
      assert.strictEqual(headers["user-agent"], "Parcela/0.0.0")
      assert.strictEqual(headers["webhook-timestamp"], String(now))
      assert.deepStrictEqual(new Uint8Array(body), bytesOf(bodyOf(1)))
      assert.isUndefined(headers["traceparent"])
      const signatures = String(headers["webhook-signature"]).split(" ")
      assert.lengthOf(signatures, 2)
      for (const [index, one] of [secret, secretOf(9)].entries()) {
        assert.deepStrictEqual(
          yield* Signature.verify({ headers: headers as Record<string, string>, body, secrets: [one] }),
          { id: "1", timestamp: now, secret: one, signature: signatures[index]! }
        )
      }
    }).pipe(Effect.withSpan("outer"), Effect.provide(NodeCrypto.layerMac))
  )

  it.effect("returns Refused for any other status and does not follow redirects", () =>
    Effect.gen(function* () {
      const target = yield* serve((response) => response.end())
      for (const status of [301, 302, 307, 308]) {
        const { url } = yield* serve((response) => response.writeHead(status, { location: target.url }).end())
        assert.deepStrictEqual(yield* send(url), {
          _tag: "Refused",
          status,
          problem: `The receiver redirects (${status}), and redirects are not followed`
        })
      }
      assert.deepStrictEqual(target.seen, [])
      for (const status of [400, 401, 410, 500]) {
        const { url } = yield* serve((response) => response.writeHead(status).end("secret words"))
        assert.deepStrictEqual(yield* send(url), {
          _tag: "Refused",
          status,
          problem: `The receiver responded with ${status}`
        })
      }
    })
  )

  it.effect("returns NoResponse after 5 seconds without a status", () =>
    Effect.gen(function* () {
      const { closed, fiber } = yield* sentInVain
      yield* TestClock.adjust("4999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        _tag: "NoResponse",
        problem: "The receiver did not respond within 5 s"
      })
      yield* Deferred.await(closed)
    })
  )

  it.effect("returns the status without waiting for the body", () =>
    Effect.gen(function* () {
      const hasResponded = yield* Deferred.make<void>()
      const { url } = yield* serve((response) => {
        response.writeHead(200)
        response.write("a", () => Deferred.doneUnsafe(hasResponded, Effect.void))
      })
      const fiber = yield* Effect.forkChild(send(url, { timeout: "2 seconds" }))
      yield* Deferred.await(hasResponded)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "Accepted", status: 200 })
    })
  )

  it.effect("returns at the status and closes the connection of a slow body a second later", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const { url } = yield* serve((response, request) => {
        request.socket.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
        response.writeHead(200)
        response.write("a")
      })
      // Returns without a clock adjustment.
      assert.deepStrictEqual(yield* send(url), { _tag: "Accepted", status: 200 })
      yield* TestClock.adjust("1 second")
      yield* Deferred.await(closed)
    })
  )

  it.effect("returns the Retry-After header, in seconds or as a date", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 8, 21, 12))
      for (const [header, pause] of [
        ["120", Duration.seconds(120)],
        ["Mon, 21 Sep 2026 12:05:00 GMT", Duration.minutes(5)],
        ["Mon, 21 Sep 2026 11:00:00 GMT", Duration.zero],
        ["soon", undefined]
      ] as const) {
        const { url } = yield* serve((response) => response.writeHead(503, { "retry-after": header }).end())
        const result = yield* send(url)
        assert.deepStrictEqual("retryAfter" in result ? result.retryAfter : undefined, pause, header)
      }
    })
  )

  it.effect("closes the connection of an endless body", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const { url } = yield* serve((response, request) => {
        request.socket.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
        const pour = () => {
          while (response.writable && response.write(Buffer.alloc(16_384, "x")));
          if (response.writable) response.once("drain", pour)
        }
        response.writeHead(500)
        pour()
      })
      assert.strictEqual((yield* send(url))._tag, "Refused")
      yield* Deferred.await(closed)
    })
  )

  it.effect("returns a refused connection without the address", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(serve((response) => response.end()))
      assert.deepStrictEqual(yield* send(url.replace("a=1", "token=hidden")), {
        _tag: "NoResponse",
        problem: "Nothing listens at the address (the connection was refused)"
      })
    })
  )

  it.effect("returns a connection that was closed without a response", () =>
    Effect.gen(function* () {
      const { url } = yield* serve((response) => response.socket?.destroy())
      const result = yield* send(url)
      assert.deepStrictEqual(result, {
        _tag: "NoResponse",
        problem: "The receiver closed the connection without a response"
      })
    })
  )

  it.effect("never fails, for any address and any response", () =>
    Effect.gen(function* () {
      const noHttp = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createTcpServer>>((resume) => {
          const server = createTcpServer((socket) => {
            socket
              .on("error", () => {})
              .resume()
              .end("SSH-2.0-nothing here\r\n")
          })
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
      )
      const { port } = noHttp.address() as AddressInfo
      const secretText = Redacted.value(WebhookSecret.format(secret))
      for (const url of [
        "nonsense",
        "",
        "ftp://127.0.0.1/",
        "http://u:hidden@127.0.0.1:1/",
        "http://127.0.0.1:99999/",
        `http://127.0.0.1:${port}/`,
        `https://127.0.0.1:${port}/`
      ]) {
        const result = yield* send(url)
        assert.strictEqual(result._tag, "NoResponse", url)
        assert.notMatch(JSON.stringify(result), /hidden|127\.0|SSH/)
        assert.notInclude(JSON.stringify(result), secretText)
      }
    })
  )

  it.effect("closes the connection when it is interrupted", () =>
    Effect.gen(function* () {
      const { closed, fiber } = yield* sentInVain
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    })
  )
})
