/**
 * Deliveries a second beside bare POSTs over kept connections to the same endpoint, in alternating rounds of one run; and
 * how many go out while payments are made. `README.md` says how to read it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Postgres from "@parcela/tooling-postgres/PostgresServer"
import { median, printedBy } from "./Children.ts"
import { backlog, prepared, type Sent, underLoad } from "./deliveries/Deliveries.ts"
import { start } from "./server/ServerProcess.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    /** How many are sent in each round. */
    count: { type: "string", default: "10000" },
    /** Seconds of payments whose deliveries leave meanwhile. */
    seconds: { type: "string", default: "5" },
    store: { type: "string", default: "sqlite" },
    /** A folder for a CPU profile of the server. */
    profile: { type: "string" }
  }
})
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const seconds = Number(values.seconds)
const count = Number(values.count)
/** As many as the server uses for one endpoint, see `DeliveryLane`. */
const connections = 32

const lineOf = (name: string, { count, cpuMicros, seconds }: Sent) =>
  `${name.padEnd(10)} ${(count / seconds).toFixed(0).padStart(7)} a second  ${(cpuMicros / count).toFixed(0).padStart(5)} us of CPU each  (${count})\n`

const folder = mkdtempSync(join(tmpdir(), "parcela-deliveries-"))
const postgres = values.store === "sqlite" ? undefined : await Postgres.start({ durable: true })
const database = postgres === undefined ? join(folder, "bench.db") : `${postgres.url}/postgres`
const endpoint = await start({ program: at("deliveries/Endpoint.ts"), env: {} })
const server = await start({
  program: at("../../../apps/mock-server/src/main.ts"),
  env: {
    PARCELA_PORT: "0",
    PARCELA_DATABASE: database,
    PARCELA_KEY_FILE: join(folder, "bench.key"),
    ...(values.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` })
  }
})
try {
  const listening = await prepared(server, database, endpoint.url)
  // Warms the server up, and shows what a delivery looks like.
  await underLoad(listening, 1)
  await backlog(listening, Math.min(count, 3_000))
  const file = join(folder, "request.json")
  writeFileSync(file, await (await fetch(`${endpoint.url}/last`)).text())
  const bare = () =>
    printedBy([at("deliveries/BareSender.ts"), `${endpoint.url}/`, file, String(count), String(connections)]) as Sent
  const rates: Array<number> = []
  const costs: Array<number> = []
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const own = await backlog(listening, count)
    const floor = bare()
    process.stdout.write(lineOf("bare POSTs", floor) + lineOf("deliveries", own))
    rates.push(own.count / own.seconds / (floor.count / floor.seconds))
    costs.push(own.cpuMicros / own.count / (floor.cpuMicros / floor.count))
  }
  const load = await underLoad(listening, seconds)
  process.stdout.write(
    `${values.store}: deliveries a second are ${(100 * median(rates)).toFixed(0)} % of bare POSTs, ` +
      `at ${median(costs).toFixed(1)} times their CPU\n` +
      `under load: ${load.payments} payments in ${seconds} s, ${load.arrived} of their deliveries arrived meanwhile, ` +
      `the last one ${load.rest.toFixed(2)} s later\n`
  )
} finally {
  await server.stop()
  await endpoint.stop()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
