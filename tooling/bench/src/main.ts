/**
 * The server beside floors, in alternating rounds of one run. `README.md` says how it measures and how to read it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { about, linesOf, type Run } from "./server/About.ts"
import { withContenders } from "./server/Contenders.ts"
import { operations } from "./server/Operations.ts"
import { type Options, read, usage } from "./server/Options.ts"
import { paced } from "./server/Pace.ts"
import { pageOf } from "./server/Page.ts"
import { type Row, tableOf } from "./server/Report.ts"
import { rounds } from "./server/Rounds.ts"
import { verdictOf } from "./server/Targets.ts"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const page = at("../../../docs/benchmark.md")

const main = async (options: Options): Promise<void> => {
  const started = performance.now()
  // Before the bench itself makes the machine busy.
  const before = await about(options)
  const folder = mkdtempSync(join(options.folder ?? tmpdir(), "parcela-bench-"))
  const rows: Array<Row> = []
  const warm = new Set<string>()
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
        rows.push(...(await rounds(contenders, operation, own, receiver, warm.has(name))))
        warm.add(name)
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const run: Run = { ...before, seconds: Math.round((performance.now() - started) / 1_000), shortened, rows }
  const out = resolve(options.out ?? at("../bench-results.json"))
  writeFileSync(out, `${JSON.stringify(run, undefined, 2)}\n`)
  if (options.page) writeFileSync(page, pageOf(run))
  process.stdout.write(`\n${[...linesOf(run), "", ...verdictOf(rows), "", tableOf(rows)].join("\n")}\n\n`)
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
