/**
 * What it costs to start: each program from its own start to the first response of `/health`, with the processor's time until
 * then and the memory that it holds at rest, beside a bare `node:http` server; and the clients' imports, beside stripe's.
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { freePort } from "@parcela/tooling-postgres/FreePort"
import { median, printedBy } from "./Children.ts"

const rounds = 11
const root = fileURLToPath(new URL("../../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "parcela-start-"))

const bare = join(folder, "bare.cjs")
writeFileSync(bare, 'require("node:http").createServer((_, response) => response.end("{}")).listen(+process.env.PORT)')

const published = join(root, "apps/mock-server/dist/main.js")
const receiver = join(root, "apps/webhook-receiver/dist/main.js")
for (const file of [published, receiver]) {
  if (!existsSync(file)) throw new Error(`${file} is not there: run npm run build first`)
}

interface Program {
  readonly main: string
  /** Whether each start finds the files that the one before left. */
  readonly keeps: boolean
}

const programs: Readonly<Record<string, Program>> = {
  "node:http, bare": { main: bare, keeps: false },
  "server, new database": { main: published, keeps: false },
  "server, its database": { main: published, keeps: true },
  "server, from source": { main: join(root, "apps/mock-server/src/main.ts"), keeps: false },
  receiver: { main: receiver, keeps: false }
}

const isHealthy = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path: "/health", agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on("error", () => resolve(false))
  })

interface Cost {
  readonly seen: number
  readonly cpu: number
  readonly megabytes: number
}

/** User and system time of a process in milliseconds. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const start = async (name: string, { keeps, main }: Program, round: number): Promise<Cost> => {
  const files = join(folder, keeps ? name : `${name} ${round}`)
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [main], {
    stdio: "ignore",
    env: {
      PATH: process.env["PATH"],
      PORT: `${port}`,
      PARCELA_PORT: `${port}`,
      PARCELA_DATABASE: join(files, "server.db"),
      PARCELA_LOG: "off",
      PARCELA_RECEIVER_PORT: `${port}`,
      PARCELA_RECEIVER_DATABASE: join(files, "receiver.db"),
      PARCELA_WEBHOOK_SECRET: `whsec_${btoa("x".repeat(32))}`,
      PARCELA_CONFIRM_HASH: "hash",
      NODE_COMPILE_CACHE: join(folder, "compiled")
    }
  })
  const ended = once(child, "exit")
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start`)
    await setTimeout(2)
  }
  const seen = performance.now() - began
  // It was started: it has a number.
  const pid = child.pid!
  const cpu = cpuOf(pid)
  await setTimeout(1_000)
  const megabytes = memoryOf(pid)
  // Told to stop, and not killed: what was compiled is kept then.
  child.kill("SIGTERM")
  await ended
  return { seen, cpu, megabytes }
}

const costs = new Map(Object.keys(programs).map((name) => [name, new Array<Cost>()]))
// The first start of each compiles what the others find.
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, program] of Object.entries(programs)) {
    const cost = await start(name, program, round)
    if (round > 0) costs.get(name)?.push(cost)
  }
}

const printed = (values: ReadonlyArray<number>): string =>
  `${median(values).toFixed(0).padStart(6)} ${`(${Math.min(...values).toFixed(0)}..${Math.max(...values).toFixed(0)})`.padEnd(14)}`

console.log(`Process start to /health; medians of ${rounds} rounds in turn, (smallest..largest)`)
console.log(`${"".padEnd(24)}${"ms".padStart(6)}${"CPU ms".padStart(21)}${"MB at rest".padStart(25)}`)
for (const [name, all] of costs) {
  console.log(
    `${name.padEnd(24)}${printed(all.map(({ seen }) => seen))}${printed(all.map(({ cpu }) => cpu))}${printed(all.map(({ megabytes }) => megabytes))}`
  )
}

const megabytesOf = (app: string): string => {
  const files = globSync("dist/*", { cwd: join(root, "apps", app) }).map((file) => join(root, "apps", app, file))
  const sum = (all: ReadonlyArray<string>) => all.reduce((size, file) => size + statSync(file).size, 0) / 2 ** 20
  const maps = files.filter((file) => file.endsWith(".map"))
  return `${app}: 1 package, ${sum(files).toFixed(1)} MB, of which ${sum(maps).toFixed(1)} MB source maps`
}
console.log(`\nInstalled: ${["mock-server", "webhook-receiver"].map(megabytesOf).join("; ")}`)

/** Installs packages of ours as they are published, beside the Effect of this repository, which takes a build. */
const install = (names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const place = join(folder, "node_modules/@parcela", name)
    mkdirSync(place, { recursive: true })
    const archive = join(folder, `${name}.tgz`)
    execFileSync(join(root, "node_modules/.bin/pnpm"), ["pack", "--out", archive], {
      cwd: join(root, "packages", name),
      stdio: "ignore"
    })
    execFileSync("tar", ["-xzf", archive, "-C", place, "--strip-components=1"])
  }
  const theirs = { effect: "node_modules/effect", "ipaddr.js": "packages/core/node_modules/ipaddr.js" }
  for (const [name, from] of Object.entries(theirs)) {
    symlinkSync(realpathSync(join(root, from)), join(folder, "node_modules", name))
  }
}
install(["client", "core", "transport"])

const inFolder = (path: string): string => join(folder, "node_modules", path)

const imports: Readonly<Record<string, string>> = {
  stripe: "stripe",
  "@parcela/client": inFolder("@parcela/client/dist/index.js"),
  "@parcela/transport, for Effect": inFolder("@parcela/transport/dist/client/ParcelaClient.js"),
  "Effect's HttpClient alone": "effect/http/HttpClient"
}

/** Milliseconds to import a module in a new process, without the process's own start. */
const load = (module: string): number =>
  printedBy([
    "--input-type=module",
    "--eval",
    `const start = performance.now(); await import(${JSON.stringify(module)}); console.log(performance.now() - start)`
  ]) as number

console.log(`\nImport in a new process, without a compile cache; medians of ${rounds} rounds in turn`)
const loads = new Map(Object.keys(imports).map((name) => [name, new Array<number>()]))
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, module] of Object.entries(imports)) {
    const millis = load(module)
    if (round > 0) loads.get(name)?.push(millis)
  }
}
for (const [name, all] of loads) console.log(`${name.padEnd(32)}${printed(all)} ms`)

rmSync(folder, { recursive: true, force: true })
