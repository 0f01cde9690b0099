/**
 * Decoding and encoding a full subscription: Parcela's schema interpreted and compiled, and the lenient reader, beside
 * zod and valibot. Prints medians over several rounds and each one's ratio to the compiled schema.
 */
import { fileURLToPath } from "node:url"
import { median, printedBy } from "./Children.ts"

const rounds = 7
const contenders = ["compiled", "interpreted", "lenient", "zod", "valibot"] as const
type Name = (typeof contenders)[number]

interface Cost {
  readonly decode: number
  readonly encode: number
}

const measure = fileURLToPath(new URL("codecs/measure.ts", import.meta.url))
const costs: Record<Name, Array<Cost>> = { compiled: [], interpreted: [], lenient: [], zod: [], valibot: [] }

for (let round = 0; round < rounds; round += 1) {
  for (const name of contenders) costs[name].push(printedBy([measure, name]) as Cost)
}

const medianOf = (name: Name, part: keyof Cost): number => median(costs[name].map((cost) => cost[part]))

/** The ratio within each round, so that a slow moment of the machine is on both sides. */
const ratioOf = (name: Name, part: keyof Cost): number =>
  median(costs[name].map((cost, round) => cost[part] / costs.compiled[round]![part]))

const cell = (name: Name, part: keyof Cost): string =>
  name === "lenient" && part === "encode"
    ? "-".padStart(20)
    : `${(medianOf(name, part) / 1000).toFixed(1).padStart(10)} us ${ratioOf(name, part).toFixed(2)}x`.padStart(20)

console.log(`A subscription with 12 payments; medians of ${rounds} rounds, ratio to Parcela's compiled schema`)
console.log(`${"".padEnd(14)}${"decode".padStart(20)}${"encode".padStart(20)}`)
for (const name of contenders) console.log(`${name.padEnd(14)}${cell(name, "decode")}${cell(name, "encode")}`)
