/** Who is measured: the server over each store, and the floors, each in a process of its own. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Postgres from "@parcela/tooling-postgres/PostgresServer"
import type { FloorSetup } from "./Floor.ts"
import { type Credentials, floorRoutes, type Operation, prepare, type Target, targetOf } from "./Operations.ts"
import type { Options, Store } from "./Options.ts"
import * as Peer from "./Peer.ts"
import * as Receiver from "./Receiver.ts"
import { seedPostgres, seedSqlite } from "./Seed.ts"
import { type ServerProcess, start, type Usage } from "./ServerProcess.ts"

/** A server that takes part: the floors know the tokens of the one that they copy. */
export interface Contender {
  readonly name: string
  /** What Parcela keeps its rows in; a floor has none. */
  readonly store?: Store
  readonly usage: () => Promise<Usage>
  /** Ends its process and starts another one, over the same data. */
  readonly restart: () => Promise<void>
  readonly target: () => Promise<Target>
  /** What it is asked for in place of an operation, where it has an interface of its own; it takes part in no other. */
  readonly own?: ReadonlyMap<string, Operation>
}

/** The floor that everything is compared with. */
export const bare = "node:http"

/** The floor that is compared with it. */
export const fastify = "Fastify"

/** Connections that an operation is warmed up with at most: what more of them add is a queue, which warms nothing. */
export const warmConnections = 32

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const mockServer = at("../../../../apps/mock-server/src/main.ts")

const startParcela = (database: string, folder: string) =>
  start({
    program: mockServer,
    env: { PARCELA_PORT: "0", PARCELA_DATABASE: database, PARCELA_KEY_FILE: join(folder, "bench.key") }
  })

const startFloor = (program: string, setup: string) => start({ program: at(`${program}.ts`), env: {}, args: [setup] })

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

/** A process of the same program again and again, of which one runs. */
const restartable = async (begin: () => Promise<ServerProcess>, running: Running) => {
  let current = await begin()
  running.stopping({ stop: () => current.stop() })
  return {
    url: () => current.url,
    usage: () => current.usage(),
    restart: async () => {
      await current.stop()
      current = await begin()
    }
  }
}

const serverName = (store: string, transactions: number, options: Options) =>
  transactions === options.transactions[0]
    ? `Parcela, ${store}`
    : `Parcela, ${store}, ${transactions.toLocaleString("en")}`

/** Parcela over one store, with the data that the operations need. */
const parcelaOn = async (
  store: Store,
  transactions: number,
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
  const most = Math.max(warmConnections, ...options.plans.map(({ connections }) => connections))
  const first = await startParcela(database, own)
  const credentials: Credentials = await prepare(first.url, receiver, most).finally(first.stop)
  const rows = transactions - most - 100
  if (rows > 0) {
    process.stdout.write(`Writing ${rows} more transactions (${store}) ..\n`)
    if (store === "sqlite") seedSqlite(database, rows)
    else await seedPostgres(database, rows)
  }
  const { restart, url, usage } = await restartable(() => startParcela(database, own), running)
  const target = () => targetOf(url(), credentials)
  return { name: serverName(store, transactions, options), store, usage, restart, target }
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
    const { restart, url, usage } = await restartable(() => startFloor(program, served), running)
    return { name, usage, restart, target: () => Promise.resolve({ ...target, url: url() }) }
  }
  return [await floorOf(bare, "NodeFloor"), await floorOf(fastify, "FastifyFloor")]
}

const peerOf = async (target: Target, folder: string, running: Running): Promise<Contender> => {
  const args = [Peer.install(folder)]
  const peer = await restartable(() => start({ program: at("PeerServer.ts"), env: {}, args }), running)
  const own = Peer.operationsOf(await Peer.prepare(peer.url()))
  return { ...peer, name: Peer.peer.name, own, target: () => Promise.resolve({ ...target, url: peer.url() }) }
}

export const withContenders = async (
  options: Options,
  folder: string,
  use: (contenders: ReadonlyArray<Contender>, receiver: Receiver.Receiver) => Promise<void>
): Promise<void> => {
  const receiver = await Receiver.listen()
  const running = new Running()
  try {
    const servers: Array<Contender> = []
    for (const store of options.stores) {
      for (const transactions of options.transactions) {
        servers.push(await parcelaOn(store, transactions, options, folder, receiver, running))
      }
    }
    const target = await servers[0]!.target()
    const peers = options.hasPeer ? [await peerOf(target, folder, running)] : []
    await use([...servers, ...(await floors(target, folder, receiver, running)), ...peers], receiver)
  } finally {
    await running.stop()
    receiver.close()
  }
}
