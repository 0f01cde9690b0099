import { assert, describe, it } from "@effect/vitest"
import * as EffectServer from "@parcela/service/EffectServer"
import { makeNodeServer } from "@parcela/service/NodeServer"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Scope, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { request } from "node:http"

type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** A server of this application: its port, and what closes it. */
const serving = Effect.fnUntraced(function* (app: App, onFault?: (fault: unknown) => void) {
  const scope = yield* Scope.make()
  const server = makeNodeServer({ now: () => performance.now(), requestIdPrefix: "t-", onFault })
  const options = { host: "127.0.0.1", port: 0, gracefulShutdown: Duration.seconds(10) }
  const { address, serve } = yield* Scope.provide(EffectServer.make(server, options), scope)
  yield* Scope.provide(serve(app), scope)
  const close = Scope.close(scope, Exit.void)
  yield* Effect.addFinalizer(() => close)
  return { port: "port" in address ? address.port : 0, close, server }
})

interface Received {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
  /** Whether all of the body came. */
  readonly complete: boolean
}

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly body?: string
}

const send = (port: number, { body, method = "GET", path = "/" }: Sent = {}) =>
  Effect.callback<Received, Error>((resume) => {
    const sent = request({ host: "127.0.0.1", port, method, path, agent: false }, (response) => {
      const pieces: Array<Buffer> = []
      response.on("data", (piece: Buffer) => pieces.push(piece))
      response.on("error", () => {})
      response.on("close", () => {
        const { complete, headers, statusCode } = response
        resume(Effect.succeed({ status: statusCode, headers, complete, body: Buffer.concat(pieces).toString() }))
      })
    })
    sent.on("error", (error) => resume(Effect.fail(error)))
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

const responding = (response: HttpServerResponse.HttpServerResponse) => serving(Effect.succeed(response))

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("a server of Effect's applications", () => {
  for (const [name, text] of [
    ["short", "Águas de março"],
    ["long", "ã".repeat(20_000)]
  ] as const) {
    it.live(`sends ${name} bytes as they are, as long as it says, with the id of the request`, () =>
      Effect.gen(function* () {
        const bytes = bytesOf(text)
        const { port } = yield* responding(HttpServerResponse.uint8Array(bytes, { contentType: "text/plain" }))
        const { body, headers } = yield* send(port)
        assert.strictEqual(body, text)
        assert.strictEqual(headers["content-length"], String(bytes.length))
        assert.strictEqual(headers["x-request-id"], "t-1")
      })
    )
  }

  it.live("sends the head alone to HEAD, and no length where nothing can follow", () =>
    Effect.gen(function* () {
      const text = yield* responding(HttpServerResponse.text("text"))
      const head = yield* send(text.port, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.body, head.headers["content-length"]], [200, "", "4"])
      const none = yield* responding(HttpServerResponse.text("", { status: 204 }))
      const empty = yield* send(none.port)
      assert.deepStrictEqual([empty.status, empty.headers["content-length"]], [204, undefined])
    })
  )

  it.live("sends each cookie", () =>
    Effect.gen(function* () {
      const response = HttpServerResponse.setCookieUnsafe(HttpServerResponse.text("text"), "a", "1")
      const { port } = yield* responding(HttpServerResponse.setCookieUnsafe(response, "b", "2"))
      assert.deepStrictEqual((yield* send(port)).headers["set-cookie"], ["a=1", "b=2"])
    })
  )

  it.live("sends streams, and lets nobody take a part of one for the whole", () =>
    Effect.gen(function* () {
      const parts = Stream.make(bytesOf("one "), bytesOf("two"))
      const whole = yield* responding(HttpServerResponse.stream(parts))
      assert.strictEqual((yield* send(whole.port)).body, "one two")
      const broken = yield* responding(HttpServerResponse.stream(Stream.concat(parts, Stream.fail("broken"))))
      assert.isFalse((yield* send(broken.port)).complete)
    })
  )

  it.live("shows a request as it came, and with the body that came", () =>
    Effect.gen(function* () {
      const { port } = yield* serving(
        Effect.gen(function* () {
          const { cookies, headers, json, method, originalUrl, stream, urlParamsBody, url } =
            yield* HttpServerRequest.HttpServerRequest
          const streamed = yield* Stream.mkString(Stream.decodeText(stream))
          const isRead = Exit.isSuccess(yield* Effect.exit(urlParamsBody))
          const host = headers["host"] ?? ""
          const shown = { method, url, cookies, isRead, json: yield* json, streamed }
          return HttpServerResponse.jsonUnsafe({ ...shown, original: originalUrl === `http://${host}${url}` })
        })
      )
      assert.deepStrictEqual(JSON.parse((yield* send(port, { method: "POST", path: "/a?b=c", body: "[1]" })).body), {
        method: "POST",
        url: "/a?b=c",
        cookies: {},
        isRead: true,
        json: [1],
        streamed: "[1]",
        original: true
      })
    })
  )

  it.live("takes the host of a whole address for that of the request", () =>
    Effect.gen(function* () {
      const { port } = yield* serving(
        Effect.map(HttpServerRequest.HttpServerRequest, ({ headers, url }) =>
          HttpServerResponse.text(`${headers["host"]} ${url}`)
        )
      )
      assert.strictEqual((yield* send(port, { path: "http://parcela.example/a?b" })).body, "parcela.example /a?b")
    })
  )

  it.live("is a 500 where an application fails, and ends what the request opened", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<string>()
      const opened = Effect.addFinalizer(() => Deferred.succeed(ended, "ended"))
      const { port } = yield* serving(Effect.andThen(opened, Effect.fail("fault")))
      assert.strictEqual((yield* send(port)).status, 500)
      assert.strictEqual(yield* Deferred.await(ended), "ended")
    })
  )

  it.live("closes the connection where a response has a field that cannot be sent, and reports it", () =>
    Effect.gen(function* () {
      const faults: Array<unknown> = []
      const response = HttpServerResponse.text("text", { headers: { field: "a\nb" } })
      const { port } = yield* serving(Effect.succeed(response), (fault) => faults.push(fault))
      assert.match((yield* Effect.flip(send(port))).message, /hang up/)
      assert.isTrue(faults[0] instanceof TypeError)
    })
  )

  it.live("interrupts what runs for a client that left", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<string>()
      const { port } = yield* serving(
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(interrupted, "interrupted"))
        )
      )
      const client = yield* Effect.forkChild(Effect.exit(send(port)))
      yield* Deferred.await(begun)
      client.interruptUnsafe()
      assert.strictEqual(yield* Deferred.await(interrupted), "interrupted")
    })
  )

  it.live("lets what runs end when it is closed", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const going = yield* Deferred.make<void>()
      const { close, port, server } = yield* serving(
        Deferred.succeed(begun, undefined).pipe(
          Effect.andThen(Deferred.await(going)),
          Effect.as(HttpServerResponse.text("done"))
        )
      )
      const client = yield* Effect.forkChild(send(port))
      yield* Deferred.await(begun)
      const closing = yield* Effect.forkChild(close)
      yield* Effect.repeat(Effect.yieldNow, { until: () => !server.listening })
      yield* Deferred.succeed(going, undefined)
      assert.strictEqual((yield* Fiber.join(client)).body, "done")
      yield* Fiber.join(closing)
    })
  )

  it.live("fails where its port is taken", () =>
    Effect.gen(function* () {
      const { port } = yield* responding(HttpServerResponse.text("first"))
      const server = makeNodeServer({ now: () => performance.now() })
      const options = { host: "127.0.0.1", port, gracefulShutdown: Duration.seconds(1) }
      const error = yield* Effect.flip(Effect.scoped(EffectServer.make(server, options)))
      assert.strictEqual(error._tag, "ServeError")
    })
  )

  it.live("gives an application what it was served with", () =>
    Effect.gen(function* () {
      const Name = Context.Reference<string>("@parcela/service/test/Name", { defaultValue: () => "none" })
      const scoped = serving(Effect.map(Name, (name) => HttpServerResponse.text(name)))
      const { port } = yield* Effect.provideService(scoped, Name, "given")
      assert.strictEqual((yield* send(port)).body, "given")
    })
  )
})
