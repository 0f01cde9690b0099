/** What a program of ten lines costs the compiler: with our clients, and with stripe's. */
import { median } from "./Children.ts"
import { type Program, costsOf } from "./types/TypeCost.ts"

const rounds = 5

const titles: Readonly<Record<Program, string>> = {
  parcela: "@parcela/client",
  stripe: "stripe",
  effectClient: "@parcela/transport, for Effect",
  effectAlone: "Effect's HttpClient alone"
}
// The keys of a record of programs.
const programs = Object.keys(titles) as ReadonlyArray<Program>

const runs = costsOf(programs, rounds)
console.log("program                           files   lines   types  instantiations  seconds (median of 5)")
for (const program of programs) {
  const { files, instantiations, lines, types } = runs[0]![program]
  const numbers = [files, lines, types].map((number) => String(number).padStart(7)).join(" ")
  const seconds = median(runs.map((run) => run[program].seconds)).toFixed(2)
  console.log(`${titles[program].padEnd(31)} ${numbers} ${String(instantiations).padStart(15)} ${seconds.padStart(8)}`)
}
