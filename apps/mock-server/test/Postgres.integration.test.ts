import { temporaryFolder } from "@parcela/test-world/TemporaryFile"
import { assert, describe, it } from "@effect/vitest"
import { newDatabase } from "@parcela/tooling-postgres/Database"
import { type PostgresServer, start } from "@parcela/tooling-postgres/PostgresServer"
import { Effect } from "effect"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

interface Program {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<number | null>
  readonly output: () => string
}

const run = (settings: Record<string, string>): Program => {
  const child = spawn(process.execPath, [main], { env: { PATH: process.env["PATH"], PARCELA_PORT: "0", ...settings } })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  return { child, ended: once(child, "exit").then(([code]) => code as number | null), output: () => output }
}

/** The address of the server; limited by the test's timeout. */
const address = async ({ child, output }: Program): Promise<string> => {
  while (!output().includes("Ctrl+C")) await once(child.stdout, "data")
  return String(/base URL +(http\S+)\/v2/.exec(output())?.[1])
}

const tokenOf = async (url: string): Promise<number> => {
  const response = await fetch(`${url}/v2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("sandbox:sandbox-secret")}`, "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials" })
  })
  return response.status
}

const pausedServer = (server: PostgresServer) =>
  Effect.acquireRelease(
    Effect.sync(() => server.pause()),
    (goOn) => Effect.sync(goOn)
  )

/** A sandbox that has responded, on a separate PostgreSQL: the shared one continues for other tests. */
const onOwnServer = Effect.fnUntraced(function* (timeout: string) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ stop }) => Effect.promise(stop)
  )
  const program = run({
    PARCELA_DATABASE: `${server.url}/postgres`,
    PARCELA_DATABASE_TIMEOUT: timeout,
    PARCELA_KEY_FILE: join(yield* temporaryFolder, "master.key")
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => program.child.kill("SIGKILL")))
  const url = yield* Effect.promise(() => address(program))
  assert.strictEqual(yield* Effect.promise(() => tokenOf(url)), 200)
  return { program, server, url }
})

describe("the sandbox on PostgreSQL", () => {
  it.effect(
    "serves from two processes that start at the same time on an empty database, without the password in any output",
    () =>
      Effect.gen(function* () {
        const database = yield* newDatabase
        const keyFile = join(yield* temporaryFolder, "keys/master.key")
        const settings = { PARCELA_DATABASE: database, PARCELA_KEY_FILE: keyFile }
        const programs = [run(settings), run(settings)]
        yield* Effect.addFinalizer(() => Effect.sync(() => programs.forEach(({ child }) => child.kill("SIGKILL"))))
        const urls = yield* Effect.promise(() => Promise.all(programs.map(address)))
        assert.deepStrictEqual(yield* Effect.promise(() => Promise.all(urls.map(tokenOf))), [200, 200])
        assert.isTrue(existsSync(keyFile))
        for (const { child } of programs) child.kill("SIGTERM")
        assert.deepStrictEqual(yield* Effect.promise(() => Promise.all(programs.map(({ ended }) => ended))), [0, 0])
        const { host, password, pathname } = new URL(database)
        for (const { output } of programs) {
          assert.include(output(), `postgres://${host}${pathname}`)
          assert.notInclude(output(), password)
        }
      })
  )

  it.effect(
    "reports in one line why it cannot use the database, without the password",
    () =>
      Effect.gen(function* () {
        const database = new URL(yield* newDatabase)
        const keyFile = join(yield* temporaryFolder, "master.key")
        const wrong = (change: (url: URL) => void) => {
          const url = new URL(database)
          change(url)
          return url.href
        }
        const cases = [
          [wrong((url) => (url.password = "hidden-and-wrong")), /password authentication failed/],
          [wrong((url) => (url.pathname = "/nowhere")), /database "nowhere" does not exist/],
          [wrong((url) => (url.port = "1")), /ECONNREFUSED/]
        ] as const
        for (const [url, why] of cases) {
          const { child, ended, output } = run({ PARCELA_DATABASE: url, PARCELA_KEY_FILE: keyFile })
          yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
          assert.strictEqual(yield* Effect.promise(() => ended), 1)
          assert.match(output(), /^The sandbox did not start\. PARCELA_DATABASE: [^\n]*\n$/)
          assert.match(output(), why)
          assert.notInclude(output(), new URL(url).password)
        }
        assert.isFalse(existsSync(keyFile))
      }),
    // Three programs start, one after the other.
    60_000
  )
})

// They wait for real timeouts, at the same time. With `npm run prove -- outages`.
describe.each(inject("prove").long ? ["hangs"] : [])(
  "the sandbox on a PostgreSQL that %s",
  { concurrent: true },
  () => {
    it.effect(
      "refuses waiting requests, continues afterwards, and stops on a signal",
      () =>
        Effect.gen(function* () {
          const { program, server, url } = yield* onOwnServer("1 second")
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* pausedServer(server)
              const statuses = yield* Effect.promise(() => Promise.all(Array.from({ length: 30 }, () => tokenOf(url))))
              assert.deepStrictEqual([...new Set(statuses)], [503])
            })
          )
          assert.strictEqual(yield* Effect.promise(() => tokenOf(url)), 200)
          yield* pausedServer(server)
          assert.strictEqual(yield* Effect.promise(() => tokenOf(url)), 503)
          program.child.kill("SIGTERM")
          assert.strictEqual(yield* Effect.promise(() => program.ended), 0)
          // The log has lines, and no traces of what happens when a database is away.
          const log = program.output().slice(program.output().indexOf("Ctrl+C") + "Ctrl+C\n".length)
          const events = log
            .trimEnd()
            .split("\n")
            .map((line): { event?: string; message?: string; cause?: string } => JSON.parse(line))
          const output = events.filter(({ event }) => event === undefined)
          assert.isTrue(
            output.some(({ message }) => /PostgreSQL at 127\.0\.0\.1:\d+ .*no reply within 1s/.test(message ?? ""))
          )
          assert.isTrue(
            output.every(({ cause, message }) => cause === undefined && !message!.includes("\n")),
            log
          )
        }),
      60_000
    )

    it.effect(
      "stops in bounded time on a signal during a longer wait for the database",
      () =>
        Effect.gen(function* () {
          const { program, server, url } = yield* onOwnServer("60 seconds")
          yield* pausedServer(server)
          // It never comes back; the connection ends with the process.
          const pending = tokenOf(url).catch(() => 0)
          // Once this responds the request before it was taken too.
          yield* Effect.promise(() => fetch(`${url}/openapi.json`).then((response) => response.arrayBuffer()))
          program.child.kill("SIGTERM")
          assert.strictEqual(yield* Effect.promise(() => program.ended), 1)
          assert.include(program.output(), "The sandbox was ended after 15 seconds")
          assert.notStrictEqual(yield* Effect.promise(() => pending), 200)
        }),
      60_000
    )
  }
)
