/** A sandbox in this process. */
import { profile, ServiceName, type NamingProfile } from "@parcela/core/json/NamingProfile"
import * as SandboxLayer from "@parcela/sandbox/Sandbox"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SandboxOptions } from "../Sandbox.ts"
import { SandboxError } from "../SandboxError.ts"
import { invalid } from "./errors.ts"
import { closedError, logOf, noticedAtOnce, type Running } from "./running.ts"

export const namingOf = (name: string | undefined): NamingProfile | undefined => {
  if (name === undefined) return undefined
  const read = Schema.decodeUnknownResult(ServiceName)(name)
  if (Result.isFailure(read)) throw invalid("Sandbox.naming", `is no name of a service: ${JSON.stringify(name)}`)
  return profile(read.success)
}

/** Format of the log of the kit's sandboxes. */
const format = { format: "text", colour: false } as const

export const runInProcess = async (options: SandboxOptions): Promise<Running> => {
  const { database = ":memory:", language, port = 0, strictRequests } = options
  const naming = namingOf(options.naming)
  const { lines, write } = logOf(options.log)
  const runtime = ManagedRuntime.make(
    SandboxLayer.layer({
      database,
      language,
      port,
      strictRequests,
      naming,
      log: { ...format, write },
      // The caller of `stop` has received its responses.
      lingering: 0
    })
  )
  let stopped: SandboxError | undefined
  const stop = async () => {
    stopped = closedError()
    await runtime.dispose()
  }
  try {
    const { clientSecret, confirmHash, url, webhookSecret, ...sandbox } = await runtime.runPromise(SandboxLayer.Sandbox)
    const keys = {
      ...sandbox,
      clientSecret: Redacted.value(clientSecret),
      confirmHash: Redacted.value(confirmHash),
      webhookSecret: Redacted.value(webhookSecret)
    }
    return { url, keys, pid: process.pid, logs: () => [...lines], gone: () => stopped, noticed: noticedAtOnce, stop }
  } catch (cause) {
    await runtime.dispose()
    throw notStarted(cause, lines)
  }
}

/** Its message with the message of its root cause, such as a used port or a file that cannot be opened. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const reason = error.cause === undefined ? "" : reasonOf(error.cause)
  return error.message.includes(reason)
    ? error.message
    : [error.message, reason].filter((text) => text !== "").join(": ")
}

export const notStarted = (cause: unknown, lines: ReadonlyArray<string>): SandboxError =>
  new SandboxError("notStarted", [`The sandbox did not start. ${reasonOf(cause)}`, ...lines.slice(-20)].join("\n"), {
    cause
  })
