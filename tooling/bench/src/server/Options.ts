/** What is measured, from the command line. */
import { parseArgs } from "node:util"
import { operations } from "./Operations.ts"

export interface Plan {
  readonly operations: ReadonlyArray<string>
  readonly connections: number
  readonly open: "before" | "within"
  readonly rounds: number
  readonly seconds: number
  /** In how many rounds floors take part, in all where it is not said. */
  readonly floorRounds?: number
  /** Of Parcela's contenders those over these. */
  readonly stores: ReadonlyArray<Store>
  /** Whether Fastify takes part. */
  readonly hasFastify: boolean
}

const stores = ["sqlite", "postgres"] as const

export type Store = (typeof stores)[number]

export interface Options {
  /** What Parcela keeps its rows in; each is a contender. */
  readonly stores: ReadonlyArray<Store>
  readonly plans: ReadonlyArray<Plan>
  /** Operations that are measured of servers that were just started, too. */
  readonly cold: ReadonlyArray<string>
  /** What the usual run may take; what is asked for takes as long as it does. */
  readonly limitSeconds: number | undefined
  /** How many transactions the company has before anything is measured; of several, each is a server. */
  readonly transactions: ReadonlyArray<number>
  /** Where the SQLite file is put: the disk that is measured. */
  readonly folder: string | undefined
  readonly out: string | undefined
  /** Whether a peer is installed and takes part. */
  readonly hasPeer: boolean
  /** Whether `docs/benchmark.md` becomes this run. */
  readonly page: boolean
}

const names = operations.flatMap(({ isForMany, name }) => (isForMany === true ? [] : [name]))
const all = operations.map(({ name }) => name)
const writes = ["add later", "add card today"]
const few = ["read one", ...writes]
const compared = ["read one", "list 100", "list by day", "list of one", ...writes]

/** What is measured cold: what a sandbox that lives for seconds is asked for. */
const measuredCold = few

const one = { open: "before", connections: 32, rounds: 3, seconds: 1, stores: ["sqlite"], hasFastify: false } as const

/** What a percentile is judged of is measured for longer, so that there are thousands of requests behind it. */
const longer = { rounds: 3, seconds: 2 } as const

/**
 * What is compared with another operation of the same rounds: as many in which either was the first, and many, as single ones differ by a
 * half. The floor does the same for both.
 */
const paired = { rounds: 16, seconds: 0.6, floorRounds: 3 } as const

/** Beside PostgreSQL and Fastify: a read, a list and two writes say what those cost. */
const beside = { stores, hasFastify: true } as const

/** Some seven minutes: most operations at 32 connections; a few at one, four and 256, and with connections that are new. */
const usual: ReadonlyArray<Plan> = [
  { ...one, ...beside, ...longer, operations: ["read one"] },
  { ...one, ...beside, operations: ["list 100"] },
  { ...one, operations: ["token", "create"] },
  { ...one, ...beside, ...longer, operations: writes },
  { ...one, ...paired, operations: ["add later + key", "add card today + key"] },
  { ...one, operations: ["add boleto", "retry", "add + delivery"] },
  { ...one, operations: few, connections: 1, rounds: 2 },
  { ...one, operations: writes, connections: 4, rounds: 2 },
  { ...one, operations: few, connections: 256, rounds: 2 },
  { ...one, ...longer, operations: few, open: "within" }
]

export const usage = `npm run bench -- [options]
  --operations a,b     of: ${operations.map(({ name }) => name).join(", ")}
  --stores sqlite      of: ${stores.join(", ")}; default both
  --connections 1,32   default: 32 for most operations; 1, 4 and 256, and 32 new ones, for a few of them
  --new                opens the connections within the measurement
  --seconds 1.5        of each round of each server
  --rounds 3           in which the servers alternate
  --cold               the first requests of a server that was just started, too, for ${measuredCold.join(", ")}
  --transactions 1000  that are there before; 1000,1000000 compares two servers, and takes a gigabyte and some minutes
  --folder path        where the database is put; default the system's temporary folder
  --out file.json      the numbers as JSON; default bench-results.json in this folder
  --peer               an emulator of Stripe takes part in "create" and "read one"; it is installed by npm for the run
  --page               writes docs/benchmark.md`

const numberOf = (name: string, text: string): number => {
  const number = Number(text)
  if (!Number.isFinite(number) || number <= 0) throw new Error(`--${name} is a number above 0, not "${text}"`)
  return number
}

export const read = (args: ReadonlyArray<string>): Options | "help" => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      operations: { type: "string" },
      stores: { type: "string", default: stores.join(",") },
      connections: { type: "string" },
      new: { type: "boolean", default: false },
      cold: { type: "boolean", default: false },
      seconds: { type: "string" },
      rounds: { type: "string" },
      transactions: { type: "string", default: "1000" },
      folder: { type: "string" },
      out: { type: "string" },
      page: { type: "boolean", default: false },
      peer: { type: "boolean", default: false },
      help: { type: "boolean", default: false }
    }
  })
  if (values.help) return "help"
  const transactions = values.transactions.split(",").map((count) => numberOf("transactions", count))
  const isComparison = transactions.length > 1
  const chosen = values.operations?.split(",") ?? (isComparison ? compared : names)
  for (const name of chosen) if (!all.includes(name)) throw new Error(`"${name}" is no operation.\n${usage}`)
  const kept = stores.filter((store) => values.stores.split(",").includes(store))
  if (kept.length !== values.stores.split(",").length) throw new Error(`--stores are ${stores.join(", ")}`)
  const own = [values.operations, values.connections, values.seconds, values.rounds].some(
    (value) => value !== undefined
  )
  const plans =
    own || values.new || isComparison
      ? (values.connections ?? "32").split(",").map((connections) => ({
          operations: chosen,
          connections: numberOf("connections", connections),
          open: values.new ? ("within" as const) : ("before" as const),
          rounds: numberOf("rounds", values.rounds ?? "3"),
          seconds: numberOf("seconds", values.seconds ?? "1.5"),
          stores: kept,
          hasFastify: true
        }))
      : usual
  return {
    plans,
    cold: plans === usual || values.cold ? measuredCold : [],
    limitSeconds: plans === usual ? 400 : undefined,
    stores: kept,
    transactions,
    folder: values.folder,
    out: values.out,
    hasPeer: values.peer,
    page: values.page
  }
}
