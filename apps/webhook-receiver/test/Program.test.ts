import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer, request } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { layer } from "../src/Program.ts"
import { bodyOf, confirmHash, secretText, signed } from "./fixtures/Deliveries.ts"

const now = 1_785_585_600_000

/** A receiver on a free port that ends with the scope, and the lines that it writes. */
const receiver = Effect.fnUntraced(function* (
  env?: Record<string, string>,
  {
    beforeLine = () => Effect.void,
    columns = Infinity,
    isTerminal = false
  }: {
    readonly beforeLine?: (line: string) => Effect.Effect<void>
    readonly columns?: number
    readonly isTerminal?: boolean
  } = {}
) {
  yield* TestClock.setTime(now)
  const lines: Array<string> = []
  const errors: Array<string> = []
  const waiting: Array<() => void> = []
  const settings = {
    PARCELA_RECEIVER_PORT: "0",
    PARCELA_RECEIVER_DATABASE: join(yield* temporaryFolder, "new", "receiver.db"),
    PARCELA_WEBHOOK_SECRET: secretText,
    PARCELA_CONFIRM_HASH: confirmHash,
    ...env
  }
  const output = {
    out: (line: string) =>
      Effect.andThen(
        beforeLine(line),
        Effect.sync(() => {
          lines.push(line)
          for (const look of waiting) look()
        })
      ),
    error: (line: string) => void errors.push(line),
    isTerminal,
    columns: () => columns
  }
  yield* Layer.build(layer(output)).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(settings))))
  const opening = [...lines, ...errors]
  lines.length = 0
  errors.length = 0
  const address = /http:\S+/.exec(opening.join(" "))![0]
  const request = (path: string, init?: RequestInit) =>
    Effect.promise(async () => {
      // The end of the receiver waits for idle connections.
      const headers = { connection: "close", ...(init?.headers as Record<string, string> | undefined) }
      const response = await fetch(`${address}${path}`, { ...init, headers })
      return { status: response.status, headers: response.headers, body: await response.text() }
    })
  /** Waits until that many lines are written, and returns all lines. */
  const written = (count: number) =>
    Effect.callback<ReadonlyArray<string>>((resume) => {
      const look = () => {
        if (lines.length >= count) resume(Effect.succeed(lines))
      }
      waiting.push(look)
      look()
    })
  return { address, errors, lines, opening, request, settings, written }
})

const startError = (env: Record<string, string>) =>
  Effect.map(Effect.flip(Effect.scoped(receiver(env))), (error) => error.message)

describe("a running receiver", () => {
  it.effect("writes its address, database and checks at the start, without secrets", () =>
    Effect.gen(function* () {
      const { opening, settings } = yield* receiver()
      const text = opening.join("\n")
      assert.match(text, /listens at {2}http:\/\/127\.0\.0\.1:\d+ \(POST on any path, GET \/health\)/)
      assert.include(text, `database    ${settings.PARCELA_RECEIVER_DATABASE}`)
      assert.include(
        text,
        "checks      signature and confirmHash (1 sender), an age of at most 5 minutes, and that each sender's webhookId is new"
      )
      assert.notInclude(text, secretText)
      assert.notInclude(text, confirmHash)
    })
  )

  it.effect("wraps its first lines between words in a narrow terminal", () =>
    Effect.gen(function* () {
      const { opening } = yield* receiver({}, { columns: 60 })
      const lines = opening.join("\n").split("\n")
      // A long path is not wrapped.
      for (const line of lines) if (!line.includes("receiver.db")) assert.isAtMost(line.length, 60, line)
      assert.include(lines.map((line) => line.trim()).join(" "), "minutes, and that each sender's webhookId is new")
    })
  )

  it.effect("writes a line when it begins to stop and another when it has stopped", () =>
    Effect.gen(function* () {
      const { lines } = yield* Effect.scoped(receiver())
      assert.match(lines.join("\n"), /^Stopping: .* are printed\nStopped$/u)
    })
  )

  it.effect("returns 200 to a delivery on any path and prints it once", () =>
    Effect.gen(function* () {
      const { errors, request, written } = yield* receiver()
      const answers = [
        yield* request("/", signed("1", bodyOf(1), now)),
        yield* request("/some/where?a=1", signed("1", bodyOf(1), now - 60_000)),
        yield* request("/health", signed("2", bodyOf(2), now))
      ]
      assert.deepStrictEqual(
        answers.map(({ body, status }) => [status, body]),
        [
          [200, `{"status":"new"}`],
          [200, `{"status":"repeated"}`],
          [200, `{"status":"new"}`]
        ]
      )
      assert.deepStrictEqual((yield* written(3)).toSorted(), [
        "2026-08-01 09:00:00  transaction.updateStatus  #1  pay-1 (svcPayId 77)  captured  R$ 1.234,56",
        "2026-08-01 09:00:00  transaction.updateStatus  #1  repeated, not new",
        "2026-08-01 09:00:00  transaction.updateStatus  #2  pay-1 (svcPayId 77)  captured  R$ 1.234,56"
      ])
      assert.deepStrictEqual(errors, [])
    })
  )

  describe("with a slow output", () => {
    const slow = Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const mayPrint = yield* Deferred.make<void>()
      const beforeLine = (line: string) =>
        line.includes("#1")
          ? Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(mayPrint))
          : Effect.void
      const running = yield* receiver({}, { beforeLine })
      const answer = yield* Effect.forkChild(running.request("/", signed("1", bodyOf(1), now)), {
        startImmediately: true
      })
      yield* Deferred.await(reached)
      return { ...running, answer, mayPrint: Deferred.succeed(mayPrint, undefined) }
    })

    it.effect("acknowledges a delivery after its line is printed", () =>
      Effect.gen(function* () {
        const { answer, lines, mayPrint, request } = yield* slow
        // Other deliveries are received and printed during this.
        const elsewhere = bodyOf(2, { payload: JSON.stringify({ Transaction: { svcPayId: 78, status: "captured" } }) })
        assert.strictEqual((yield* request("/", signed("2", elsewhere, now))).status, 200)
        assert.isUndefined(answer.pollUnsafe())
        yield* mayPrint
        assert.strictEqual((yield* Fiber.join(answer)).body, `{"status":"new"}`)
        assert.lengthOf(lines, 2)
      })
    )

    it.effect("returns 503 after two seconds and acknowledges the repeated delivery, which is stored", () =>
      Effect.gen(function* () {
        const { answer, errors, mayPrint, request, written } = yield* slow
        yield* TestClock.adjust("2 seconds")
        const refused = yield* Fiber.join(answer)
        assert.strictEqual(refused.status, 503)
        assert.strictEqual(refused.headers.get("retry-after"), "5")
        assert.match(errors.join(), /^refused with 503: .* printed/u)
        yield* mayPrint
        yield* written(1)
        assert.strictEqual((yield* request("/", signed("1", bodyOf(1), now))).body, `{"status":"repeated"}`)
      })
    )
  })

  it.effect("accepts a delivery with an Upgrade header", () =>
    Effect.gen(function* () {
      const { address, written } = yield* receiver()
      const { hostname, port } = new URL(address)
      const { body, headers } = signed("1", bodyOf(1), now)
      const upgrade = { connection: "upgrade", upgrade: "h2c", "content-length": Buffer.byteLength(body) }
      const status = yield* Effect.callback<number | undefined>((resume) => {
        request({ hostname, port, method: "POST", headers: { ...headers, ...upgrade } }, (response) => {
          response.resume().once("end", () => resume(Effect.succeed(response.statusCode)))
        }).end(body)
      })
      assert.strictEqual(status, 200)
      yield* written(1)
    })
  )

  it.effect("prints one of many concurrent copies of a delivery", () =>
    Effect.gen(function* () {
      const { request, written } = yield* receiver()
      const copies = Array.from({ length: 12 }, () => request("/", signed("1", bodyOf(1), now)))
      const answers = yield* Effect.all(copies, { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(({ body }) => body === `{"status":"new"}`).length, 1)
      const lines = yield* written(12)
      assert.strictEqual(lines.filter((line) => !line.endsWith("repeated, not new")).length, 1)
    })
  )

  it.effect("returns 401 to a delivery without valid proof and does not store it", () =>
    Effect.gen(function* () {
      const { errors, lines, request, written } = yield* receiver()
      const right = signed("1", bodyOf(1), now)
      const { "webhook-signature": _, ...unsigned } = right.headers
      const refused = {
        tampered: { ...right, body: right.body.replace("123456", "1") },
        swapped: { ...right, headers: { ...right.headers, "webhook-id": "2" } },
        old: signed("1", bodyOf(1), now - 301_000),
        early: signed("1", bodyOf(1), now + 301_000),
        unsigned: { ...right, headers: unsigned },
        wrongHash: signed("1", bodyOf(1, { confirmHash: "f".repeat(32) }), now)
      }
      const answers = yield* Effect.forEach(Object.values(refused), (init) => request("/", init))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        Array(6).fill(401)
      )
      assert.deepStrictEqual(
        answers.map(({ body }) => JSON.parse(body).error.message.split(":")[0]),
        [
          "No v1 signature is valid",
          "No v1 signature is valid",
          "The delivery was signed 301 s ago, and the tolerance is 300 s",
          "The delivery was signed 301 s in the future, and the tolerance is 300 s",
          "The header webhook-signature is missing",
          "The confirmHash of the body is wrong"
        ]
      )
      assert.strictEqual(errors.length, 6)
      assert.notMatch(errors.join(), /0123456789abcdef|whsec_|fffff/)
      assert.deepStrictEqual(lines, [])
      assert.strictEqual((yield* request("/", right)).body, `{"status":"new"}`)
      yield* written(1)
    })
  )

  it.effect("returns 400 to a delivery with valid proof that it cannot parse", () =>
    Effect.gen(function* () {
      const { lines, request } = yield* receiver()
      for (const body of ["", "{", "[]", bodyOf(2), bodyOf(1).replace(`"webhookId":1`, `"webhookId":"x"`)]) {
        assert.strictEqual((yield* request("/", signed("1", body, now))).status, 400)
      }
      assert.deepStrictEqual(lines, [])
    })
  )

  it.effect("accepts a body of the maximum size and refuses one byte more", () =>
    Effect.gen(function* () {
      const { request, written } = yield* receiver({ PARCELA_RECEIVER_MAXIMUM_BYTES: "1048576" })
      const padded = (length: number) => {
        const pad = (text: string) => bodyOf(1, { payload: JSON.stringify({ pad: text }) })
        return pad("x".repeat(length - pad("").length))
      }
      const tooLarge = signed("1", padded(1_048_577), now)
      const chunked = { ...tooLarge, body: new Blob([tooLarge.body]).stream(), duplex: "half" as const }
      for (const init of [tooLarge, chunked]) {
        const { body, status } = yield* request("/", init)
        assert.deepStrictEqual([status, JSON.parse(body).error.message], [413, "The body is larger than 1048576 bytes"])
      }
      assert.strictEqual((yield* request("/", signed("1", padded(1_048_576), now))).body, `{"status":"new"}`)
      yield* written(1)
    })
  )

  it.effect("refuses a body with a too large content-length before it arrives, and closes the connection", () =>
    Effect.gen(function* () {
      const { address } = yield* receiver()
      const { hostname, port } = new URL(address)
      const answer = yield* Effect.callback<string>((resume) => {
        let text = ""
        const socket = connect(Number(port), hostname, () => {
          socket.write(`POST / HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 99999999999\r\n\r\n`)
        })
        socket
          .setEncoding("utf8")
          .on("data", (part: string) => {
            text += part
          })
          .once("close", () => resume(Effect.succeed(text)))
        return Effect.sync(() => socket.destroy())
      })
      assert.match(answer, /^HTTP\/1\.1 413 [^]*connection: close/i)
    })
  )

  it.effect("accepts the largest delivery that two requests of 1 MiB can cause", () =>
    Effect.gen(function* () {
      const { request, written } = yield* receiver()
      const additionalInfo = "é".repeat(520_000)
      const payload = JSON.stringify({ Transaction: { myId: "a", additionalInfo }, Subscription: { additionalInfo } })
      assert.isAbove(payload.length, 1_000_000)
      assert.strictEqual((yield* request("/", signed("1", bodyOf(1, { payload }), now))).status, 200)
      yield* written(1)
    })
  )

  it.effect("prints late after an older status that is received after a newer one", () =>
    Effect.gen(function* () {
      const { request, written } = yield* receiver()
      for (const id of [2, 1]) {
        yield* request("/", signed(String(id), bodyOf(id), now))
        yield* written(3 - id)
      }
      assert.deepStrictEqual(
        (yield* written(2)).map((line) => line.replace(/^.*#/, "#")),
        ["#2  pay-1 (svcPayId 77)  captured  R$ 1.234,56", "#1  pay-1 (svcPayId 77)  captured  R$ 1.234,56  late"]
      )
    })
  )

  it.effect("parses and prints deliveries with the naming profile of the sender", () =>
    Effect.gen(function* () {
      const { request, written } = yield* receiver({ PARCELA_NAMING: "galaxPay", PARCELA_RECEIVER_OUTPUT: "json" })
      const payload = JSON.stringify({ Transaction: { galaxPayId: 77, subscriptionGalaxPayId: 5, status: "captured" } })
      yield* request("/", signed("1", bodyOf(1, { payload }), now))
      const [line] = yield* written(1)
      // The lines use the naming profile too.
      assert.deepStrictEqual(JSON.parse(line!).transaction, {
        galaxPayId: 77,
        subscriptionGalaxPayId: 5,
        status: "captured"
      })
    })
  )

  it.effect("returns 409 to another body with a known webhookId", () =>
    Effect.gen(function* () {
      const { errors, request, written } = yield* receiver()
      yield* request("/", signed("1", bodyOf(1), now))
      const other = yield* request("/", signed("1", bodyOf(1, { payload: "{}" }), now))
      assert.strictEqual(other.status, 409)
      assert.match(errors.join(), /refused with 409: webhookId 1 is stored with another body/)
      yield* written(1)
    })
  )

  it.effect("refuses a body as soon as it is too large", () =>
    Effect.gen(function* () {
      const { address } = yield* receiver()
      const { hostname, port } = new URL(address)
      const answer = yield* Effect.callback<string>((resume) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`POST / HTTP/1.1\r\nhost: ${hostname}\r\ntransfer-encoding: chunked\r\n\r\n`)
          socket.write(`${(4_194_305).toString(16)}\r\n`)
          socket.write(Buffer.alloc(4_194_305, "x"))
        })
        socket.setEncoding("utf8").once("data", (text: string) => resume(Effect.succeed(text)))
        return Effect.sync(() => socket.destroy())
      })
      assert.match(answer, /^HTTP\/1\.1 413 /)
    })
  )

  it.effect(
    "accepts a signed delivery while 300 connections slowly send unsigned bodies, whose memory is limited",
    () =>
      Effect.gen(function* () {
        const { address, errors, request, written } = yield* receiver()
        const { hostname, port } = new URL(address)
        const part = Buffer.alloc(256_000, "x")
        const closed: Array<string> = []
        const sockets = yield* Effect.acquireRelease(
          Effect.sync(() => Array.from({ length: 300 }, () => connect(Number(port), hostname))),
          (opened) => Effect.sync(() => opened.forEach((socket) => socket.destroy()))
        )
        // At most 262 of these bodies fit into the 64 MiB of arriving bodies.
        yield* Effect.callback<void>((resume) => {
          for (const socket of sockets) {
            let received = ""
            socket.setEncoding("utf8").on("data", (text: string) => (received += text))
            // The connection is closed while the client sends, which may cause a reset.
            socket.on("error", () => {})
            socket.on("close", () => closed.push(received) === 38 && resume(Effect.void))
            socket.write(`POST / HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000000\r\n\r\n`)
            socket.write(part)
          }
        })
        for (const socket of sockets) socket.write("x")
        const { body, status } = yield* request("/", signed("1", bodyOf(1), now))
        assert.deepStrictEqual([status, body], [200, `{"status":"new"}`])
        yield* written(1)
        assert.isBelow(closed.length, 150)
        const answers = closed.filter((received) => received !== "")
        assert.isNotEmpty(answers)
        for (const text of answers) assert.match(text, /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n/i)
        assert.include(errors, "refused with 503: The service has too many requests: nothing was changed, try again")
      })
  )

  it.effect("returns 405 with the allowed methods to any other method", () =>
    Effect.gen(function* () {
      const { request } = yield* receiver()
      for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const { headers, status } = yield* request("/hooks", { method })
        assert.deepStrictEqual([status, headers.get("allow")], [405, "POST"])
      }
      const put = yield* request("/health", { method: "PUT" })
      assert.deepStrictEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD, POST"])
    })
  )

  it.effect("returns 200 to a health check", () =>
    Effect.gen(function* () {
      const { request } = yield* receiver()
      const { body, headers, status } = yield* request("/health?now")
      assert.deepStrictEqual([status, headers.get("content-type"), body], [200, "application/json", `{"status":"ok"}`])
      assert.strictEqual((yield* request("/health", { method: "HEAD" })).status, 200)
    })
  )

  it.effect("writes only new deliveries to the standard output with JSON lines", () =>
    Effect.gen(function* () {
      const { request, written } = yield* receiver({ PARCELA_RECEIVER_OUTPUT: "json" }, { isTerminal: true })
      yield* request("/", signed("1", bodyOf(1), now))
      yield* request("/", signed("1", bodyOf(1), now))
      yield* request("/", signed("2", bodyOf(2), now))
      const lines = yield* written(2)
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line).webhookId),
        [1, 2]
      )
      assert.notInclude(lines.join(), confirmHash)
    })
  )

  it.effect("writes log messages to the standard error", () =>
    Effect.gen(function* () {
      const { errors, lines, request } = yield* receiver(
        { PARCELA_RECEIVER_OUTPUT: "json" },
        { beforeLine: () => Effect.die(new Error("a defect of the output")) }
      )
      const response = yield* Effect.forkChild(request("/", signed("1", bodyOf(1), now)))
      yield* Effect.repeat(
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
        {
          until: () => errors.some((line) => line.includes("a defect of the output"))
        }
      )
      assert.deepStrictEqual(lines, [])
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(response)).status, 503)
    })
  )

  it.effect("uses colours in a terminal unless NO_COLOR is set", () =>
    Effect.gen(function* () {
      const coloured = yield* receiver({}, { isTerminal: true })
      yield* coloured.request("/", signed("1", bodyOf(1), now))
      assert.include((yield* coloured.written(1))[0], "\u001b[32mcaptured")
      const plain = yield* receiver({ NO_COLOR: "1" }, { isTerminal: true })
      yield* plain.request("/", signed("1", bodyOf(1), now))
      assert.notInclude((yield* plain.written(1))[0], "\u001b")
    })
  )

  it.effect("prints all stored deliveries before it ends", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.scoped(
        Effect.gen(function* () {
          const running = yield* receiver()
          yield* Effect.forEach([1, 2, 3], (id) => running.request("/", signed(String(id), bodyOf(id), now)))
          return running
        })
      )
      assert.deepStrictEqual(
        ended.lines.flatMap((line) => /#\d/.exec(line) ?? []),
        ["#1", "#2", "#3"]
      )
      assert.strictEqual(ended.lines.at(-1), "Stopped")
    })
  )
})

describe("a receiver that cannot start", () => {
  it.effect("names a port that is in use", () =>
    Effect.gen(function* () {
      const server = createServer()
      const listening = yield* Deferred.make<void>()
      yield* Effect.acquireRelease(
        Effect.sync(() => server.listen(0, "127.0.0.1", () => Deferred.doneUnsafe(listening, Effect.void))),
        () => Effect.sync(() => server.close())
      )
      yield* Deferred.await(listening)
      const { port } = server.address() as AddressInfo
      assert.strictEqual(
        yield* startError({ PARCELA_RECEIVER_PORT: String(port) }),
        `PARCELA_RECEIVER_PORT: port ${port} of 127.0.0.1 is in use: choose another port, or stop the program that uses it`
      )
    })
  )

  it.effect("names a database that cannot be opened", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      assert.strictEqual(
        yield* startError({ PARCELA_RECEIVER_DATABASE: folder }),
        `PARCELA_RECEIVER_DATABASE: "${folder}" is a folder: name a file in it.`
      )
    })
  )

  it.effect("refuses a database that a newer receiver has migrated", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "receiver.db")
      yield* Effect.scoped(receiver({ PARCELA_RECEIVER_DATABASE: file }))
      const database = new DatabaseSync(file)
      database.exec("INSERT INTO inbox_migrations (migration_id, name) VALUES (9, 'later')")
      database.close()
      const message = yield* startError({ PARCELA_RECEIVER_DATABASE: file })
      assert.match(
        message,
        /^PARCELA_RECEIVER_DATABASE: The database was migrated by a newer version \(migration 9, this version knows up to 1\)/
      )
    })
  )

  it.effect("refuses the database of another program, such as a sandbox, without changing it", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "sandbox.db")
      const other = new DatabaseSync(file)
      other.exec("CREATE TABLE companies (id INTEGER PRIMARY KEY)")
      const message = yield* startError({ PARCELA_RECEIVER_DATABASE: file })
      assert.include(message, "belongs to another program (its tables: companies)")
      assert.deepStrictEqual(
        other
          .prepare("SELECT name FROM sqlite_master")
          .all()
          .map(({ name }) => name),
        ["companies"]
      )
      other.close()
    })
  )

  it.effect("names an address that is not an address of this machine", () =>
    Effect.gen(function* () {
      // TEST-NET-1 (RFC 5737), which no machine has.
      const message = yield* startError({ PARCELA_RECEIVER_HOST: "192.0.2.1" })
      assert.match(message, /^PARCELA_RECEIVER_HOST: 192\.0\.2\.1 is not an address of this machine/)
    })
  )
})
