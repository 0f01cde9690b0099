/**
 * Receives deliveries until it is stopped.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { OutputClosed } from "./Announcer.ts"
import { layer } from "./Program.ts"

const complain = (text: string): void => void process.stderr.write(`${text}\n`)

/** Runs until SIGINT or SIGTERM, or until nobody reads its lines any more. */
export const main = (): void => {
  // The reader of the lines is gone (`| head`): stop as if asked to.
  process.stdout.on("error", () => process.kill(process.pid, "SIGTERM"))
  // Problems that nobody reads are no reason to stop receiving.
  process.stderr.on("error", () => {})

  Layer.launch(
    layer({
      out: (line) =>
        Effect.callback((resume) => {
          process.stdout.write(`${line}\n`, (cause) =>
            resume(cause ? Effect.fail(new OutputClosed({ cause })) : Effect.void)
          )
        }),
      error: complain,
      isTerminal: process.stdout.isTTY && process.env["TERM"] !== "dumb"
    })
  ).pipe(
    Effect.tapError((error) => Effect.sync(() => complain(`parcela webhook receiver: ${error.message}`))),
    Effect.tapDefect((defect) =>
      Effect.sync(() => complain(`parcela webhook receiver: a bug: ${Cause.pretty(Cause.die(defect))}`))
    ),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
    })
  )
}
