/** A sandbox that runs, however it was started. */
import { SandboxError } from "../SandboxError.ts"

/** What a company is called by. */
export interface Keys {
  readonly companyId: number
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookSecret: string
  readonly confirmHash: string
}

export interface Running {
  readonly url: string
  /** Of the company that is ready from the start. */
  readonly keys: Keys
  readonly pid: number | undefined
  readonly logs: () => ReadonlyArray<string>
  /** Why it is not there any more: it was closed, or ended by itself. */
  readonly gone: () => SandboxError | undefined
  /** Resolves once an end that lost a connection would be known. */
  readonly noticed: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A connection that was lost says nothing about a sandbox in this process, or of somebody else. */
export const noticedAtOnce = async (): Promise<void> => {}

export const closedError = (): SandboxError => new SandboxError("stopped", "The sandbox was closed")

const mostLines = 200

/** The last lines of a log, each of which is passed on as well. */
export const logOf = (pass: ((line: string) => void) | undefined) => {
  const lines: Array<string> = []
  const write = (text: string): void => {
    for (const line of text.split("\n").filter((line) => line !== "")) {
      lines.push(line)
      if (lines.length > mostLines) lines.shift()
      pass?.(line)
    }
  }
  return { lines, write }
}
