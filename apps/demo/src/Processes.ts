/**
 * The processes of the scenario: servers on free ports, with a temporary folder.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as HttpClient from "effect/http/HttpClient"
import * as ChildProcess from "effect/process/ChildProcess"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"

/** A process of the scenario ended early, or never responded. */
export class ScenarioError extends Schema.TaggedError<ScenarioError>()("ScenarioError", { message: Schema.String }) {}

const program = (path: string): string => fileURLToPath(new URL(`../../${path}/src/main.ts`, import.meta.url))

/** Returns a free port. Another program may take it before its use. */
export const freePort = Effect.callback<number>((resume) => {
  const probe = createServer()
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** A folder for the databases and the key, removed after the scenario. */
export const folder = FileSystem.FileSystem.use((fs) => fs.makeTempDirectoryScoped({ prefix: "parcela-demo-" }))

type Environment = Readonly<Record<string, string | Redacted.Redacted<string>>>

/** Starts a program, which is stopped after the scenario. */
const start = (name: string, path: string, environment: Environment) =>
  Effect.gen(function* () {
    const handle = yield* ChildProcess.make(process.execPath, [program(path)], {
      env: { ...environment, NO_COLOR: "1" },
      extendEnv: true,
      stdin: "ignore",
      forceKillAfter: "5 seconds"
    })
    const lines = handle.stdout.pipe(Stream.decodeText(), Stream.splitLines)
    // Standard error is shown only if the program ends early.
    const errorOutput = yield* Effect.forkScoped(Stream.mkString(Stream.decodeText(handle.stderr)))
    const ended = Effect.gen(function* () {
      const code = yield* handle.exitCode
      const output = (yield* Fiber.join(errorOutput)).trim()
      return yield* new ScenarioError({
        message: `The ${name} ended with ${code} before the scenario was over: ${output}`
      })
    })
    return { lines, ended, pid: handle.pid }
  })

const untilHealthy = (name: string, url: string) =>
  HttpClient.HttpClient.use((client) => HttpClient.filterStatusOk(client).get(`${url}/health`)).pipe(
    Effect.scoped,
    Effect.retry(Schedule.upTo(Schedule.spaced("50 millis"), { duration: "30 seconds" })),
    Effect.mapError(() => new ScenarioError({ message: `The ${name} at ${url} did not respond within 30 seconds` }))
  )

/** A running process. */
export interface Running {
  readonly url: string
  readonly pid: number
}

/** Settings of all servers of a scenario. */
export interface SandboxSettings {
  readonly directory: string
  readonly credentials: { readonly clientId: string; readonly clientSecret: Redacted.Redacted }
  /** The path of a SQLite file, for one server, or the URL of a PostgreSQL database. */
  readonly database: Redacted.Redacted
  /** The base URL of boletos and Pix pages. */
  readonly publicUrl: string
}

/** Starts a sandbox and waits until it is ready. */
export const startSandbox = Effect.fn("startSandbox")(function* (
  port: number,
  { credentials, database, directory, publicUrl }: SandboxSettings
) {
  const url = `http://127.0.0.1:${port}`
  const { ended, lines, pid } = yield* start("sandbox", "mock-server", {
    PARCELA_HOST: "127.0.0.1",
    PARCELA_PORT: String(port),
    PARCELA_PUBLIC_URL: publicUrl,
    PARCELA_DATABASE: database,
    PARCELA_KEY_FILE: `${directory}/sandbox.db.key`,
    PARCELA_CLIENT_ID: credentials.clientId,
    PARCELA_CLIENT_SECRET: credentials.clientSecret
  })
  yield* Effect.forkScoped(Stream.runDrain(lines))
  yield* Effect.raceFirst(untilHealthy("sandbox", url), ended)
  const running: Running = { url, pid }
  return running
})

/** Starts the receiver, which prints each delivery as a line of JSON, and waits until it is ready. */
export const startReceiver = Effect.fn("startReceiver")(function* (
  port: number,
  directory: string,
  proofs: { readonly webhookSecret: Redacted.Redacted; readonly confirmHash: Redacted.Redacted }
) {
  const url = `http://127.0.0.1:${port}`
  const { ended, lines, pid } = yield* start("receiver", "webhook-receiver", {
    PARCELA_RECEIVER_HOST: "127.0.0.1",
    PARCELA_RECEIVER_PORT: String(port),
    PARCELA_RECEIVER_DATABASE: `${directory}/receiver.db`,
    PARCELA_RECEIVER_OUTPUT: "json",
    PARCELA_WEBHOOK_SECRET: proofs.webhookSecret,
    PARCELA_CONFIRM_HASH: proofs.confirmHash
  })
  yield* Effect.raceFirst(untilHealthy("receiver", url), ended)
  return { url, lines, pid }
})
