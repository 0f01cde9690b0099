/** The measurements as lines of text, as tables and as a page. */
import { execFileSync } from "node:child_process"
import { cpus, loadavg, totalmem } from "node:os"
import { floorName, otherName, serverName } from "./Contenders.ts"
import type { Measured } from "./Load.ts"
import type { Options } from "./Options.ts"

/** One round of one server. */
export interface Round {
  readonly measured: Measured
  readonly cpuMicros: number
  readonly rssBytes: number
}

/** All rounds of one server with one operation. */
export interface Row {
  readonly operation: string
  readonly server: string
  readonly rounds: ReadonlyArray<Round>
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** By nearest rank. */
const percentile = (ascending: ReadonlyArray<number>, percent: number): number =>
  ascending[Math.max(0, Math.ceil((percent / 100) * ascending.length) - 1)] ?? NaN

const cpuOf = ({ cpuMicros, measured }: Round): number => cpuMicros / measured.completed

/** Ratios of the CPU of each round to another server's in the same round: the median, the smallest and the largest. */
const ratioOf = (row: Row, other: Row): string => {
  const ratios = row.rounds.map((round, index) => cpuOf(round) / cpuOf(other.rounds[index]!))
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)})`
}

const cellsOf = (row: Row, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const { rounds } = row
  const latencies = rounds.flatMap(({ measured }) => measured.latencies).sort((a, b) => a - b)
  const floor = rows.find(({ operation, server }) => operation === row.operation && server === floorName)
  const failed = rounds.flatMap(({ measured }) => Object.entries(measured.failures))
  return [
    row.operation,
    row.server,
    median(rounds.map(({ measured }) => measured.completed / measured.seconds)).toFixed(0),
    median(rounds.map(cpuOf)).toFixed(0),
    floor === undefined ? "" : ratioOf(row, floor),
    percentile(latencies, 50).toFixed(1),
    percentile(latencies, 99).toFixed(1),
    (Math.max(...rounds.map(({ rssBytes }) => rssBytes)) / 2 ** 20).toFixed(0),
    median(rounds.map(({ measured }) => measured.ownCpuMicros / measured.completed)).toFixed(0),
    failed.map(([status, count]) => `${count} times ${status}`).join(", ")
  ]
}

const titles = [
  "operation",
  "server",
  "req/s",
  "CPU us",
  "x node:http",
  "p50 ms",
  "p99 ms",
  "MB",
  "load us",
  "failures"
]

const table = (header: ReadonlyArray<string>, lines: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const all = [header, ...lines]
  const widths = header.map((_, column) => Math.max(...all.map((cells) => cells[column]!.length)))
  const [first = "", ...rest] = all.map((cells) => {
    const padded = cells.map((cell, column) =>
      column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    )
    return `| ${padded.join(" | ")} |`
  })
  return [
    first,
    `|${widths.map((width, column) => (column < 2 ? "-" : "-:").padStart(width + 2, "-")).join("|")}|`,
    ...rest
  ]
}

/** Every server with every operation, as a table in Markdown. */
export const tableOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  table(
    titles,
    rows.map((row) => cellsOf(row, rows))
  )

/** Compares this checkout's server with the other one: CPU of each request, and the ratio of every round. */
export const comparisonOf = (rows: ReadonlyArray<Row>, { stores }: Options): ReadonlyArray<string> => {
  const find = (operation: string, server: string) =>
    rows.find((row) => row.operation === operation && row.server === server)
  const lines = stores.flatMap((store) =>
    rows.flatMap((own) => {
      const other = own.server === serverName(store) ? find(own.operation, otherName(store)) : undefined
      if (other === undefined) return []
      const [mine, theirs] = [own, other].map(({ rounds }) => rounds.map(cpuOf)) as [Array<number>, Array<number>]
      return [
        [
          own.operation,
          store,
          median(mine).toFixed(0),
          median(theirs).toFixed(0),
          ratioOf(own, other),
          (Math.min(...mine) / Math.min(...theirs)).toFixed(2)
        ]
      ]
    })
  )
  return lines.length === 0
    ? []
    : table(["operation", "store", "CPU us", "other", "x other", "smallest / smallest"], lines)
}

const commitOf = (folder: string): string => {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { cwd: folder, encoding: "utf8" }).trim()
  } catch {
    return "unknown"
  }
}

/** The machine and the commits, to be read before the run makes the machine busy. */
export const aboutOf = ({ against, connections, rounds, seconds, warmUpSeconds }: Options): ReadonlyArray<string> => [
  `${new Date().toISOString().slice(0, 10)}, commit \`${commitOf(import.meta.dirname)}\`${against === undefined ? "" : `, other: \`${commitOf(against)}\``}`,
  `Node ${process.versions.node}, SQLite ${process.versions.sqlite}; ${cpus().length} x ${cpus()[0]?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB; load average before the run: ${loadavg()[0]!.toFixed(1)}`,
  `${connections} connections; ${rounds} rounds of ${seconds} s of each server, after ${warmUpSeconds} s of the same load`,
  "SQLite file with `synchronous = FULL`, PostgreSQL with `fsync = on`"
]

export const pageOf = (about: ReadonlyArray<string>, lines: ReadonlyArray<string>): string =>
  [
    "<!-- Generated by `npm run bench -- --page --peer`. Do not edit. -->",
    "",
    "# One run of the benchmark",
    "",
    "[tooling/bench/README.md](../tooling/bench/README.md) explains the columns.",
    "",
    ...about.map((line) => `- ${line}`),
    "",
    ...lines,
    ""
  ].join("\n")
