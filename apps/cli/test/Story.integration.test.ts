import { assert, it } from "@effect/vitest"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const parcela = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const sandbox = fileURLToPath(new URL("../../mock-server/src/main.ts", import.meta.url))

/** The base address of a sandbox, once it says it. Its output is read to the end: it writes a line for each request. */
const baseOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let said = ""
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      said += text
      if (said.includes("Ctrl+C")) resolve(/(http:\/\/127\.0\.0\.1:\d+\/v2)/.exec(said)![1]!)
    })
  })

it("does each step of the story by hand against a real sandbox", { timeout: 60_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), "parcela-cli-"))
  const env = { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1" }
  const server = spawn(process.execPath, [sandbox], {
    env: { ...env, PARCELA_PORT: "0", PARCELA_DATABASE: ":memory:" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const settings = { ...env, PARCELA_BASE_URL: await baseOf(server) }
    const run = (...words: ReadonlyArray<string>) =>
      new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
        const child = execFile(process.execPath, [parcela, ...words], { env: settings }, (_, out, err) =>
          resolve({ code: child.exitCode ?? -1, out, err })
        )
      })
    const json = async (...words: ReadonlyArray<string>) => JSON.parse((await run(...words, "--json")).out)

    assert.strictEqual((await json("token")).token_type, "Bearer")
    const who = ["--customer-my-id", "ana", "--customer-name", "Ana", "--customer-document", "52998224725"]
    const mail = ["--customer-email", "ana@example.com"]
    const card = ["--method", "creditcard", "--test-card", "denied-then-captured"]
    const created = await json("subscriptions", "create-manual", "--my-id", "c1", ...card, ...who, ...mail)
    assert.strictEqual(created.Subscription.status, "active")
    const edited = await json("webhooks", "set", "http://127.0.0.1:9/", "--all")
    assert.strictEqual(edited.events.length, 6)
    assert.strictEqual(
      (await json("transactions", "add", "c1", "--my-id", "p1", "--value", "19990")).Transaction.status,
      "denied"
    )
    assert.strictEqual((await json("transactions", "retry", "p1")).Transaction.status, "captured")
    assert.strictEqual((await json("transactions", "list")).totalQtdFoundInPage, 1)

    const [endpoint] = (await json("sandbox", "endpoints", "list")).endpoints
    assert.strictEqual(endpoint.url, "http://127.0.0.1:9/")
    const rotated = await json("sandbox", "endpoints", "rotate", String(endpoint.endpointId))
    assert.lengthOf(rotated.secrets, 2)
    assert.isAbove(
      (await json("sandbox", "deliveries", "list", "--endpoint-id", String(endpoint.endpointId))).deliveries.length,
      0
    )

    const refused = await run("transactions", "retry", "nobody", "--json")
    assert.strictEqual(refused.code, 1)
    assert.deepStrictEqual(Object.keys(JSON.parse(refused.err).error.details), ["Transaction.myId"])
  } finally {
    const ended = once(server, "exit")
    server.kill("SIGTERM")
    await ended
    rmSync(home, { recursive: true })
  }
})
