import { assert, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const environment = (settings: Record<string, string>) => ({
  PATH: process.env["PATH"],
  PARCELA_PORT: "0",
  PARCELA_DATABASE: ":memory:",
  ...settings
})

/** Runs a program that is not expected to start: what it said, and its exit code. */
const refused = (settings: Record<string, string>) => {
  const { status, stderr } = spawnSync(process.execPath, [main], {
    env: environment(settings),
    encoding: "utf8",
    timeout: 15_000,
    killSignal: "SIGKILL"
  })
  return { status, stderr }
}

describe("the sandbox as a program", () => {
  it("tells in a few lines how to reach it, answers, and ends with 0 when it is told to stop", async () => {
    const child = spawn(process.execPath, [main], { env: environment({ PARCELA_CLIENT_ID: "me" }) })
    try {
      let said = ""
      child.stdout.setEncoding("utf8")
      for await (const text of child.stdout) {
        said += text
        if (said.includes("Ctrl+C")) break
      }
      const base = /base address +(http:\/\/127\.0\.0\.1:\d+)\/v2/.exec(said)?.[1]
      assert.match(said, /docs +http.*\/docs/)
      assert.match(said, /client id +me\n/)
      assert.match(said, /webhook secret +whsec_/)
      const health = await fetch(`${base}/health`)
      assert.strictEqual(health.status, 200)
      assert.deepStrictEqual(await health.json(), { status: "ok" })
      const exited = once(child, "exit")
      child.kill("SIGTERM")
      assert.deepStrictEqual(await exited, [0, null])
    } finally {
      child.kill("SIGKILL")
    }
  })

  it("says in one line that its port is taken", async () => {
    const squatter = createServer().listen(0, "127.0.0.1")
    try {
      await once(squatter, "listening")
      const address = squatter.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const { status, stderr } = refused({ PARCELA_PORT: String(port) })
      assert.strictEqual(status, 1)
      assert.match(stderr, /^The sandbox did not start\. PARCELA_PORT: the port is taken\.[^\n]*\n$/)
    } finally {
      squatter.close()
    }
  })

  it("says in one line that its folder cannot be made, also where a file system only pretends", () => {
    const folder = mkdtempSync(join(tmpdir(), "parcela-"))
    try {
      writeFileSync(join(folder, "file"), "")
      for (const database of [join(folder, "file/sandbox.db"), "/proc/nowhere/sandbox.db"]) {
        const { status, stderr } = refused({ PARCELA_DATABASE: database })
        assert.strictEqual(status, 1)
        assert.match(stderr, /^The sandbox did not start\. PARCELA_DATABASE: [^\n]*\n$/)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("names a setting that has a fault", () => {
    const { status, stderr } = refused({ PARCELA_PORT: "http" })
    assert.strictEqual(status, 1)
    assert.match(stderr, /^The sandbox did not start\. PARCELA_PORT must be a port[^\n]*\n$/)
  })
})
