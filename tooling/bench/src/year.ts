/**
 * A year of monthly billing: how long an advance of a company's clock takes, and what each payment costs. `README.md` says
 * how to read it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Postgres from "@parcela/tooling-postgres/PostgresServer"
import { run } from "./server/Load.ts"
import { bytesOf, small } from "./server/Operations.ts"
import { type ServerProcess, start, type Usage } from "./server/ServerProcess.ts"
import { settle } from "./server/Settling.ts"

const { values } = parseArgs({
  options: {
    subscriptions: { type: "string", default: "1000" },
    store: { type: "string", default: "sqlite" },
    /** A folder for a CPU profile of the server. */
    profile: { type: "string" }
  }
})
const subscriptions = Number(values.subscriptions)
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const program = at("../../../apps/mock-server/src/main.ts")

/** Takes every delivery and responds at once. */
const receiver = () =>
  new Promise<{ readonly url: string; readonly received: () => number; readonly close: () => void }>((resolve) => {
    let received = 0
    const server = createServer((request, response) => {
      request.resume()
      request.on("end", () => {
        received += 1
        response.writeHead(200, { "content-length": 0 }).end()
      })
    })
    server.listen(0, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        received: () => received,
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      })
    )
  })

const tomorrow = (): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format(Date.now() + 86_400_000)

const asker = (url: string, authorization: () => string) => async (method: string, path: string, body?: unknown) => {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: authorization(), "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

const card = { number: "4111111111111111", holder: "ANA SOUZA", expiresAt: "2099-12", cvv: "951" }

/** Subscriptions that bill by themselves, each monthly from tomorrow on, of 50 customers. */
const subscribe = async (ask: ReturnType<typeof asker>) => {
  const first = tomorrow()
  let next = 0
  const one = async () => {
    while (next < subscriptions) {
      const index = (next += 1)
      await ask("POST", "/v2/subscriptions", {
        myId: `year-${index}`,
        value: 12_990,
        quantity: 0,
        periodicity: "monthly",
        firstPayDayDate: first,
        mainPaymentMethodId: "creditcard",
        Customer: {
          myId: `payer-${index}`,
          name: "Ana Souza",
          document: documentOf(index),
          emails: ["ana@example.com"]
        },
        PaymentMethodCreditCard: { Card: { ...card, myId: `card-${index}` } }
      })
    }
  }
  await Promise.all(Array.from({ length: 16 }, one))
}

/** A CPF with its check digits. */
const documentOf = (index: number): string => {
  const digits = String(100_000_000 + index)
    .split("")
    .map(Number)
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((all, digit, at) => all + digit * (length + 1 - at), 0)
    digits.push(((sum * 10) % 11) % 10)
  }
  return digits.join("")
}

const floorBearer = "Bearer floor"

/** A bare `node:http`, as of the server's bench: what it takes for a request is what the machine is worth at the moment. */
const startFloor = async (folder: string): Promise<ServerProcess> => {
  const file = join(folder, "floor.json")
  const routes = [{ method: small.method, path: small.path, requestBody: undefined, response: "{}" }]
  writeFileSync(file, JSON.stringify({ authorization: { basic: "", bearers: [floorBearer] }, routes }))
  const floor = await start({ program: at("server/NodeFloor.ts"), args: [file], env: {} })
  await settle((seconds) => slice(floor, seconds))
  return floor
}

const slice = async ({ url, usage }: ServerProcess, seconds: number) => {
  const request = bytesOf(small, floorBearer, { path: small.path, body: { grant_type: "client_credentials" } })
  const before = await usage()
  const measured = await run({ url, connections: 32, seconds, open: "before", next: () => ({ request }) })
  if (measured.firstFailure !== undefined) throw new Error(measured.firstFailure)
  return { requests: measured.completed, cpuMicros: (await usage()).cpuMicros - before.cpuMicros }
}

/** CPU of one of its requests. */
const microsOf = async (floor: ServerProcess) => {
  const { cpuMicros, requests } = await slice(floor, 2)
  return cpuMicros / requests
}

const loads = () =>
  loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")

const measure = async (database: string, folder: string) => {
  const floor = await startFloor(folder)
  const hooks = await receiver()
  const server = await start({
    program,
    env: {
      PARCELA_PORT: "0",
      PARCELA_DATABASE: database,
      PARCELA_KEY_FILE: join(folder, "bench.key"),
      ...(values.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` })
    }
  })
  try {
    const basic = `Basic ${Buffer.from("sandbox:sandbox-secret").toString("base64")}`
    const { access_token } = await asker(server.url, () => basic)("POST", "/v2/token", {
      grant_type: "client_credentials"
    })
    const ask = asker(server.url, () => `Bearer ${access_token as string}`)
    const events = ["transaction.updateStatus", "subscription.addTransaction"]
    await ask("PUT", "/v2/webhooks", { url: hooks.url, events })
    await subscribe(ask)
    const load = loads()
    const floorBefore = await microsOf(floor)
    const before: Usage = await server.usage()
    const started = performance.now()
    const report = await ask("POST", "/sandbox/companies/sandbox/clock/advance", { bySeconds: 365 * 86_400 })
    const seconds = (performance.now() - started) / 1_000
    const after = await server.usage()
    const delivered = hooks.received()
    const payments = (report.work as ReadonlyArray<{ kind: string; outcome: string; count: number }>)
      .filter(({ kind, outcome }) => kind === "send payment" && outcome === "captured")
      .reduce((all, { count }) => all + count, 0)
    if (payments !== subscriptions * 12) throw new Error(`${payments} payments: ${JSON.stringify(report)}`)
    // One for each payment, and one for each instalment that was made.
    const recorded = 25 * subscriptions
    while (hooks.received() < recorded) await new Promise((resolve) => setTimeout(resolve, 20))
    const all = (performance.now() - started) / 1_000
    const end = await server.usage()
    const floorMicros = (floorBefore + (await microsOf(floor))) / 2
    return { load, seconds, payments, delivered, recorded, all, before, after, end, floorMicros }
  } finally {
    await server.stop()
    await floor.stop()
    hooks.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), "parcela-year-"))
const postgres = values.store === "sqlite" ? undefined : await Postgres.start({ durable: true })
try {
  const database = postgres === undefined ? join(folder, "bench.db") : `${postgres.url}/postgres`
  const { after, all, before, delivered, end, floorMicros, load, payments, recorded, seconds } = await measure(
    database,
    folder
  )
  const micros = (from: Usage, to: Usage) => {
    const each = (to.cpuMicros - from.cpuMicros) / payments
    return `${each.toFixed(0)} us of CPU for each payment (${(each / floorMicros).toFixed(1)} x the floor)`
  }
  process.stdout.write(
    `${values.store}, ${subscriptions} subscriptions, ${payments} payments, load before ${load}, after ${loads()}, ` +
      `floor ${floorMicros.toFixed(0)} us\n` +
      `advance: ${seconds.toFixed(1)} s, ${micros(before, after)}; ` +
      `${delivered} of ${recorded} deliveries had arrived\n` +
      `until all had arrived: ${all.toFixed(1)} s, ${micros(before, end)}\n`
  )
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
