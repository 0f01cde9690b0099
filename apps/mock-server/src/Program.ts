/**
 * Starts the sandbox, says in a few lines how to reach it, and stops when a signal asks for it.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { wrapped } from "@parcela/core/language/Wrapping"
import { type ActivityLogOptions, writeEvent } from "@parcela/service/ActivityLog"
import * as SandboxModule from "@parcela/sandbox/Sandbox"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { exposure } from "./Exposure.ts"
import { greeting } from "./Greeting.ts"
import { help } from "./Help.ts"
import { logWriter } from "./LogWriter.ts"
import { neighbourAt } from "./Neighbour.ts"
import { environment, type Settings, settings, unknownSettings } from "./Settings.ts"
import { boundShutdown } from "./ShutdownBound.ts"
import { isPortTaken, startErrorOf } from "./StartError.ts"

const greet = (chosen: Settings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sandbox = yield* SandboxModule.Sandbox
      const hasControlsToken = chosen.controlsToken !== undefined
      process.stdout.write(`${greeting(sandbox, { ...chosen, hasControlsToken })}\n`)
    })
  )

/** The log goes to standard error: what a script reads from standard output is the greeting alone. */
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
    // A terminal may be made wider or narrower; what is none has no columns.
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

/** One reason goes on in the same line; each of several settings has a line of its own. */
const notStarted = ({ message }: Error): string =>
  message.includes("\n")
    ? `The sandbox did not start, as settings cannot be used:\n${message}`
    : `The sandbox did not start. ${message}`

/** The error with what can be found out about the place where it was to listen. */
const explain = Effect.fnUntraced(function* (error: { readonly _tag: string } & Error, { host, port }: Settings) {
  const neighbour = isPortTaken(error) ? yield* neighbourAt(host, port) : undefined
  return yield* startErrorOf(error, { host, port, neighbour })
})

/** Of the sandbox that this process runs, once its settings are known. */
let log: ActivityLogOptions | undefined

/** In the log as its other lines are, where there is one. */
const sayLast = (text: string): void =>
  log === undefined ? complain(text) : writeEvent(log, { date: new Date(), level: "Error", text })

const program = Effect.gen(function* () {
  yield* Effect.forEach(unknownSettings(Object.keys(process.env)), warn)
  const chosen = yield* Effect.provide(settings, environment)
  const exposed = exposure(chosen)
  if (exposed !== undefined) yield* warn(exposed)
  log = logOf(chosen)
  const sandbox = Layer.provide(greet(chosen), SandboxModule.layer({ ...chosen, log }))
  return yield* Effect.catch(Layer.launch(sandbox), (error) => explain(error, chosen))
})

/** Prints help where that is asked for; else runs until SIGINT or SIGTERM, then finishes what is running, as far as that ends in time. */
export const main = (): void => {
  // `main.ts` lets no other argument through.
  if (process.argv.length > 2) {
    process.stdout.write(`${help}\n`)
    return
  }
  boundShutdown(sayLast)
  program.pipe(
    Effect.tapError((error) => Effect.sync(() => complain(notStarted(error)))),
    // A part of the program that cannot be loaded, for one.
    Effect.tapDefect((defect) =>
      Effect.sync(() =>
        process.stderr.write(`The sandbox ended by a fault of its own. ${Cause.pretty(Cause.die(defect))}\n`)
      )
    ),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      // A signal to stop is no failure: the supervisor of the process sees a 0.
      teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    })
  )
}
