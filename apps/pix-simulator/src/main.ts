#!/usr/bin/env node
/**
 * The simulator of API Pix as a program: `npm start --prefix apps/pix-simulator`.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { simulator } from "./Program.ts"
import { settings } from "./Settings.ts"

// The reader of the output may be gone (`| head`). The server must continue to run.
process.stdout.on("error", () => {})

settings.pipe(
  Effect.flatMap((chosen) => Layer.launch(simulator(chosen))),
  Effect.tapError((error) =>
    Effect.sync(() => process.stderr.write(`The simulator did not start. ${error.message}\n`))
  ),
  Effect.tapDefect((defect) =>
    Effect.sync(() =>
      process.stderr.write(`The simulator ended because of a defect. ${Cause.pretty(Cause.die(defect))}\n`)
    )
  ),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    // A requested stop is no failure, so the exit code is 0.
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  })
)
