/** The program of a sandbox that has a process of its own. It ends when its parent does, however that ends. */
import type { SandboxOptions } from "../Sandbox.ts"
import { runInProcess } from "./inProcess.ts"
import type { Running } from "./running.ts"

/** What the parent is told first. */
export type FromChild = Pick<Running, "url" | "keys"> | { readonly problem: string }

const send = (message: FromChild): void => {
  process.send?.(message)
}

// The parent may be gone, which ends this process too.
process.stderr.on("error", () => {})
// The connection to the parent is closed by the operating system, also when the parent is killed.
// eslint-disable-next-line parcela/no-ambient -- This is a program, and nobody is there to tell that it failed.
process.once("disconnect", () => process.exit())

process.once("message", (options: SandboxOptions) => {
  void runInProcess({ ...options, log: (line) => process.stderr.write(`${line}\n`) }).then(
    ({ keys, stop, url }) => {
      process.once("message", () => void stop().finally(() => process.disconnect?.()))
      send({ url, keys })
    },
    (error: unknown) => send({ problem: error instanceof Error ? error.message : String(error) })
  )
})
