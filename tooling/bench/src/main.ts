/**
 * The server beside floors, in alternating rounds of one run. `README.md` says how it measures and how to read it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as Postgres from "@parcela/tooling-postgres/PostgresServer"
import { about, linesOf, type Run } from "./server/About.ts"
import type { FloorSetup } from "./server/Floor.ts"
import { type Exchange, type Measured, run } from "./server/Load.ts"
import {
  bytesOf,
  type Credentials,
  floorRoutes,
  type Operation,
  operations,
  prepare,
  type Target,
  targetOf
} from "./server/Operations.ts"
import { type Options, type Plan, read, usage } from "./server/Options.ts"
import { paced } from "./server/Pace.ts"
import { pageOf } from "./server/Page.ts"
import * as Receiver from "./server/Receiver.ts"
import { type Round, type Row, rowOf, tableOf } from "./server/Report.ts"
import { seedPostgres, seedSqlite } from "./server/Seed.ts"
import { type ServerProcess, start } from "./server/ServerProcess.ts"

/** A server that takes part: the floors know the tokens of the one that they copy. */
interface Contender {
  readonly name: string
  readonly process: ServerProcess
  readonly target: () => Promise<Target>
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const page = at("../../../docs/benchmark.md")
const mockServer = at("../../../apps/mock-server/src/main.ts")
/** Seconds before the first round of an operation, of each server: compiled code, open files, cached statements. */
const warmUp = 0.6

let sequence = 0
/** Never given twice, so that nothing is refused as a duplicate. */
const unique = () => `${process.pid}-${(sequence += 1)}`

const exchangeOf =
  (operation: Operation, target: Target, receiver: Receiver.Receiver) =>
  (connection: number): Exchange => {
    const request = operation.request(unique(), connection)
    const sent = { request: bytesOf(operation, operation.authorization(target), request) }
    if (operation.delivered !== true) return sent
    return { ...sent, until: receiver.arrival((request.body as { readonly myId: string }).myId) }
  }

const measure = async (
  contender: Contender,
  operation: Operation,
  plan: Plan,
  receiver: Receiver.Receiver,
  seconds = plan.seconds
): Promise<Round> => {
  const target = await contender.target()
  const before = await contender.process.usage()
  const measured: Measured = await run({
    url: target.url,
    connections: plan.connections,
    seconds,
    open: plan.open,
    next: exchangeOf(operation, target, receiver)
  })
  const after = await contender.process.usage()
  if (measured.completed === 0) {
    throw new Error(`${contender.name}: no "${operation.name}" was completed: ${measured.firstFailure}`)
  }
  return { measured, cpuMicros: after.cpuMicros - before.cpuMicros, rssBytes: after.rssBytes }
}

/** One operation: the contenders alternate, so that a slow moment of the machine meets them all. */
const rounds = async (
  contenders: ReadonlyArray<Contender>,
  operation: Operation,
  plan: Plan,
  receiver: Receiver.Receiver
): Promise<ReadonlyArray<Row>> => {
  const results = contenders.map(() => [] as Array<Round>)
  // What many connections add is a queue, which is waited for and warms nothing.
  const warm = { ...plan, open: "before", connections: Math.min(plan.connections, 32) } as const
  for (const contender of contenders)
    await measure(contender, operation, warm, receiver, Math.min(warmUp, plan.seconds))
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      results[index]!.push(await measure(contender, operation, plan, receiver))
    }
  }
  const floor = results[contenders.findIndex(({ name }) => name === "node:http")]!
  return contenders.map(({ name }, index) =>
    rowOf(
      { operation: operation.name, connections: plan.connections, open: plan.open, server: name },
      results[index]!,
      floor
    )
  )
}

const startParcela = (database: string, folder: string) =>
  start({
    program: mockServer,
    env: { PARCELA_PORT: "0", PARCELA_DATABASE: database, PARCELA_KEY_FILE: join(folder, "bench.key") }
  })

const startFloor = (program: string, setup: string) =>
  start({ program: at(`server/${program}.ts`), env: {}, args: [setup] })

/** What has to be stopped at the end, last first. */
class Running {
  readonly #stops: Array<() => unknown> = []

  stopping<A extends { readonly stop: () => unknown }>(one: A): A {
    this.#stops.push(() => one.stop())
    return one
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.toReversed()) await stop()
  }
}

/** Parcela over one store, with the data that the operations need. */
const parcelaOn = async (
  store: Options["stores"][number],
  options: Options,
  folder: string,
  receiver: Receiver.Receiver,
  running: Running
): Promise<Contender> => {
  const own = mkdtempSync(join(folder, `${store}-`))
  const database =
    store === "sqlite"
      ? join(own, "bench.db")
      : `${running.stopping(await Postgres.start({ durable: true })).url}/postgres`
  const most = Math.max(...options.plans.map(({ connections }) => connections))
  const first = running.stopping(await startParcela(database, own))
  const credentials: Credentials = await prepare(first.url, receiver, most)
  const rows = options.transactions - most - 100
  if (rows > 0) {
    await first.stop()
    process.stdout.write(`Writing ${rows} more transactions (${store}) ..\n`)
    if (store === "sqlite") seedSqlite(database, rows)
    else await seedPostgres(database, rows)
  }
  const server = rows > 0 ? running.stopping(await startParcela(database, own)) : first
  return { name: `Parcela, ${store}`, process: server, target: () => targetOf(server.url, credentials) }
}

const floors = async (
  target: Target,
  folder: string,
  receiver: Receiver.Receiver,
  running: Running
): Promise<ReadonlyArray<Contender>> => {
  const setup: FloorSetup = {
    authorization: { basic: target.basic, bearers: [target.bearer, target.hookedBearer].map((one) => `Bearer ${one}`) },
    routes: await floorRoutes(target, receiver)
  }
  const served = join(folder, "floors.json")
  writeFileSync(served, JSON.stringify(setup))
  const floorOf = async (name: string, program: string): Promise<Contender> => {
    const process = running.stopping(await startFloor(program, served))
    return { name, process, target: () => Promise.resolve({ ...target, url: process.url }) }
  }
  return [await floorOf("node:http", "NodeFloor"), await floorOf("Fastify", "FastifyFloor")]
}

const withContenders = async (
  options: Options,
  folder: string,
  use: (contenders: ReadonlyArray<Contender>, receiver: Receiver.Receiver) => Promise<void>
): Promise<void> => {
  const receiver = await Receiver.listen()
  const running = new Running()
  try {
    const servers: Array<Contender> = []
    for (const store of options.stores) servers.push(await parcelaOn(store, options, folder, receiver, running))
    await use([...servers, ...(await floors(await servers[0]!.target(), folder, receiver, running))], receiver)
  } finally {
    await running.stop()
    receiver.close()
  }
}

const main = async (options: Options): Promise<void> => {
  const started = performance.now()
  // Before the bench itself makes the machine busy.
  const before = await about(options)
  const folder = mkdtempSync(join(options.folder ?? tmpdir(), "parcela-bench-"))
  const rows: Array<Row> = []
  let shortened = 0
  try {
    await withContenders(options, folder, async (contenders, receiver) => {
      const all = options.plans.flatMap((plan) => plan.operations.map((name) => ({ name, plan })))
      for (const [done, { name, plan }] of all.entries()) {
        const elapsedSeconds = (performance.now() - started) / 1_000
        const { limitSeconds } = options
        const own = paced(plan, { done, elapsedSeconds, limitSeconds, total: all.length })
        if (own !== plan) shortened += 1
        process.stdout.write(
          `${elapsedSeconds.toFixed(0).padStart(4)} s  ${name}, ${plan.connections} connections ..\n`
        )
        const operation = operations.find((one) => one.name === name)!
        rows.push(...(await rounds(contenders, operation, own, receiver)))
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const run: Run = { ...before, seconds: Math.round((performance.now() - started) / 1_000), shortened, rows }
  const out = resolve(options.out ?? at("../bench-results.json"))
  writeFileSync(out, `${JSON.stringify(run, undefined, 2)}\n`)
  if (options.page) writeFileSync(page, pageOf(run))
  process.stdout.write(`\n${linesOf(run).join("\n")}\n\n${tableOf(rows)}\n\n`)
  process.stdout.write(`${run.seconds} s; as JSON: ${out}${options.page ? `; as a page: ${page}` : ""}\n`)
  for (const { firstFailure, operation, server } of rows) {
    if (firstFailure === undefined) continue
    process.stdout.write(`A response to "${operation}" of ${server} was: ${firstFailure.slice(0, 500)}\n`)
    process.exitCode = 1
  }
}

const options = read(process.argv.slice(2))
if (options === "help") process.stdout.write(`${usage}\n`)
else await main(options)
