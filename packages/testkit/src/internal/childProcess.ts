/** A sandbox in a separate process, as its parent controls it. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Socket } from "node:net"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import type { SandboxOptions } from "../Sandbox.ts"
import { SandboxError } from "../SandboxError.ts"
import type { FromChild } from "./child.ts"
import { namingOf, notStarted } from "./inProcess.ts"
import { closedError, logOf, type Running } from "./running.ts"

/** In the folder of this module, or of the bundle that contains it. */
const program = fileURLToPath(new URL(`./child${extname(import.meta.url)}`, import.meta.url))

/** Time for a child to stop. */
const patience = "10 seconds"
/** Time within which the end of a child is known after a lost connection. */
const notice = "500 millis"

/** The child's first message, or undefined if the child ended before. */
const firstMessageOf = (child: ChildProcess): Promise<FromChild | undefined> =>
  new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as FromChild)) // `child.ts` sends nothing else.
    child.once("exit", () => resolve(undefined))
    child.once("error", reject)
  })

/** Lets the parent's process end although the child runs: the child ends with its parent. */
const release = (child: ChildProcess): void => {
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
}

export const runInChild = async ({ log, ...options }: SandboxOptions): Promise<Running> => {
  // Refused here, with the code of an invalid argument.
  namingOf(options.naming)
  const { lines, write } = logOf(log)
  const flags = ["--disable-warning=ExperimentalWarning"]
  const child = spawn(process.execPath, [...flags, program], { stdio: ["ignore", "ignore", "pipe", "ipc"] })
  createInterface({ input: child.stderr! }).on("line", write) // Standard error is a pipe.
  // `once` of node:events would reject without a handler if the program cannot be started.
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  child.send(options)
  const first = await firstMessageOf(child).catch((cause: unknown) => {
    throw notStarted(cause, lines)
  })
  if (first === undefined || "problem" in first) {
    child.kill("SIGKILL")
    await exited
    throw notStarted(first?.problem ?? `Its process ended with ${child.exitCode ?? child.signalCode}.`, lines)
  }
  release(child)

  let closing = false
  const gone = () => {
    if (closing) return closedError()
    const how = child.exitCode ?? child.signalCode
    if (how === null) return undefined
    const last = lines.slice(-20).map((line) => `\n${line}`)
    return new SandboxError("stopped", `The process of the sandbox ended by itself, with ${how}.${last.join("")}`)
  }
  const exitsWithin = (time: Duration.Input): Promise<boolean> =>
    Effect.runPromise(
      Effect.timeoutOrElse(
        Effect.promise(() => exited.then(() => true)),
        { duration: time, orElse: () => Effect.succeed(false) }
      )
    )
  const noticed = async () => {
    await exitsWithin(notice)
  }
  const stop = async () => {
    closing = true
    if (child.connected) child.send("stop")
    if (!(await exitsWithin(patience))) child.kill("SIGKILL")
    await exited
  }
  return { ...first, pid: child.pid, logs: () => [...lines], gone, noticed, stop }
}
