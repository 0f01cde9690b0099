/**
 * How long a test waits for a sandbox of the test kit: importing it, starting it in process and in a process of its own, a
 * company, closing. Beside it what a process pays anyway: an empty HTTP server that starts, and that is all.
 */
import { existsSync } from "node:fs"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { median, printedBy } from "./Children.ts"

const { values } = parseArgs({ options: { rounds: { type: "string", default: "11" } } })
const rounds = Number(values.rounds)

const bundle = fileURLToPath(new URL("../../../packages/testkit/dist/index.js", import.meta.url))
if (!existsSync(bundle)) throw new Error("packages/testkit is not built: run npm run build in it first")

/** Wall and CPU of this process, in milliseconds, of each step by its name. */
const measuring = `
const steps = {}
const step = async (name, run) => {
  const wall = performance.now()
  const cpu = process.cpuUsage()
  const made = await run()
  const { system, user } = process.cpuUsage(cpu)
  steps[name] = { wall: performance.now() - wall, cpu: (user + system) / 1000 }
  return made
}`

const ofKit = (options: string): string => `${measuring}
const { startSandbox } = await step("import", () => import(${JSON.stringify(bundle)}))
const sandbox = await step("start", () => startSandbox(${options}))
await step("company", () => sandbox.company())
await step("another company", () => sandbox.company())
await step("close", () => sandbox.close())
const second = await step("start again", () => startSandbox(${options}))
await second.close()
console.log(JSON.stringify(steps))`

const ofFloor = `${measuring}
const { createServer } = await step("import", () => import("node:http"))
const server = createServer((request, response) => response.end())
await step("start", () => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)))
await step("close", () => new Promise((resolve) => server.close(resolve)))
console.log(JSON.stringify(steps))`

const programs = {
  "in process": ofKit(""),
  "its own process": ofKit("{ process: true }"),
  "node:http": ofFloor
}

type Steps = Readonly<Record<string, { readonly wall: number; readonly cpu: number }>>

// They take turns, so that a slow moment of the machine meets all of them.
const found = new Map<string, Array<Steps>>()
for (let round = 0; round < rounds; round += 1) {
  for (const [name, program] of Object.entries(programs)) {
    // What the program above prints.
    const steps = printedBy(["--input-type=module", "-e", program]) as Steps
    found.set(name, [...(found.get(name) ?? []), steps])
  }
}

const column = (values: ReadonlyArray<number>): string =>
  `${median(values).toFixed(1).padStart(9)}${Math.min(...values)
    .toFixed(1)
    .padStart(9)}`

console.log(`Milliseconds, median and least of ${rounds}; load average ${loadavg()[0]?.toFixed(1)}`)
console.log(`${"".padEnd(34)}${"wall".padStart(9)}${"least".padStart(9)}${"CPU".padStart(9)}${"least".padStart(9)}`)
for (const [name, all] of found) {
  for (const step of Object.keys(all[0] ?? {})) {
    const walls = all.map((one) => one[step]!.wall)
    const cpus = all.map((one) => one[step]!.cpu)
    console.log(`${name.padEnd(17)}${step.padEnd(17)}${column(walls)}${column(cpus)}`)
  }
}
