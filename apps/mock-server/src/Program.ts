/**
 * Starts the sandbox, prints how to reach it, and stops on a signal.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { wrapped } from "@parcela/core/language/Wrapping"
import { type ActivityLogOptions, writeEvent } from "@parcela/service/ActivityLog"
import * as SandboxModule from "@parcela/sandbox/Sandbox"
import * as Cause from "effect/Cause"
import { unknownVariables } from "@parcela/core/values/EnvironmentVariables"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { exposure, greeting } from "./StartupMessages.ts"
import { help } from "./Help.ts"
import { logWriter } from "./LogWriter.ts"
import { neighbourAt, isPortTaken, startErrorOf } from "./StartError.ts"
import { environment, type Settings, settings } from "./Settings.ts"

const greet = (chosen: Settings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sandbox = yield* SandboxModule.Sandbox
      const hasControlsToken = chosen.controlsToken !== undefined
      process.stdout.write(`${greeting(sandbox, { ...chosen, hasControlsToken })}\n`)
    })
  )

/** Returns the log options. The log uses standard error, so standard output contains only the greeting, for scripts. */
const logOf = ({ logFormat }: Settings): ActivityLogOptions | undefined => {
  const isTerminal = process.stderr.isTTY === true
  const format = logFormat ?? (isTerminal ? "text" : "json")
  if (format === "off") return undefined
  const { end, write } = logWriter(process.stderr.fd)
  process.once("exit", end)
  return {
    format,
    write,
    colour: isTerminal && process.env["NO_COLOR"] === undefined,
    // The width of a terminal can change; other outputs have no width.
    get columns() {
      return columnsOf(process.stderr)
    }
  }
}

const columnsOf = ({ columns }: { readonly columns?: number }): number | undefined =>
  columns === 0 ? undefined : columns

const complain = (text: string): void => {
  const lines = text.split("\n").flatMap((line) => wrapped(line, columnsOf(process.stderr) ?? Infinity))
  process.stderr.write(`${lines.join("\n")}\n`)
}

const warn = (text: string) => Effect.sync(() => complain(`warning: ${text}`))

/** Puts a single reason on the same line, and several invalid settings on lines of their own. */
const notStarted = ({ message }: Error): string =>
  message.includes("\n")
    ? `The sandbox did not start, as settings cannot be used:\n${message}`
    : `The sandbox did not start. ${message}`

/** Returns the error with information about the program on the wanted port. */
const explain = Effect.fnUntraced(function* (error: { readonly _tag: string } & Error, { host, port }: Settings) {
  const neighbour = isPortTaken(error) ? yield* neighbourAt(host, port) : undefined
  return yield* startErrorOf(error, { host, port, neighbour })
})

/** The log options of the running sandbox, once its settings are known. */
let log: ActivityLogOptions | undefined

/** Reports an error in the log's format if there is a log, or else as plain text. */
const sayLast = (text: string): void =>
  log === undefined ? complain(text) : writeEvent(log, { date: new Date(), level: "Error", text })

const program = Effect.gen(function* () {
  yield* Effect.forEach(unknownVariables(Object.keys(process.env)), warn)
  const chosen = yield* Effect.provide(settings, environment)
  const exposed = exposure(chosen)
  if (exposed !== undefined) yield* warn(exposed)
  log = logOf(chosen)
  const sandbox = Layer.provide(greet(chosen), SandboxModule.layer({ ...chosen, log }))
  return yield* Effect.catch(Layer.launch(sandbox), (error) => explain(error, chosen))
})

/**
 * Prints help if requested. Otherwise runs until SIGINT or SIGTERM, then waits for running work within a time limit.
 */
export const main = (): void => {
  // `main.ts` allows no other argument.
  if (process.argv.length > 2) {
    process.stdout.write(`${help}\n`)
    return
  }
  boundShutdown(sayLast)
  program.pipe(
    Effect.tapError((error) => Effect.sync(() => complain(notStarted(error)))),
    // For example, a module of the program that cannot be loaded.
    Effect.tapDefect((defect) =>
      Effect.sync(() =>
        process.stderr.write(`The sandbox ended because of a defect. ${Cause.pretty(Cause.die(defect))}\n`)
      )
    ),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      // A signal to stop is not a failure: the exit code is 0.
      teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    })
  )
}

/** Requests have ten seconds to finish; the remaining time is for jobs and the database. */
const seconds = 15

/**
 * Ends the process fifteen seconds after the first signal, with a message, if it still runs.
 *
 * @category constructors
 * @since 0.1.0
 */
const boundShutdown = (say: (text: string) => void): void => {
  let isStopping = false
  const start = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      say(
        `The sandbox was ended after ${seconds} seconds, because a provider or the database does not respond. The remaining work continues at the next start.`
      )
      process.exit(1)
    }, seconds * 1000).unref()
  }
  process.on("SIGINT", start)
  process.on("SIGTERM", start)
}
