/**
 * The server beside floors, in alternating rounds of one run. `README.md` says how it measures and how to read it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { about, linesOf, type Run } from "./server/About.ts"
import { type Cold, cold, coldLinesOf } from "./server/Cold.ts"
import { withContenders } from "./server/Contenders.ts"
import { operations } from "./server/Operations.ts"
import { type Options, read, usage } from "./server/Options.ts"
import { paced, planned } from "./server/Pace.ts"
import { pageOf } from "./server/Page.ts"
import { type Row, tableOf } from "./server/Report.ts"
import { rounds, type Warmed } from "./server/Rounds.ts"
import { verdictOf } from "./server/Targets.ts"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const page = at("../../../docs/benchmark.md")

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

const main = async (options: Options): Promise<void> => {
  const started = performance.now()
  // Before the bench itself makes the machine busy.
  const before = await about(options)
  const folder = mkdtempSync(join(options.folder ?? tmpdir(), "parcela-bench-"))
  const rows: Array<Row> = []
  const firsts: Array<Cold> = []
  const warmed: Warmed = new Map()
  let shortened = 0
  try {
    await withContenders(options, folder, async (contenders, receiver) => {
      const elapsed = () => (performance.now() - started) / 1_000
      const saying = (what: string) => process.stdout.write(`${elapsed().toFixed(0).padStart(4)} s  ${what} ..\n`)
      if (options.cold.length > 0) saying("servers that have just been started")
      firsts.push(...(await cold(contenders, options.cold, receiver)))
      const all = options.plans.flatMap((plan) =>
        plan.operations.map((name) => ({ name, plan, operation: operations.find((one) => one.name === name)! }))
      )
      const seconds = all.map(({ name, operation, plan }, index) =>
        planned(plan, all.findIndex((one) => one.name === name) === index, operation)
      )
      for (const [index, { name, operation, plan }] of all.entries()) {
        const [done, total] = [sum(seconds.slice(0, index)), sum(seconds)]
        const own = paced(plan, { done, elapsedSeconds: elapsed(), limitSeconds: options.limitSeconds, total })
        if (own !== plan) shortened += 1
        saying(`${name}, ${plan.connections} connections`)
        rows.push(...(await rounds(contenders, operation, own, receiver, warmed)))
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const run: Run = {
    ...before,
    seconds: Math.round((performance.now() - started) / 1_000),
    shortened,
    cold: firsts,
    rows
  }
  const out = resolve(options.out ?? at("../bench-results.json"))
  writeFileSync(out, `${JSON.stringify(run, undefined, 2)}\n`)
  if (options.page) writeFileSync(page, pageOf(run))
  process.stdout.write(
    `\n${[...linesOf(run), "", ...verdictOf(rows), "", ...coldLinesOf(firsts, rows), "", tableOf(rows)].join("\n")}\n\n`
  )
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
