/** A sandbox in a process of its own, as those have it who installed the kit: `tooling/snippets/src/recipes.ts` runs this. */
import { startSandbox } from "@parcela/testkit"
import { equal, match, notEqual, ok, rejects } from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const isThere = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A process ends when the operating system says so. */
const ended = async (pid) => {
  while (isThere(pid)) await delay(10)
}

/** A program that did not close its sandbox, with the process of that. */
const parent = async (...args) => {
  const program = fileURLToPath(new URL("parent.mjs", import.meta.url))
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const exited = once(child, "exit")
  const [line] = await once(child.stdout, "data")
  return { child, exited, sandbox: Number(String(line)) }
}

const folder = mkdtempSync(join(tmpdir(), "testkit-"))
test.after(() => rmSync(folder, { recursive: true, force: true }))

test("keeps its file over kill -9, and says how it ended", { timeout: 20_000 }, async () => {
  const database = join(folder, "sandbox.db")
  const first = await startSandbox({ process: true, database })
  notEqual(first.pid, process.pid)
  const { clientId } = await first.company()
  process.kill(first.pid, "SIGKILL")
  await rejects(first.clock(), ({ code, message }) => {
    equal(code, "stopped")
    match(message, /^The process of the sandbox ended by itself, with SIGKILL\.\n[^]*\/sandbox\/companies/u)
    return true
  })
  await first.close()

  const lines = []
  await using second = await startSandbox({ process: true, database, log: (line) => lines.push(line) })
  await rejects(second.company({ clientId }), { code: "refused", status: 400 })
  // They come through a pipe of their own.
  while (lines.length === 0) await delay(10)
})

test("keeps no program running that forgot to close it, and ends with it", { timeout: 20_000 }, async () => {
  const { exited, sandbox } = await parent()
  const [code] = await exited
  equal(code, 0)
  await ended(sandbox)
})

test("ends with a program that is killed", { timeout: 20_000 }, async () => {
  const { child, exited, sandbox } = await parent("goes-on")
  ok(isThere(sandbox))
  child.kill("SIGKILL")
  await exited
  await ended(sandbox)
})

test("says why it does not start", { timeout: 20_000 }, async () => {
  await rejects(startSandbox({ process: true, database: "/dev/null/sandbox.db" }), ({ code, message }) => {
    equal(code, "notStarted")
    match(message, /^The sandbox did not start\. .*\/dev\/null/u)
    return true
  })
})
