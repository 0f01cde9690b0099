/** What was measured, as a table and as JSON. */
import { median } from "../Children.ts"
import type { Measured } from "./Load.ts"
import { percentile } from "./Percentile.ts"

/** One round of one server. */
export interface Round {
  readonly measured: Measured
  readonly cpuMicros: number
  readonly rssBytes: number
}

/** What a server was asked before it was measured with an operation. */
export interface WarmUp {
  readonly requests: number
  readonly seconds: number
  /** Or the most that anything is warmed up with was reached. */
  readonly isSettled: boolean
}

export interface Ratio {
  readonly median: number
  readonly smallest: number
  readonly largest: number
}

export interface Row {
  readonly operation: string
  readonly connections: number
  readonly open: "before" | "within"
  readonly server: string
  readonly warmUp: WarmUp
  readonly rounds: number
  readonly requestsPerSecond: number
  /** CPU of the server's process for each completed request. */
  readonly cpuMicrosPerRequest: number
  /** To the floor with the same bytes, of the same round each: median, smallest and largest. */
  readonly cpuRatio: Ratio
  /** To the floor with a small request, of the same round each: the median. */
  readonly smallRatio: number
  /** To the same operation without its key, of the same server and round each. */
  readonly withoutRatio?: Ratio
  readonly p50: number
  readonly p99: number
  /** The 99th percentile of a round to its 50th: a machine that is slower for a round has both of them later. */
  readonly tailRatio: Ratio
  readonly max: number
  readonly rssMegabytes: number
  /** CPU of the bench's own process for each completed request. */
  readonly loadMicrosPerRequest: number
  readonly completed: number
  readonly failures: Readonly<Record<string, number>>
  readonly firstFailure: string | undefined
}

const cpuOf = ({ cpuMicros, measured }: Round) => cpuMicros / measured.completed

const ascending = (latencies: ReadonlyArray<number>) => latencies.toSorted((a, b) => a - b)

const tailOf = ({ measured }: Round) => {
  const latencies = ascending(measured.latencies)
  return percentile(latencies, 99) / percentile(latencies, 50)
}

const spreadOf = (ratios: ReadonlyArray<number>): Ratio => ({
  median: median(ratios),
  smallest: Math.min(...ratios),
  largest: Math.max(...ratios)
})

export const rowOf = (
  about: Pick<Row, "operation" | "connections" | "open" | "server" | "warmUp">,
  rounds: ReadonlyArray<Round>,
  floors: { readonly same: ReadonlyArray<Round>; readonly small: ReadonlyArray<Round> },
  withouts: ReadonlyArray<Round> = []
): Row => {
  // Floors may have taken part in the first rounds alone.
  const ratioTo = (others: ReadonlyArray<Round>): Ratio =>
    spreadOf(others.map((other, index) => cpuOf(rounds[index]!) / cpuOf(other)))
  const latencies = ascending(rounds.flatMap(({ measured }) => measured.latencies))
  const failures: Record<string, number> = {}
  for (const { measured } of rounds) {
    for (const [status, count] of Object.entries(measured.failures)) failures[status] = (failures[status] ?? 0) + count
  }
  return {
    ...about,
    rounds: rounds.length,
    requestsPerSecond: median(rounds.map(({ measured }) => measured.completed / measured.seconds)),
    cpuMicrosPerRequest: median(rounds.map(cpuOf)),
    cpuRatio: ratioTo(floors.same),
    smallRatio: ratioTo(floors.small).median,
    ...(withouts.length > 0 && { withoutRatio: ratioTo(withouts) }),
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    tailRatio: spreadOf(rounds.map(tailOf)),
    max: latencies.at(-1) ?? NaN,
    rssMegabytes: Math.max(...rounds.map(({ rssBytes }) => rssBytes)) / 2 ** 20,
    loadMicrosPerRequest: median(rounds.map(({ measured }) => measured.ownCpuMicros / measured.completed)),
    completed: latencies.length,
    failures,
    firstFailure: rounds.map(({ measured }) => measured.firstFailure).find((body) => body !== undefined)
  }
}

const titles = [
  "operation",
  "conn",
  "server",
  "warm-up",
  "requests",
  "req/s",
  "CPU us",
  "x floor",
  "(min..max)",
  "x small",
  "p50",
  "p99",
  "p99/p50",
  "max",
  "MB",
  "load us",
  ""
]

const cellsOf = (row: Row): ReadonlyArray<string> => {
  const failed = Object.entries(row.failures).map(([status, count]) => `${count} times ${status}`)
  return [
    row.operation,
    `${row.connections}${row.open === "within" ? " new" : ""}`,
    row.server,
    `${row.warmUp.requests}${row.warmUp.isSettled ? "" : "+"}`,
    row.completed.toFixed(0),
    row.requestsPerSecond.toFixed(0),
    row.cpuMicrosPerRequest.toFixed(0),
    row.cpuRatio.median.toFixed(1),
    `(${row.cpuRatio.smallest.toFixed(1)}..${row.cpuRatio.largest.toFixed(1)})`,
    row.smallRatio.toFixed(1),
    row.p50.toFixed(1),
    row.p99.toFixed(1),
    row.tailRatio.median.toFixed(1),
    row.max.toFixed(0),
    row.rssMegabytes.toFixed(0),
    row.loadMicrosPerRequest.toFixed(0),
    failed.length === 0 ? "" : `! ${failed.join(", ")}`
  ]
}

const leftAligned = new Set([0, 2, titles.length - 1])

/** Lines of equal columns; latencies are milliseconds. */
export const tableOf = (rows: ReadonlyArray<Row>): string => {
  const lines = [titles, ...rows.map(cellsOf)]
  const widths = titles.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)))
  return lines
    .map((cells) =>
      cells
        .map((cell, column) =>
          leftAligned.has(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
        )
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
