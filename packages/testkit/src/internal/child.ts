/** The program of a sandbox in a separate process. It ends when its parent ends for any reason. */
import { enableCompileCache } from "node:module"
import type { SandboxOptions } from "../Sandbox.ts"
import type { Running } from "./running.ts"

/** The first message to the parent. */
export type FromChild = Pick<Running, "url" | "keys"> | { readonly problem: string }

const send = (message: FromChild): void => {
  process.send?.(message)
}

// The parent may be gone, which ends this process too.
process.stderr.on("error", () => {})
// The connection to the parent is closed by the operating system, also when the parent is killed.
// eslint-disable-next-line parcela/no-ambient -- This is a program, and its parent is gone.
process.once("disconnect", () => process.exit())

const run = async (options: SandboxOptions): Promise<void> => {
  // Compiled code is cached between runs. Large modules are loaded after this call.
  enableCompileCache()
  const { runInProcess } = await import("./inProcess.ts")
  const { keys, stop, url } = await runInProcess({ ...options, log: (line) => process.stderr.write(`${line}\n`) })
  process.once("message", () => void stop().finally(() => process.disconnect?.()))
  send({ url, keys })
}

process.once("message", (options: SandboxOptions) => {
  run(options).catch((error: unknown) => send({ problem: error instanceof Error ? error.message : String(error) }))
})
