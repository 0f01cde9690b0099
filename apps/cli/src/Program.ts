/**
 * The program: runs this process's arguments and sets its exit code.
 *
 * @since 0.1.0
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Exit, Layer, Stdio } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { main } from "./Cli.ts"
import { exitCodes } from "./Failure.ts"

// Redirects are not followed, because they could send the credentials to another host.
const Http = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

const Platform = TerminalCapabilities.layer.pipe(Layer.provideMerge(NodeServices.layer))

export const program = (): void => {
  // The reader of the output is gone (`| head`).
  process.stdout.on("error", () => process.exit(0))
  Effect.flatMap(Stdio.Stdio, (stdio) => Effect.flatMap(stdio.args, main)).pipe(
    Effect.provide(Layer.merge(Platform, Http)),
    NodeRuntime.runMain({
      disableErrorReporting: true,
      teardown: (exit, onExit) =>
        onExit(Exit.isSuccess(exit) && typeof exit.value === "number" ? exit.value : exitCodes.interrupted)
    })
  )
}
