/** A running sandbox, however it was started. */
import { SandboxError } from "../SandboxError.ts"

/** Identifiers and secrets of a company. */
export interface Keys {
  readonly companyId: number
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookSecret: string
  readonly confirmHash: string
}

export interface Running {
  readonly url: string
  /** Of the default company. */
  readonly keys: Keys
  readonly pid: number | undefined
  readonly logs: () => ReadonlyArray<string>
  /** The reason why the sandbox has stopped: it was closed, or its process ended. */
  readonly gone: () => SandboxError | undefined
  /** Resolves when the end of the process is known after a lost connection. */
  readonly noticed: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A lost connection proves nothing about a sandbox in this process, or of another process. */
export const noticedAtOnce = async (): Promise<void> => {}

export const closedError = (): SandboxError => new SandboxError("stopped", "The sandbox was closed")

const maxLines = 200

/** Collects the last lines of a log, and passes each line on. */
export const logOf = (pass: ((line: string) => void) | undefined) => {
  const lines: Array<string> = []
  const write = (text: string): void => {
    for (const line of text.split("\n").filter((line) => line !== "")) {
      lines.push(line)
      if (lines.length > maxLines) lines.shift()
      pass?.(line)
    }
  }
  return { lines, write }
}
