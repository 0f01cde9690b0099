import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import * as Fake from "./Fake.ts"

const parcela = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const sandbox = fileURLToPath(new URL("../../mock-server/src/main.ts", import.meta.url))

/** The base URL of a sandbox, from its output. Its output is read to the end: it writes a line for each request. */
const baseOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let output = ""
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      output += text
      if (output.includes("Ctrl+C")) resolve(/(http:\/\/127\.0\.0\.1:\d+\/v2)/.exec(output)![1]!)
    })
  })

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command and says how it ended. */
type Run = (...words: ReadonlyArray<string>) => Promise<Ran>

/**
 * A sandbox with settings of its own, and the command that speaks to it: as a program, whose start takes a second of the
 * processor, and in this process; all are gone after `use`.
 */
const withSandbox = async (
  settings: Readonly<Record<string, string>>,
  use: (program: Run, run: Run) => Promise<void>
): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), "parcela-cli-"))
  const env = { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1", ...settings }
  const server = spawn(process.execPath, [sandbox], {
    env: { ...env, PARCELA_PORT: "0", PARCELA_DATABASE: ":memory:", PARCELA_LOG: "off" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const PARCELA_BASE_URL = await baseOf(server)
    const program: Run = (...words) =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [parcela, ...words],
          { env: { ...env, PARCELA_BASE_URL } },
          (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err })
        )
      })
    const world: Fake.World = { http: FetchHttpClient.layer, env: { ...settings, PARCELA_BASE_URL } }
    await use(program, (...words) => Effect.runPromise(Fake.parcela(words, world)))
  } finally {
    const ended = once(server, "exit")
    server.kill("SIGTERM")
    await ended
    rmSync(home, { recursive: true })
  }
}

it("runs each step of the story against a real sandbox", { timeout: 180_000 }, () =>
  withSandbox({}, async (program, run) => {
    const json = async (...words: ReadonlyArray<string>) => JSON.parse((await run(...words, "--json")).out)

    assert.strictEqual(JSON.parse((await program("token", "--json")).out).token_type, "Bearer")
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

    const refused = await program("transactions", "retry", "nobody", "--json")
    assert.strictEqual(refused.code, 1)
    assert.deepStrictEqual(Object.keys(JSON.parse(refused.err).error.details), ["Transaction.myId"])
  })
)

// With `npm run prove -- stories`.
it.each(inject("prove").long ? ["galaxPay"] : [])(
  "bills by a plan with the naming profile of %s",
  { timeout: 180_000 },
  (naming) =>
    withSandbox({ PARCELA_NAMING: naming, PARCELA_LANGUAGE: "en" }, async (program, run) => {
      const done = async (line: string, by = run) => {
        const ran = await by(...line.split(" "))
        assert.deepStrictEqual([ran.code, ran.err], [0, ""], line)
        return ran.out
      }
      await done("customers create --my-id ana --name Ana --document 52998224725 --email ana@example.com", program)
      await done("plans create --my-id box --name Box --periodicity monthly --quantity 3 --price creditcard=12990")
      const card = "--customer-my-id ana --test-card"
      const created = await done(
        `subscriptions create --my-id c1 --plan box --method creditcard ${card} denied-then-captured`
      )
      assert.match(created, /^payments +3 of 3$/mu)
      assert.match(created, /^1 .* denied +R\$ 129,90 .* 51 /mu)
      assert.include(await done("transactions retry 1 --by galaxPayId"), "captured R$ 129,90")
      assert.match(await done("subscriptions edit-payment c1 --test-card approved"), /^card +4111\*{8}1111$/mu)
      const charge = `charges create --my-id o1 --value 5000 --method creditcard ${card} approved --pre-authorize`
      assert.match(await done(charge), /^payment +authorized$/mu)
      assert.match(await done("charges capture o1"), /^payment +captured$/mu)
      assert.include(await done("charges reverse o1 --value 1500"), "R$ 15,00 are reversed.")
      assert.include(await done("sandbox advance 1 month"), "captured  1")
      const page = JSON.parse(await done("transactions list --all --json"))
      assert.sameMembers(
        page.Transactions.map((one: { readonly galaxPayId?: number }) => typeof one.galaxPayId),
        ["number", "number", "number", "number"]
      )
      const refused = await run("charges", "retry", "nobody", "--by", "myId")
      assert.strictEqual(refused.code, 1)
      const unnamed = await run("--naming", "svcPay", "transactions", "list")
      assert.include(unnamed.err, "run the command with --naming galaxPay")
    })
)
