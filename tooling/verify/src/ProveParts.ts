/** The parts of `npm run prove`, and which of them the arguments choose. */
import { parseArgs } from "node:util"

export interface Part {
  readonly name: string
  /** Test files, or folders of them, from the root. */
  readonly files: ReadonlyArray<string>
  /** Further arguments of vitest. */
  readonly args?: ReadonlyArray<string>
  /** In place of test files: tasks as in `turbo.json`. */
  readonly tasks?: ReadonlyArray<string>
  /** The meaning of `--count`, and its default. */
  readonly counted?: string
}

export const parts: ReadonlyArray<Part> = [
  { name: "kills", files: ["packages/sandbox/test/Crash.test.ts"], counted: "kills on each database, 100" },
  { name: "mutations", files: ["packages/http/test/MutatedRequests.test.ts"], counted: "requests, 50000" },
  { name: "soak", files: ["packages/sandbox/test/Soak.prove.ts"], counted: "minutes at half of the peak, 10" },
  { name: "faults", files: ["packages/engine/test/FaultMatrix.test.ts"] },
  { name: "routes", files: ["packages/http/test/ContractRoutes.test.ts"], counted: "requests, 20000" },
  {
    name: "processes",
    files: [
      "packages/sandbox/test/RestoreCrash.test.ts",
      "packages/sandbox/test/TwoProcesses.prove.ts",
      "packages/sandbox/test/PausedProcess.prove.ts",
      "packages/sandbox/test/LostConnection.prove.ts",
      "packages/sandbox/test/controls/Clock.test.ts",
      "apps/webhook-receiver/test/Crash.test.ts"
    ]
  },
  {
    name: "outages",
    files: ["packages/engine/test/Starvation.test.ts", "apps/mock-server/test/Postgres.integration.test.ts"]
  },
  { name: "lists", files: ["packages/store-sql/test/lists/ListRows.test.ts"] },
  {
    name: "postgres",
    files: ["packages/engine/test"],
    args: ["--project=PostgreSQL", "--exclude=test/FaultMatrix.test.ts"]
  },
  {
    name: "stories",
    files: [
      "apps/demo/test/Scenario.integration.test.ts",
      "apps/cli/test/Story.integration.test.ts",
      "apps/mock-server/test/NpmStart.integration.test.ts",
      "apps/pix-simulator/test/Payment.integration.test.ts"
    ]
  },
  { name: "packages", files: [], tasks: ["outside", "recipes", "programs"] }
]

const width = Math.max(...parts.map(({ name }) => name.length))

export const usage = `npm run prove -- [part ..] [--count n]
${parts.map(({ counted, name }) => (counted === undefined ? `  ${name}` : `  ${name.padEnd(width)}  --count: ${counted}`)).join("\n")}
Without a part, all of them one after the other; --count needs one part that counts.`

export interface Chosen {
  readonly parts: ReadonlyArray<Part>
  readonly count: number | undefined
}

/** The requested parts, or the reason for a refusal. */
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
  return chosen.length === 1 && chosen[0]?.counted !== undefined
    ? { parts: chosen, count }
    : `--count needs one part that counts.\n${usage}`
}
