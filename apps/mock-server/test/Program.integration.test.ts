import { assert, describe, it } from "@effect/vitest"
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { settingNames } from "../src/Settings.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const environment = (settings: Record<string, string>) => ({
  PATH: process.env["PATH"],
  PARCELA_PORT: "0",
  PARCELA_DATABASE: ":memory:",
  ...settings
})

/** Runs a program that is not expected to start: what it said, and its exit code. */
const refused = (
  settings: Record<string, string>,
  options: ReadonlyArray<string> = [],
  given: ReadonlyArray<string> = []
) => {
  const { status, stderr } = spawnSync(process.execPath, [...options, main, ...given], {
    env: environment(settings),
    encoding: "utf8",
    timeout: 15_000,
    killSignal: "SIGKILL"
  })
  return { status, stderr }
}

/** The address that a starting program prints. */
const addressOf = async (child: ChildProcessWithoutNullStreams): Promise<string> => {
  let output = ""
  for await (const text of child.stdout.setEncoding("utf8")) {
    output += text
    const base = /base URL +(http:\/\/127\.0\.0\.1:\d+)\/v2/.exec(output)?.[1]
    if (base !== undefined) return base
  }
  throw new Error(`The sandbox ended before it listened: ${output}`)
}

describe("the sandbox as a program", () => {
  it("refuses arguments such as --port=8030, and names the page of settings", () => {
    const { status, stderr } = refused({}, [], ["--port=8030"])
    assert.strictEqual(status, 1)
    assert.match(stderr, /^The sandbox takes no arguments: .*PARCELA_PORT=8030.* --help lists them\n$/u)
  })

  it("prints all settings with --help", () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [main, "--help"], {
      env: environment({}),
      encoding: "utf8"
    })
    assert.deepStrictEqual([status, stderr], [0, ""])
    for (const name of settingNames) assert.include(stdout, `  ${name} `)
  })

  it("prints how to reach it, responds, and ends with 0 on a signal", async () => {
    const child = spawn(process.execPath, [main], { env: environment({ PARCELA_CLIENT_ID: "me" }) })
    try {
      let output = ""
      let logged = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => (logged += text))
      child.stdout.setEncoding("utf8")
      for await (const text of child.stdout) {
        output += text
        if (output.includes("Ctrl+C")) break
      }
      const base = /base URL +(http:\/\/127\.0\.0\.1:\d+)\/v2/.exec(output)?.[1]
      assert.match(output, /docs +http.*\/docs/)
      assert.match(output, /client id +me\n/)
      // Output goes to logs: it says how to get the secret that signs deliveries, and does not hold it.
      assert.notMatch(output, /whsec_/)
      const keys = /webhook secret +curl (\S+)/.exec(output)?.[1]
      const shown = await (await fetch(String(keys))).json()
      assert.match((shown as { readonly webhookSecret: string }).webhookSecret, /^whsec_/)
      const health = await fetch(`${base}/health`)
      assert.strictEqual(health.status, 200)
      assert.deepStrictEqual(await health.json(), { status: "ok" })
      const exited = once(child, "close")
      child.kill("SIGTERM")
      assert.deepStrictEqual(await exited, [0, null])
      const messages = logged.split("\n").flatMap((line) => /"message":"(.*?)"/.exec(line)?.[1] ?? [])
      assert.deepStrictEqual(messages, ["Stopping: nothing is under way", "Stopped"])
    } finally {
      child.kill("SIGKILL")
    }
  })

  it("writes a JSON line for each request to standard error if that is not a terminal, unless disabled", async () => {
    for (const [PARCELA_LOG, isLogged] of [
      ["", true],
      ["text", true],
      ["off", false]
    ] as const) {
      const child = spawn(process.execPath, [main], { env: environment({ PARCELA_LOG }) })
      try {
        let output = ""
        let logged = ""
        child.stderr.setEncoding("utf8").on("data", (text: string) => (logged += text))
        child.stdout.setEncoding("utf8")
        for await (const text of child.stdout) {
          output += text
          if (output.includes("Ctrl+C")) break
        }
        const base = /base URL +(http:\/\/127\.0\.0\.1:\d+)\/v2/.exec(output)?.[1]
        await (await fetch(`${base}/health`, { headers: { "x-request-id": "mine" } })).text()
        const exited = once(child, "close")
        child.kill("SIGTERM")
        await exited
        assert.strictEqual(logged.includes("/health"), isLogged, `${PARCELA_LOG}: ${logged}`)
        if (PARCELA_LOG === "") assert.strictEqual(JSON.parse(logged.split("\n")[0]!).requestId, "mine")
        if (PARCELA_LOG === "text") assert.match(logged, /^[\d:.]+ {2}GET {5}200 [ \d.ms]*\/health {2}mine$/m)
      } finally {
        child.kill("SIGKILL")
      }
    }
  })

  it("reports in one line that its port is used", async () => {
    const squatter = createServer().listen(0, "127.0.0.1")
    try {
      await once(squatter, "listening")
      const address = squatter.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const { status, stderr } = refused({ PARCELA_PORT: String(port) })
      assert.strictEqual(status, 1)
      assert.match(stderr, /^The sandbox did not start\. PARCELA_PORT: [^\n]*\n$/)
      assert.include(stderr, `port ${port} of 127.0.0.1 is used by another program`)
    } finally {
      squatter.close()
    }
  })

  it("reports in one line that its folder cannot be created, also on a file system that hides the failure", () => {
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

  /** Options of Node with which that part of the program cannot be loaded. */
  const without = (part: string): ReadonlyArray<string> => {
    const hook = `
      import { registerHooks } from "node:module"
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier.includes("${part}")) throw new Error("a file is missing")
          return next(specifier, context)
        }
      })`
    return ["--import", `data:text/javascript,${encodeURIComponent(hook)}`]
  }

  it("reports the cause when a module cannot be loaded", () => {
    const { status, stderr } = refused(
      { PARCELA_DATABASE: "postgres://127.0.0.1:1/nowhere" },
      without("PostgresClient")
    )
    assert.strictEqual(status, 1)
    assert.match(stderr, /^The sandbox ended because of a defect\. Error: a file is missing\n/)
  })

  it("reports in one line that another sandbox has its port", async () => {
    const child = spawn(process.execPath, [main], { env: environment({}) })
    try {
      const base = await addressOf(child)
      const { port } = new URL(base)
      const { status, stderr } = refused({ PARCELA_PORT: port })
      assert.strictEqual(status, 1)
      assert.match(stderr, /^The sandbox did not start\. PARCELA_PORT: [^\n]*\n$/)
      assert.include(stderr, `port ${port} of 127.0.0.1 is used by another Parcela`)
    } finally {
      child.kill("SIGKILL")
    }
  })

  it("reports in one line that another server has its database, and starts after that one is killed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parcela-"))
    const settings = { PARCELA_DATABASE: join(folder, "sandbox.db") }
    const first = spawn(process.execPath, [main], { env: environment(settings) })
    const started: Array<ChildProcessWithoutNullStreams> = [first]
    try {
      await addressOf(first)
      const { status, stderr } = refused(settings)
      assert.strictEqual(status, 1)
      assert.match(stderr, /^The sandbox did not start\. PARCELA_DATABASE: [^\n]*\n$/)
      assert.include(stderr, `"${settings.PARCELA_DATABASE}" is in use by another program`)
      if (process.platform === "linux") assert.include(stderr, `(process ${first.pid})`)
      const exited = once(first, "exit")
      first.kill("SIGKILL")
      await exited
      const second = spawn(process.execPath, [main], { env: environment(settings) })
      started.push(second)
      await addressOf(second)
    } finally {
      for (const child of started) child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("reports every invalid setting on its own line without its value, and warns about a misspelt one", () => {
    const { status, stderr } = refused({
      PARCELA_PORT: "http",
      PARCELA_CLIENT_SECRET: "",
      PARCELA_PUBLIC_URL: "https://me:hidden@example.com",
      PARCELA_PROT: "8030"
    })
    assert.strictEqual(status, 1)
    const [warning, refusal, ...faults] = stderr.split("\n")
    assert.strictEqual(warning, "warning: PARCELA_PROT is no setting: did you mean PARCELA_PORT?")
    assert.strictEqual(refusal, "The sandbox did not start, as settings cannot be used:")
    assert.deepStrictEqual(
      faults.map((fault) => /^PARCELA_\w+ must (?:be|have) /.exec(fault)?.[0]),
      ["PARCELA_PORT must be ", "PARCELA_CLIENT_SECRET must have ", "PARCELA_PUBLIC_URL must be ", undefined]
    )
    assert.notInclude(stderr, "hidden")
  })
})
