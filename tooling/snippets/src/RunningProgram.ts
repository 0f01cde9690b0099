/** A program of ours in a separate folder, without this shell's settings. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"

export interface Running {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  readonly output: () => string
}

export const run = (folder: string, main: string, settings: Readonly<Record<string, string>>): Running => {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main], {
    cwd: folder,
    // No NODE_OPTIONS, no settings of this shell.
    env: { PATH: process.env["PATH"], ...settings },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  return { child, output: () => output }
}

/** Waits until a program says something, a minute at most. */
export const until = async ({ child, output }: Running, wanted: RegExp): Promise<RegExpExecArray> => {
  const signal = AbortSignal.timeout(60_000)
  for (;;) {
    const found = wanted.exec(output())
    if (found !== null) return found
    if (child.exitCode !== null) throw new Error(`A program ended with ${child.exitCode}: ${output()}`)
    await once(child.stdout, "data", { signal }).catch(() => {
      throw new Error(`Not output: ${wanted} in ${output()}`)
    })
  }
}

export const stopped = async ({ child, output }: Running): Promise<void> => {
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const [code] = await ended
  if (code !== 0) throw new Error(`A program that was told to stop ended with ${String(code)}: ${output()}`)
}
