/** A server in a process of its own, with what it used. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

export interface Usage {
  /** User and system time since the process started. */
  readonly cpuMicros: number
  readonly rssBytes: number
}

export interface ServerProcess {
  readonly url: string
  readonly usage: () => Promise<Usage>
  readonly stop: () => Promise<void>
}

const probe = fileURLToPath(new URL("Probe.ts", import.meta.url))
/** Milliseconds. */
const startLimit = 30_000
const stopLimit = 20_000

/** Starts a program and waits until it has printed an address. Its later output is read and dropped. */
export const start = async (options: {
  readonly program: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: ReadonlyArray<string>
  readonly nodeOptions?: ReadonlyArray<string>
}): Promise<ServerProcess> => {
  const { args = [], nodeOptions = [] } = options
  const child = spawn(process.execPath, [...nodeOptions, "--import", probe, options.program, ...args], {
    env: { ...inherited(), ...options.env },
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  const url = await addressOf(child)
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

/** The environment without settings of the shell that started the bench. */
const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^PARCELA_|^NODE_OPTIONS$/.test(name) ? [] : [[name, value]]
    )
  )

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const outputs = [child.stdout!, child.stderr!]
    let printed = ""
    const fail = (why: string) => {
      child.kill("SIGKILL")
      reject(new Error(`The server ${why}: ${printed}`))
    }
    const timer = setTimeout(() => fail("did not start in time"), startLimit)
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      // With the character that follows, so that the port is complete.
      const found = /http:\/\/[\d.]+:\d+(?=[/\s])/.exec(printed)
      if (found === null) return
      clearTimeout(timer)
      for (const output of outputs) output.off("data", read).resume()
      resolve(found[0])
    }
    for (const output of outputs) output.on("data", read)
    child.once("close", (code) => {
      clearTimeout(timer)
      reject(new Error(`The server ended with ${code}: ${printed}`))
    })
  })
