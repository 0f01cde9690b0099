/** The parts of `npm run prove`, and what its arguments choose of them. */
import { parseArgs } from "node:util"

export interface Part {
  readonly name: string
  /** From the root. */
  readonly file: string
  /** What `--count` counts, and how many there are without it. */
  readonly counted: string
}

export const parts: ReadonlyArray<Part> = [
  { name: "kills", file: "packages/sandbox/test/Crash.test.ts", counted: "kills on each database, 100" },
  { name: "mutations", file: "packages/http/test/MutatedRequests.test.ts", counted: "requests, 50000" },
  { name: "soak", file: "packages/sandbox/test/Soak.prove.ts", counted: "minutes at half of the peak, 10" },
  { name: "faults", file: "packages/engine/test/FaultMatrix.test.ts", counted: "nothing: each cell comes once" },
  { name: "routes", file: "packages/http/test/ContractRoutes.test.ts", counted: "requests, 20000" }
]

const width = Math.max(...parts.map(({ name }) => name.length))

export const usage = `npm run prove -- [part ..] [--count n]
${parts.map(({ counted, name }) => `  ${name.padEnd(width)}  --count: ${counted}`).join("\n")}
Without a part, all of them one after the other; --count wants one part.`

export interface Chosen {
  readonly parts: ReadonlyArray<Part>
  readonly count: number | undefined
}

/** What is asked for, or why it cannot be done. */
export const read = (args: ReadonlyArray<string>): Chosen | string => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    options: { count: { type: "string" }, help: { type: "boolean" } }
  })
  const strange = Object.keys(values).find((name) => name !== "count" && name !== "help")
  if (strange !== undefined) return `--${strange} is no option.\n${usage}`
  if (values["help"] === true) return usage
  const unknown = positionals.find((name) => !parts.some((part) => part.name === name))
  if (unknown !== undefined) return `"${unknown}" is no part.\n${usage}`
  const chosen = positionals.length === 0 ? parts : parts.filter(({ name }) => positionals.includes(name))
  // Without a value it is `true`, which is no number either.
  const count = values["count"] === undefined ? undefined : Number.parseFloat(`${values["count"]}`)
  if (count === undefined) return { parts: chosen, count }
  if (!Number.isSafeInteger(count) || count < 1) return `--count is a whole number above 0.\n${usage}`
  return chosen.length === 1 ? { parts: chosen, count } : `--count wants one part.\n${usage}`
}
