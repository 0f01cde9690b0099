/** The servers that are measured, each in a process of its own: this checkout's, another checkout's, the floors, a peer. */
import * as Postgres from "@parcela/tooling-postgres/PostgresServer"
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { Floor } from "./Floor.ts"
import { type Operation, prepare, responsesOf, type Target, targetOf } from "./Operations.ts"
import type { Options, Store } from "./Options.ts"
import * as Peer from "./Peer.ts"
import { start, type Usage } from "./ServerProcess.ts"

export interface Contender {
  readonly name: string
  readonly usage: () => Promise<Usage>
  /** With a token that is valid for the next minutes. */
  readonly target: () => Promise<Target>
  /** Its equivalent of an operation of ours, or undefined. */
  readonly operation: (operation: Operation) => Operation | undefined
}

/** The floor that every ratio to a floor refers to. */
export const floorName = "node:http"

export const serverName = (store: Store) => `Parcela, ${store}`
export const otherName = (store: Store) => `other, ${store}`

const root = fileURLToPath(new URL("../../..", import.meta.url))
const at = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const same = (operation: Operation) => operation

type Started = { readonly stop: () => Promise<void> }
type Starting = <A extends Started>(server: Promise<A>) => Promise<A>

/** The options of V8 that `npm start` of a checkout passes. */
const nodeOptionsOf = (checkout: string): ReadonlyArray<string> => {
  const manifest = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"))
  return String(manifest.scripts.start).match(/--no-allocation-site-pretenuring/g) ?? []
}

/** The server of a checkout over an empty store, with the data that the operations need. */
const parcelaOf = async (
  checkout: string,
  store: Store,
  name: string,
  folder: string,
  starting: Starting
): Promise<Contender> => {
  const program = ["apps/mock-server/src/main.ts", "apps/sandbox/src/main.ts"]
    .map((file) => join(checkout, file))
    .find(existsSync)
  if (program === undefined) throw new Error(`${checkout} has no server: apps/mock-server/src/main.ts`)
  const own = mkdtempSync(join(folder, `${store}-`))
  const database =
    store === "sqlite" ? join(own, "bench.db") : `${(await starting(Postgres.start({ durable: true }))).url}/postgres`
  const env = { PARCELA_PORT: "0", PARCELA_DATABASE: database, PARCELA_KEY_FILE: join(own, "bench.key") }
  const { url, usage } = await starting(start({ program, env, nodeOptions: nodeOptionsOf(checkout) }))
  await prepare(url)
  return { name, usage, target: () => targetOf(url), operation: same }
}

const floorOf = async (name: string, file: string, setup: string, target: Target, starting: Starting) => {
  const { url, usage } = await starting(start({ program: at(file), args: [setup] }))
  return { name, usage, target: async () => ({ ...target, url }), operation: same }
}

const peerIn = async (folder: string, starting: Starting): Promise<Contender> => {
  const { url, usage } = await starting(start({ program: Peer.program, args: [Peer.install(folder)] }))
  const own = await Peer.prepare(url)
  return {
    name: Peer.name,
    usage,
    target: async () => Peer.targetOf(url),
    operation: ({ name }) => own.get(name)
  }
}

const startAll = async (options: Options, folder: string, starting: Starting): Promise<ReadonlyArray<Contender>> => {
  const servers: Array<Contender> = []
  for (const store of options.stores) {
    servers.push(await parcelaOf(root, store, serverName(store), folder, starting))
    if (options.against !== undefined) {
      servers.push(await parcelaOf(resolve(options.against), store, otherName(store), folder, starting))
    }
  }
  const target = await servers[0]!.target()
  const floor: Floor = { authorizations: [target.basic, target.bearer], responses: await responsesOf(target) }
  const setup = join(folder, "floor.json")
  writeFileSync(setup, JSON.stringify(floor))
  return [
    ...servers,
    await floorOf(floorName, "NodeFloor.ts", setup, target, starting),
    await floorOf("Effect's server", "EffectFloor.ts", setup, target, starting),
    ...(options.hasPeer ? [await peerIn(folder, starting)] : [])
  ]
}

/** Starts the servers, and stops them in the reverse order at the end. */
export const withContenders = async <A>(
  options: Options,
  folder: string,
  use: (contenders: ReadonlyArray<Contender>) => Promise<A>
): Promise<A> => {
  const started: Array<Started> = []
  try {
    const contenders = await startAll(options, folder, async (server) => {
      const one = await server
      started.push(one)
      return one
    })
    return await use(contenders)
  } finally {
    for (const { stop } of started.toReversed()) await stop()
  }
}
