/**
 * Receives deliveries until it is stopped.
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
import { help } from "./Help.ts"
import { layer } from "./Program.ts"
import type { SettingsError } from "./Settings.ts"

const complain = (text: string): void => void process.stderr.write(`${text}\n`)

/** Lines that come in one go of the event loop, as those of a shared commit do, are one write. */
const together = (stream: Writable): Output["out"] => {
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

/** Each fault begins a line, which goes on below where a terminal is too narrow; and where the secrets come from. */
const ofSettings = ({ message }: SettingsError): string => {
  const width = (process.stderr.columns || Infinity) - 4
  const faults = message.split("\n").map((fault) => `  ${wrapped(fault, width).join("\n    ")}`)
  const shownAt = "A sandbox on this machine shows both secrets: curl http://127.0.0.1:8026/sandbox/companies/sandbox"
  const hint = message.includes(" is not set") ? wrapped(shownAt, width) : []
  return ["parcela webhook receiver: did not start, as settings are missing or wrong", ...faults, ...hint].join("\n")
}

/** Prints help where that is asked for; else runs until SIGINT or SIGTERM, or until nobody reads its lines any more. */
export const main = (): void => {
  // `main.ts` lets no other argument through.
  if (process.argv.length > 2) {
    process.stdout.write(`${help}\n`)
    return
  }
  // The reader of the lines is gone (`| head`): stop as if asked to.
  process.stdout.on("error", () => process.kill(process.pid, "SIGTERM"))
  // Problems that nobody reads are no reason to stop receiving.
  process.stderr.on("error", () => {})

  Layer.launch(
    layer({
      out: together(process.stdout),
      error: complain,
      isTerminal: process.stdout.isTTY && process.env["TERM"] !== "dumb",
      // What is no terminal has no columns, and some terminals say none.
      columns: () => process.stdout.columns || Infinity
    })
  ).pipe(
    Effect.tapError((error) =>
      Effect.sync(() =>
        complain(error._tag === "SettingsError" ? ofSettings(error) : `parcela webhook receiver: ${error.message}`)
      )
    ),
    Effect.tapDefect((defect) =>
      Effect.sync(() => complain(`parcela webhook receiver: a bug: ${Cause.pretty(Cause.die(defect))}`))
    ),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    })
  )
}
