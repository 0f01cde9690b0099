import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bodyOf, confirmHash, secretText, signed } from "./fixtures/Deliveries.ts"
import { start } from "./fixtures/Process.ts"
import { settingNames } from "../src/Settings.ts"

const settings = Effect.map(temporaryFolder, (folder) => ({
  PARCELA_RECEIVER_DATABASE: join(folder, "receiver.db"),
  PARCELA_WEBHOOK_SECRET: secretText,
  PARCELA_CONFIRM_HASH: confirmHash
}))

const deliver = Effect.fnUntraced(function* (address: string, id: number) {
  const init = signed(String(id), bodyOf(id), yield* Clock.currentTimeMillis)
  return yield* Effect.promise(async () => (await fetch(address, init)).text())
})

/** Waits until new connections are refused, because the receiver has started to stop. */
const refusing = (url: URL) =>
  Effect.callback<void>((resume) => {
    const tryToConnect = () => {
      const socket = connect(Number(url.port), url.hostname, () => {
        socket.destroy()
        tryToConnect()
      }).once("error", () => resume(Effect.void))
    }
    tryToConnect()
  })

// Live tests: the process uses the wall clock, so the deliveries must be signed with its time.
describe("the program", () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

  it("refuses an argument such as --port=8031 and names --help", () => {
    const { status, stderr } = spawnSync(process.execPath, [main, "--port=8031"], { encoding: "utf8" })
    assert.strictEqual(status, 1)
    assert.match(stderr, /^The receiver takes no arguments: .*PARCELA_RECEIVER_PORT=8031.* --help lists them\n$/u)
  })

  it.each(["--help", "-h"])("prints all of its settings for %s, and starts nothing", (argument) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [main, argument], { encoding: "utf8", env: {} })
    assert.deepStrictEqual([status, stderr], [0, ""])
    for (const name of settingNames) assert.include(stdout, `  ${name} `)
  })

  it.live("keeps acknowledged deliveries after kill -9", () =>
    Effect.gen(function* () {
      const env = yield* settings
      const first = yield* start(env)
      assert.strictEqual(yield* deliver(yield* first.address, 1), `{"status":"new"}`)
      assert.deepStrictEqual(yield* first.stop("SIGKILL"), [null, "SIGKILL"])
      const second = yield* start(env)
      assert.strictEqual(yield* deliver(yield* second.address, 1), `{"status":"repeated"}`)
      assert.strictEqual(yield* deliver(yield* second.address, 2), `{"status":"new"}`)
      yield* second.matching("stdout", /#1 {2}repeated, not new\n/)
      yield* second.matching("stdout", /#2 {2}pay-1/)
    })
  )

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it.live(`finishes the delivery that is arriving, then ends with 0, on ${signal}`, () =>
      Effect.gen(function* () {
        const running = yield* start(yield* settings)
        const url = new URL(yield* running.address)
        const { body, headers } = signed("1", bodyOf(1), yield* Clock.currentTimeMillis)
        const answered = yield* Deferred.make<string>()
        const socket = connect(Number(url.port), url.hostname)
        let answer = ""
        socket
          .setEncoding("utf8")
          .on("data", (text: string) => {
            answer += text
          })
          .on("close", () => Deferred.doneUnsafe(answered, Effect.succeed(answer)))
        const head = Object.entries({
          ...headers,
          host: url.host,
          expect: "100-continue",
          "content-length": Buffer.byteLength(body)
        }).map(([name, value]) => `${name}: ${value}\r\n`)
        // The status 100 shows that the server waits for the body.
        const continued = yield* Deferred.make<void>()
        socket.once("data", () => Deferred.doneUnsafe(continued, Effect.void))
        socket.write(`POST / HTTP/1.1\r\n${head.join("")}\r\n`)
        yield* Deferred.await(continued)
        running.child.kill(signal)
        yield* refusing(url)
        socket.write(body)
        assert.match(yield* Deferred.await(answered), /HTTP\/1\.1 200 OK[^]*\{"status":"new"\}$/)
        assert.deepStrictEqual(yield* Deferred.await(running.exited), [0, null])
        assert.match(running.stdout, /#1 {2}pay-1/)
        assert.strictEqual(running.stderr, "")
      })
    )
  }

  it.live("fails with a line for each missing setting and with the address where a sandbox shows them", () =>
    Effect.gen(function* () {
      const running = yield* start({})
      assert.deepStrictEqual(yield* Deferred.await(running.exited), [1, null])
      assert.match(
        running.stderr,
        /^parcela webhook receiver: .*\n  PARCELA_WEBHOOK_SECRET is not set: .*\n  PARCELA_CONFIRM_HASH is not set: .*\nA sandbox .*\n$/
      )
      assert.strictEqual(running.stdout, "")
    })
  )

  it.live("fails with one line if its folder cannot be created", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, "file"), "")
      const running = yield* start({
        ...(yield* settings),
        PARCELA_RECEIVER_DATABASE: join(folder, "file", "receiver.db")
      })
      assert.deepStrictEqual(yield* Deferred.await(running.exited), [1, null])
      assert.match(
        running.stderr,
        /^parcela webhook receiver: PARCELA_RECEIVER_DATABASE: Cannot create the folder [^\n]*\n$/
      )
    })
  )

  it.live("fails with one line if another receiver uses its database", () =>
    Effect.gen(function* () {
      const env = yield* settings
      const first = yield* start(env)
      const address = yield* first.address
      const second = yield* start(env)
      assert.deepStrictEqual(yield* Deferred.await(second.exited), [1, null])
      assert.match(
        second.stderr,
        /^parcela webhook receiver: PARCELA_RECEIVER_DATABASE: The database "[^\n]*" is in use by another program[^\n]*\n$/
      )
      assert.strictEqual(second.stdout, "")
      assert.strictEqual(yield* deliver(address, 1), `{"status":"new"}`)
    })
  )

  it.live("ends when the reader of its output is gone and does not acknowledge a delivery that it cannot print", () =>
    Effect.gen(function* () {
      const env = yield* settings
      const running = yield* start(env)
      const address = yield* running.address
      yield* running.matching("stdout", /checks.*\n/)
      running.child.stdout!.destroy()
      assert.include(yield* deliver(address, 1), "The delivery is stored, but its line was not printed")
      assert.deepStrictEqual(yield* Deferred.await(running.exited), [0, null])
      assert.isTrue(existsSync(env.PARCELA_RECEIVER_DATABASE))
      assert.match(running.stderr, /^refused with 503: The delivery is stored/mu)
    })
  )
})
