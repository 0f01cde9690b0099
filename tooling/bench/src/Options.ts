/** The options of the command line. */
import { parseArgs } from "node:util"
import { operations } from "./Operations.ts"

const stores = ["sqlite", "postgres"] as const

export type Store = (typeof stores)[number]

export interface Options {
  readonly operations: ReadonlyArray<string>
  readonly stores: ReadonlyArray<Store>
  readonly connections: number
  readonly rounds: number
  /** Of one round of one server. */
  readonly seconds: number
  /** Before an operation is measured, of each server. */
  readonly warmUpSeconds: number
  /** Another checkout of this repository, whose server is measured in the same rounds. */
  readonly against: string | undefined
  readonly hasPeer: boolean
  /** True to write the run to `docs/benchmark.md`. */
  readonly page: boolean
}

const names = operations.map(({ name }) => name)

export const usage = `npm run bench -- [options]
  --operations a,b    of: ${names.join(", ")}; default all
  --stores sqlite     of: ${stores.join(", ")}; default both
  --connections 32    open at once
  --rounds 5          in which the servers alternate
  --seconds 1         of each round of each server
  --warm-up 4         seconds of load on each server before an operation is measured
  --against path      another checkout of the repository, whose server is measured in the same rounds
  --peer              includes an emulator of Stripe, which npm installs for the run
  --page              writes docs/benchmark.md`

const numberOf = (name: string, text: string): number => {
  const number = Number(text)
  if (!Number.isFinite(number) || number <= 0) throw new Error(`--${name} must be a number above 0, not "${text}"`)
  return number
}

const chosenOf = <A extends string>(name: string, text: string | undefined, all: ReadonlyArray<A>) => {
  const wanted = text?.split(",") ?? all
  const unknown = wanted.find((one) => !all.some((known) => known === one))
  if (unknown !== undefined) throw new Error(`--${name}: there is no "${unknown}", only ${all.join(", ")}`)
  return all.filter((one) => wanted.includes(one))
}

/** Reads the arguments; undefined when they ask for help. */
export const read = (args: ReadonlyArray<string>): Options | undefined => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      operations: { type: "string" },
      stores: { type: "string" },
      connections: { type: "string", default: "32" },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "1" },
      "warm-up": { type: "string", default: "4" },
      against: { type: "string" },
      peer: { type: "boolean", default: false },
      page: { type: "boolean", default: false },
      help: { type: "boolean", default: false }
    }
  })
  if (values.help) return undefined
  return {
    operations: chosenOf("operations", values.operations, names),
    stores: chosenOf("stores", values.stores, stores),
    connections: numberOf("connections", values.connections),
    rounds: numberOf("rounds", values.rounds),
    seconds: numberOf("seconds", values.seconds),
    warmUpSeconds: numberOf("warm-up", values["warm-up"]),
    against: values.against,
    hasPeer: values.peer,
    page: values.page
  }
}
