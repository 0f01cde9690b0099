/**
 * How far long work has come: one line on standard error that is written anew, in a terminal only.
 *
 * @since 0.1.0
 */
import { Context, Effect, Stdio, Stream } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { Json } from "./GlobalFlags.ts"

const eraseLine = "\r\u001b[K"

/** Writes the line anew; does nothing in a pipe, and with `--json`. */
export const progress = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const { canAnimate } = Context.get(yield* Effect.context<never>(), TerminalCapabilities.TerminalCapabilities)
  const isShown = canAnimate && (yield* stdio.stderrIsTerminal) && !(yield* Json)
  return (line: string): Effect.Effect<void> =>
    isShown
      ? Effect.ignore(Stream.run(Stream.make(`${eraseLine}${line}`), stdio.stderr({ endOnDone: false })))
      : Effect.void
})
