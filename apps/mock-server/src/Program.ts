/**
 * Starts the sandbox, says in a few lines how to reach it, and stops when a signal asks for it.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { svcPay } from "@parcela/core/json/NamingProfile"
import { shown } from "@parcela/service/DatabaseLocation"
import type { ActivityLogOptions } from "@parcela/service/ActivityLog"
import * as SandboxModule from "@parcela/sandbox/Sandbox"
import { defaults } from "@parcela/sandbox/SandboxOptions"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { logWriter } from "./LogWriter.ts"
import { neighbourAt } from "./Neighbour.ts"
import { environment, type Settings, settings, unknownSettings } from "./Settings.ts"
import { boundShutdown } from "./ShutdownBound.ts"
import { isPortTaken, startErrorOf } from "./StartError.ts"

const isTerminal = process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined

const bold = (text: string): string => (isTerminal ? `\u001b[1m${text}\u001b[22m` : text)
const dim = (text: string): string => (isTerminal ? `\u001b[2m${text}\u001b[22m` : text)

const line = (name: string, value: string, remark = ""): string =>
  `  ${dim(name.padEnd(16))}${value}${remark === "" ? "" : `  ${dim(remark)}`}`

/** Output goes to logs, where only the secret that everybody knows may stand. */
const shownSecret = (secret: string): string =>
  secret === Redacted.value(defaults.clientSecret) ? secret : "as PARCELA_CLIENT_SECRET gives it"

const greeting = (sandbox: SandboxModule.Sandbox["Service"], { database, naming, publicUrl }: Settings): string => {
  const url = publicUrl ?? sandbox.url
  return [
    bold("Parcela sandbox"),
    line("base address", `${url}/v2`),
    ...(publicUrl === undefined ? [] : [line("listens at", sandbox.url)]),
    line("docs", `${url}/docs`, `(OpenAPI: ${url}/openapi.json)`),
    ...(naming.name === svcPay.name ? [] : [line("naming", naming.name, `(keys and paths: ${naming.name}Id)`)]),
    line("client id", sandbox.clientId),
    line("client secret", shownSecret(Redacted.value(sandbox.clientSecret))),
    // Output goes to logs, so the secret that signs deliveries is not in it.
    line(
      "webhook secret",
      `curl ${sandbox.url}/sandbox/companies/${encodeURIComponent(sandbox.clientId)}`,
      "(and the confirmHash)"
    ),
    line("data", database === ":memory:" ? "in memory, gone when it stops" : shown(database)),
    line("stop", "Ctrl+C")
  ].join("\n")
}

const greet = (chosen: Settings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sandbox = yield* SandboxModule.Sandbox
      process.stdout.write(`${greeting(sandbox, chosen)}\n`)
    })
  )

/** The log goes to standard error: what a script reads from standard output is the greeting alone. */
const logOf = ({ logFormat }: Settings): ActivityLogOptions | undefined => {
  const isTerminal = process.stderr.isTTY === true
  const format = logFormat ?? (isTerminal ? "text" : "json")
  if (format === "off") return undefined
  const { end, write } = logWriter(process.stderr.fd)
  process.once("exit", end)
  return { format, write, colour: isTerminal && process.env["NO_COLOR"] === undefined }
}

const warn = (text: string) => Effect.sync(() => process.stderr.write(`warning: ${text}\n`))

/** The error with what can be found out about the place where it was to listen. */
const explain = Effect.fnUntraced(function* (error: { readonly _tag: string } & Error, { host, port }: Settings) {
  const neighbour = isPortTaken(error) ? yield* neighbourAt(host, port) : undefined
  return yield* startErrorOf(error, { host, port, neighbour })
})

const program = Effect.gen(function* () {
  yield* Effect.forEach(unknownSettings(Object.keys(process.env)), warn)
  const chosen = yield* Effect.provide(settings, environment)
  const sandbox = Layer.provide(greet(chosen), SandboxModule.layer({ ...chosen, log: logOf(chosen) }))
  return yield* Effect.catch(Layer.launch(sandbox), (error) => explain(error, chosen))
})

/** Runs until SIGINT or SIGTERM, then finishes what is running, as far as that ends in time. */
export const main = (): void => {
  boundShutdown()
  program.pipe(
    Effect.tapError((error) =>
      Effect.sync(() => process.stderr.write(`The sandbox did not start. ${error.message}\n`))
    ),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      // A signal to stop is no failure: the supervisor of the process sees a 0.
      teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    })
  )
}
