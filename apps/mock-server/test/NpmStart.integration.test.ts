import { assert, describe, it } from "@effect/vitest"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))

type Npm = ChildProcessByStdio<null, Readable, null>

/** `npm start` in a process group of its own and without a terminal; what it installs first is not looked at here. */
const npmStart = (folder: string, shell: string): Npm =>
  spawn("npm", ["start", "--ignore-scripts", `--script-shell=${shell}`], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, CI: "true", PARCELA_PORT: "0", PARCELA_DATABASE: join(folder, "sandbox.db") }
  })

const portOf = async (npm: Npm): Promise<number> => {
  let output = ""
  npm.stdout.setEncoding("utf8")
  for await (const text of npm.stdout) {
    output += text
    const port = /base URL +http:\/\/127\.0\.0\.1:(\d+)\/v2/.exec(output)?.[1]
    if (port !== undefined && output.includes("Ctrl+C")) return Number(port)
  }
  throw new Error(`npm start ended before the server listened: ${output}`)
}

/** Resolves when nothing listens: each attempt ends when the connection is refused or made. */
const untilFree = async (port: number): Promise<void> => {
  const deadline = AbortSignal.timeout(8_000)
  for (;;) {
    deadline.throwIfAborted()
    const socket = connect(port, "127.0.0.1")
    const isFree = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(false))
      socket.once("error", () => resolve(true))
    })
    socket.destroy()
    if (isFree) return
  }
}

/** Starts it, signals npm alone or its whole group, and waits for the port: how npm ended. */
const signalled = async (signal: NodeJS.Signals, to: "npm" | "group", shell = "/bin/sh") => {
  const folder = mkdtempSync(join(tmpdir(), "npm-start-"))
  const npm = npmStart(folder, shell)
  try {
    const port = await portOf(npm)
    const exited = once(npm, "exit", { signal: AbortSignal.timeout(8_000) })
    process.kill(to === "npm" ? npm.pid! : -npm.pid!, signal)
    const ended = await exited
    await untilFree(port)
    return ended
  } finally {
    try {
      process.kill(-npm.pid!, "SIGKILL")
    } catch {
      // No process of the group is left, as expected.
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every start takes a second of CPU: `npm run prove -- stories` has all of them. */
const { long } = inject("prove")

describe("npm start", () => {
  const stops = [
    { signal: "SIGTERM", to: "npm", shell: "/bin/sh" },
    { signal: "SIGTERM", to: "group", shell: "/bin/sh" },
    { signal: "SIGINT", to: "npm", shell: "/bin/sh" },
    { signal: "SIGINT", to: "group", shell: "/bin/sh" },
    { signal: "SIGTERM", to: "npm", shell: "bash" }
  ] as const
  it.each(long ? stops : stops.slice(0, 1))(
    "stops the server and ends with 0 on $signal to its $to under $shell",
    async ({ shell, signal, to }) => {
      assert.deepStrictEqual(await signalled(signal, to, shell), [0, null])
    }
  )

  // These end npm itself, so that it does not exit with 0.
  it.each(["SIGHUP", "SIGKILL"] as const)("leaves no server running when %s ends npm", async (signal) => {
    assert.deepStrictEqual(await signalled(signal, "npm"), [null, signal])
  })
})
