import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { start } from "../src/server/ServerProcess.ts"

describe("a program that is measured", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parcela-bench-test-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const program = (name: string, source: string) => {
    const path = join(folder, `${name}.mjs`)
    writeFileSync(path, source)
    return { program: path, env: {} }
  }

  it("is known by the address that it prints, and is not held up by what it prints afterwards", async () => {
    const source = `
      console.log("Starting ..")
      console.log("Ready: http://127.0.0.1:4711/, docs at http://127.0.0.1:4711/docs")
      for (let line = 0; line < 20_000; line += 1) console.log("a line of some hundred characters".repeat(3))
      setInterval(() => {}, 1_000)`
    const server = await start(program("prints", source))
    try {
      assert.strictEqual(server.url, "http://127.0.0.1:4711")
      assert.isAbove((await server.usage()).rssBytes, 0)
    } finally {
      await server.stop()
    }
  })

  it("is reported with what it printed when it ends before that", async () => {
    const source = `
      console.log("Starting ..")
      console.error("The port is taken.")
      process.exitCode = 1`
    await start(program("ends", source)).then(
      () => assert.fail("It was started."),
      (error: Error) => assert.strictEqual(error.message, "The server ended: Starting ..\nThe port is taken.\n")
    )
  })
})
