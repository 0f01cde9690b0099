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
      import { createServer } from "node:http"
      const lines = "a line of its log\\n".repeat(200_000)
      // Responds when all of it has been read.
      const server = createServer((request, response) => process.stdout.write(lines, () => response.end("written")))
      server.listen(0, "127.0.0.1", () => {
        const url = "http://127.0.0.1:" + server.address().port
        console.log("Starting ..")
        console.log("Ready: " + url + "/, docs at " + url + "/docs")
      })`
    const server = await start(program("prints", source))
    try {
      assert.strictEqual(await fetch(server.url).then((response) => response.text()), "written")
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
      (error: Error) => assert.strictEqual(error.message, "The server ended with 1: Starting ..\nThe port is taken.\n")
    )
  })
})
