import { assert, describe, it, vi } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { logWriter } from "../src/LogWriter.ts"

const module = new URL("../src/LogWriter.ts", import.meta.url).href

describe("the writer of the log", () => {
  it("writes every line in order, and pending lines at the end", () => {
    const folder = mkdtempSync(join(tmpdir(), "parcela-"))
    const file = join(folder, "log")
    const descriptor = openSync(file, "w")
    try {
      const { end, write } = logWriter(descriptor)
      for (let line = 0; line < 100; line++) write(`${line}\n`)
      end()
      assert.strictEqual(readFileSync(file, "utf8"), Array.from({ length: 100 }, (_, line) => `${line}\n`).join(""))
    } finally {
      closeSync(descriptor)
      rmSync(folder, { recursive: true })
    }
  })

  it("writes each line once, also if the program ends during a write", () => {
    const folder = mkdtempSync(join(tmpdir(), "parcela-"))
    const file = join(folder, "log")
    const descriptor = openSync(file, "w")
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    try {
      const { end, write } = logWriter(descriptor)
      write("first\n")
      vi.advanceTimersByTime(20)
      write("second\n")
      end()
      assert.strictEqual(readFileSync(file, "utf8"), "first\nsecond\n")
    } finally {
      vi.useRealTimers()
      closeSync(descriptor)
      rmSync(folder, { recursive: true })
    }
  })

  it("writes the lines of an event-loop tick together, because each write wakes the reader", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parcela-"))
    const file = join(folder, "log")
    const descriptor = openSync(file, "w")
    vi.useFakeTimers({ toFake: ["setTimeout"] })
    try {
      const { write } = logWriter(descriptor)
      for (let line = 0; line < 10; line++) {
        write(`${line}\n`)
        // As long as a write takes, and turns of the event loop.
        assert.strictEqual((await stat(file)).size, 0)
      }
      vi.advanceTimersByTime(20)
      while ((await stat(file)).size === 0);
      assert.strictEqual(readFileSync(file, "utf8"), Array.from({ length: 10 }, (_, line) => `${line}\n`).join(""))
    } finally {
      vi.useRealTimers()
      closeSync(descriptor)
      rmSync(folder, { recursive: true })
    }
  })

  it("does not block a program whose log is not read", async () => {
    // 4 MB are written to a pipe of 64 KiB: the program continues.
    const program = `
      const { logWriter } = await import(${JSON.stringify(module)})
      const { write } = logWriter(2)
      for (let turn = 0; turn < 200; turn++) {
        for (let line = 0; line < 200; line++) write("x".repeat(99) + "\\n")
        await new Promise((go) => setImmediate(go))
      }
      process.stdout.write("went on\\n")`
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] })
    try {
      const [said] = (await once(child.stdout, "data")) as [Buffer]
      assert.strictEqual(said.toString(), "went on\n")
      // Read at last, it has whole lines and says how many are missing.
      let logged = ""
      child.stderr.on("data", (text: Buffer) => (logged += text.toString()))
      await once(child, "close")
      const lines = logged.trimEnd().split("\n")
      assert.isTrue(lines.every((line) => /^x{99}$|^\d+ log lines were dropped/.test(line)))
    } finally {
      child.kill("SIGKILL")
    }
  })
})
