/** A server as a process of its own, and what it has used. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"

export interface Usage {
  /** User and system time since the process started. */
  readonly cpuMicros: number
  readonly rssBytes: number
}

export interface ServerProcess {
  readonly url: string
  readonly usage: () => Promise<Usage>
  /** Asks it to stop, and waits. */
  readonly stop: () => Promise<void>
}

const probe = fileURLToPath(new URL("Probe.ts", import.meta.url))
const startLimit = 30_000
const stopLimit = 20_000

/**
 * What a server prints is read and dropped by `cat`, once it has printed its address: a log that this process read would make
 * garbage here for each request, and the load would stand still while it is collected.
 */
const passUntilAddress = `
  while IFS= read -r line; do
    printf '%s\\n' "$line"
    case "$line" in *http://[0-9]*:[0-9]*) break ;; esac
  done
  exec cat > /dev/null
`

/** Starts a program and waits until it has printed an address. */
export const start = async (options: {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  readonly args?: ReadonlyArray<string>
}): Promise<ServerProcess> => {
  const reader = spawn("sh", ["-c", passUntilAddress], { stdio: ["pipe", "pipe", "inherit"] })
  const child = spawn(process.execPath, ["--import", probe, options.program, ...(options.args ?? [])], {
    env: { ...inherited(), ...options.env },
    stdio: ["ignore", reader.stdin, reader.stdin, "ipc"]
  })
  // Its own end of what the child writes to: the reader ends with the child.
  reader.stdin.destroy()
  const url = await addressOf(child, reader.stdout)
  return {
    url,
    usage: async () => {
      child.send("usage")
      const [usage] = (await once(child, "message")) as [Usage]
      return usage
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, "exit")
      child.kill("SIGTERM")
      const timer = setTimeout(() => child.kill("SIGKILL"), stopLimit)
      await exited
      clearTimeout(timer)
    }
  }
}

// Settings of the shell that started the bench are not what is measured.
const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^PARCELA_|^NODE_OPTIONS$/.test(name) ? [] : [[name, value]]
    )
  )

const addressOf = async (child: ChildProcess, output: Readable): Promise<string> => {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill("SIGKILL")
  }, startLimit)
  let printed = ""
  try {
    for await (const chunk of output) {
      printed += String(chunk)
      // The end of the line too, so that the port is whole.
      const found = /http:\/\/[\d.]+:\d+(?=[/\s])/.exec(printed)
      if (found !== null) return found[0]
    }
  } finally {
    clearTimeout(timer)
  }
  throw new Error(`The server ${isLate ? "did not start in time" : "ended"}: ${printed}`)
}
