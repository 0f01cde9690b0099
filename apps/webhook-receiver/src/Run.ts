/**
 * The process of the receiver: its streams, signals, start errors and exit code.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { wrapped } from "@parcela/core/language/Wrapping"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Writable } from "node:stream"
import { type Output, OutputClosed } from "./Announcer.ts"
import { help, showSecrets } from "./Help.ts"
import { layer } from "./Program.ts"
import type { SettingsError } from "./Settings.ts"

const writeError = (text: string): void => void process.stderr.write(`${text}\n`)

/** Writes lines of the same event-loop tick with one system call. Deliveries of one commit are printed in one tick. */
const batched = (stream: Writable): Output["out"] => {
  let lines: Array<string> = []
  let resumes: Array<(written: Effect.Effect<void, OutputClosed>) => void> = []
  const write = () => {
    const [text, waiting] = [`${lines.join("\n")}\n`, resumes]
    lines = []
    resumes = []
    stream.write(text, (cause) => {
      const written = cause ? Effect.fail(new OutputClosed({ cause })) : Effect.void
      for (const resume of waiting) resume(written)
    })
  }
  return (line) =>
    Effect.callback((resume) => {
      if (lines.length === 0) process.nextTick(write)
      lines.push(line)
      resumes.push(resume)
    })
}

/** The message for missing or invalid settings: one line for each problem, and how to get the secrets of a sandbox. */
const settingsMessage = ({ message }: SettingsError): string => {
  const width = (process.stderr.columns || Infinity) - 4
  const problems = message.split("\n").map((problem) => `  ${wrapped(problem, width).join("\n    ")}`)
  const advice = `A sandbox on this machine shows both secrets: ${showSecrets}`
  const hint = message.includes(" is not set") ? wrapped(advice, width) : []
  return ["parcela webhook receiver: not started, because settings are missing or invalid", ...problems, ...hint].join(
    "\n"
  )
}

/** Prints the help, or runs until SIGINT, SIGTERM, or the reader of the output is gone. */
export const main = (): void => {
  // `main.ts` accepts only `--help`.
  if (process.argv.length > 2) {
    process.stdout.write(`${help}\n`)
    return
  }
  // The reader of the output is gone (`| head`): stop like after a signal.
  process.stdout.on("error", () => process.kill(process.pid, "SIGTERM"))
  // Deliveries are received even if the reader of the messages is gone.
  process.stderr.on("error", () => {})

  Layer.launch(
    layer({
      out: batched(process.stdout),
      error: writeError,
      isTerminal: process.stdout.isTTY && process.env["TERM"] !== "dumb",
      // Undefined without a terminal, and 0 for some terminals.
      columns: () => process.stdout.columns || Infinity
    })
  ).pipe(
    Effect.tapError((error) =>
      Effect.sync(() =>
        writeError(
          error._tag === "SettingsError" ? settingsMessage(error) : `parcela webhook receiver: ${error.message}`
        )
      )
    ),
    Effect.tapDefect((defect) =>
      Effect.sync(() => writeError(`parcela webhook receiver: a defect: ${Cause.pretty(Cause.die(defect))}`))
    ),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    })
  )
}
