/** Measures the server, floors, and another checkout's server, in alternating rounds. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Contender, withContenders } from "./Contenders.ts"
import { run } from "./Load.ts"
import { bytesOf, operations, type Operation } from "./Operations.ts"
import { type Options, read, usage } from "./Options.ts"
import { aboutOf, comparisonOf, pageOf, type Round, type Row, tableOf } from "./Report.ts"

let sequence = 0
const unique = () => (sequence += 1)

const measure = async (
  contender: Contender,
  operation: Operation,
  connections: number,
  seconds: number
): Promise<Round> => {
  const target = await contender.target()
  const before = await contender.usage()
  const next = () => bytesOf(operation, target, unique())
  const measured = await run({ url: target.url, connections, seconds, next })
  const after = await contender.usage()
  if (measured.completed === 0) {
    throw new Error(`${contender.name} completed no "${operation.name}": ${measured.firstFailure}`)
  }
  return { measured, cpuMicros: after.cpuMicros - before.cpuMicros, rssBytes: after.rssBytes }
}

/** One operation: the servers alternate, and every second round has the reverse order. */
const measureAll = async (
  contenders: ReadonlyArray<Contender>,
  ours: Operation,
  { connections, rounds, seconds, warmUpSeconds }: Options
): Promise<ReadonlyArray<Row>> => {
  const taking = contenders.flatMap((contender) => {
    const operation = contender.operation(ours)
    return operation === undefined ? [] : [{ contender, operation, rounds: new Array<Round>() }]
  })
  for (const { contender, operation } of taking) await measure(contender, operation, connections, warmUpSeconds)
  for (let round = 0; round < rounds; round += 1) {
    for (const one of round % 2 === 0 ? taking : taking.toReversed()) {
      one.rounds.push(await measure(one.contender, one.operation, connections, seconds))
    }
  }
  return taking.map(({ contender, rounds }) => ({ operation: ours.name, server: contender.name, rounds }))
}

const main = async (options: Options): Promise<void> => {
  const about = aboutOf(options)
  const folder = mkdtempSync(join(tmpdir(), "parcela-bench-"))
  const started = performance.now()
  const rows: Array<Row> = []
  try {
    await withContenders(options, folder, async (contenders) => {
      for (const name of options.operations) {
        process.stdout.write(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${name} ..\n`)
        rows.push(
          ...(await measureAll(
            contenders,
            operations.find((one) => one.name === name)!,
            options
          ))
        )
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const comparison = comparisonOf(rows, options)
  const lines = [...tableOf(rows), ...(comparison.length === 0 ? [] : ["", ...comparison])]
  process.stdout.write(`\n${[...about, "", ...lines].join("\n")}\n`)
  if (options.page) {
    writeFileSync(fileURLToPath(new URL("../../../docs/benchmark.md", import.meta.url)), pageOf(about, lines))
  }
  for (const { operation, rounds, server } of rows) {
    const failure = rounds.find(({ measured }) => measured.firstFailure !== undefined)?.measured.firstFailure
    if (failure === undefined) continue
    process.stdout.write(`A response of ${server} to "${operation}" was: ${failure.slice(0, 500)}\n`)
    process.exitCode = 1
  }
}

const options = read(process.argv.slice(2))
if (options === undefined) process.stdout.write(`${usage}\n`)
else await main(options)
