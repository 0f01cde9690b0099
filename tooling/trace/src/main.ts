/**
 * Lists the source files that one request runs, measured by V8's coverage of a sandbox that runs from source:
 * `npm run trace` prints the counts of each request, `npm run trace -- add` the files of one.
 *
 * A file counts if a function of it runs between the request and shortly after its response in most of several rounds.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Inspector } from "./Inspector.ts"

const root = join(import.meta.dirname, "../../..")
/** Time observed after a response, long enough for the delivery of its event. */
const settleMillis = 60
/** Between two measurements, so that work of the one is not counted for the next. */
const pauseMillis = 400
/** Measurements of a request. Functions that run in most of them count, so that polls of an idle server do not. */
const rounds = 7

const day = (offset: number): string => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" })
  return format.format(Date.now() + offset * 86_400_000)
}

interface Request {
  readonly name: string
  readonly method: "GET" | "POST" | "PUT"
  readonly path: string
  readonly body?: unknown
  readonly key?: string
  /** Most files of ours that the request may run. */
  readonly target?: number
}

const add =
  (name: string, payday: string, more: Partial<Request> = {}) =>
  (round: number): Request => ({
    name,
    method: "POST",
    path: "/v2/transactions/course/myId/add",
    body: { myId: `${name.replaceAll(" ", "-")}-${round}`, value: 1990, payday },
    ...more
  })

/** Each is sent several times before it is measured, so that what only a first request does is not counted. */
const requests: ReadonlyArray<(round: number) => Request> = [
  add("add later", day(40), { target: 40 }),
  (round) => ({ ...add("add card today", day(0), { target: 55 })(round), key: `key-${round}` }),
  () => ({ name: "list", method: "GET", path: "/v2/transactions?startAt=0&limit=10" })
]

const json = async (url: string, init: RequestInit): Promise<unknown> => {
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${init.method} ${url}: ${response.status} ${text}`)
  return text === "" ? undefined : JSON.parse(text)
}

const events = ["subscription.addTransaction", "transaction.updateStatus"]

const send = (url: string, token: string, { body, key, method, path }: Request) =>
  json(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const start = async (folder: string): Promise<{ child: ChildProcess; url: string; inspector: Inspector }> => {
  const child = spawn(
    process.execPath,
    ["--inspect=127.0.0.1:0", "--disable-warning=ExperimentalWarning", join(root, "apps/mock-server/src/main.ts")],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        PARCELA_PORT: "0",
        PARCELA_DATABASE: join(folder, "sandbox.db"),
        PARCELA_LOG: "off"
      }
    }
  )
  let printed = ""
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk) => (printed += String(chunk)))
  for (let attempt = 0; attempt < 200; attempt++) {
    const debuggerUrl = /ws:\/\/\S+/.exec(printed)?.[0]
    const url = /http:\/\/[\d.]+:\d+(?=[/\s])/.exec(printed)?.[0]
    if (debuggerUrl !== undefined && url !== undefined) {
      return { child, url, inspector: await Inspector.connect(debuggerUrl) }
    }
    if (child.exitCode !== null) break
    await sleep(100)
  }
  child.kill()
  throw new Error(`The sandbox did not start: ${printed}`)
}

const trace = async (url: string, inspector: Inspector, hookUrl: string) => {
  const basic = `Basic ${Buffer.from("sandbox:sandbox-secret").toString("base64")}`
  // A 200 of this operation has this shape.
  const { access_token: token } = (await json(`${url}/v2/token`, {
    method: "POST",
    headers: { authorization: basic, "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials" })
  })) as { access_token: string }
  await send(url, token, {
    name: "subscription",
    method: "POST",
    path: "/v2/subscriptions/manual",
    body: {
      myId: "course",
      mainPaymentMethodId: "creditcard",
      Customer: { myId: "ana", name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] },
      PaymentMethodCreditCard: {
        Card: { number: "4111111111111111", holder: "ANA SOUZA", expiresAt: "2031-12", cvv: "123" }
      }
    }
  })
  const functionsOf = async (request: Request): Promise<ReadonlyArray<string>> => {
    await inspector.calls()
    await send(url, token, request)
    await sleep(settleMillis)
    const calls = await inspector.calls()
    return [...calls.keys()].filter((name) => name.startsWith(root) && !name.includes("/node_modules/"))
  }
  const measure = async (request: (round: number) => Request) => {
    for (let round = 0; round < 3; round++) await send(url, token, request(round))
    const seen = new Map<string, number>()
    for (let round = 3; round < 3 + rounds; round++) {
      await sleep(pauseMillis)
      for (const name of await functionsOf(request(round))) seen.set(name, (seen.get(name) ?? 0) + 1)
    }
    const usual = [...seen].filter(([, count]) => count > rounds / 2).map(([name]) => name)
    const files = [...new Set(usual.map((name) => name.slice(root.length + 1, name.lastIndexOf("#"))))].toSorted()
    return { ...request(0), files, functions: usual.length }
  }
  const results = []
  for (const request of requests) results.push(await measure(request))
  await send(url, token, { name: "webhooks", method: "PUT", path: "/v2/webhooks", body: { url: hookUrl, events } })
  results.push(await measure(add("add and deliver", day(40))))
  return results
}

const wanted = process.argv[2]
const hooks = createServer((request, response) => request.resume().on("end", () => response.end()))
await new Promise<void>((resolve) => hooks.listen(0, "127.0.0.1", resolve))
// A server that listens on a TCP port has an address of this form.
const { port } = hooks.address() as AddressInfo
const folder = mkdtempSync(join(tmpdir(), "parcela-trace-"))
const { child, inspector, url } = await start(folder)
try {
  const results = await trace(url, inspector, `http://127.0.0.1:${port}/`)
  for (const { files, functions, name, target } of results) {
    const limit = target === undefined ? "" : `, target ${target}`
    process.stdout.write(`${name.padEnd(16)} ${files.length} files, ${functions} functions${limit}\n`)
    if (wanted !== undefined && name.startsWith(wanted)) process.stdout.write(`  ${files.join("\n  ")}\n`)
  }
} finally {
  inspector.close()
  child.kill()
  hooks.close()
  hooks.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}
