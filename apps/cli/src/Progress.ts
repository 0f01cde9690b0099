/**
 * The progress of long operations: one line on standard error that is overwritten, in terminals only.
 *
 * @since 0.1.0
 */
import { Context, Effect, Stdio, Stream } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { Json } from "./GlobalFlags.ts"

const eraseLine = "\r\u001b[K"

/** Overwrites the line; does nothing in a pipe or with `--json`. */
export const progress = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const { canAnimate } = Context.get(yield* Effect.context<never>(), TerminalCapabilities.TerminalCapabilities)
  const isShown = canAnimate && (yield* stdio.stderrIsTerminal) && !(yield* Json)
  return (line: string): Effect.Effect<void> =>
    isShown
      ? Effect.ignore(Stream.run(Stream.make(`${eraseLine}${line}`), stdio.stderr({ endOnDone: false })))
      : Effect.void
})
