/** What the project set out to reach, beside what a run measured: met or not. */
import { bare } from "./Contenders.ts"
import type { Ratio, Row } from "./Report.ts"

type Load = Pick<Row, "connections" | "open">

type RowOf = (operation: string, load?: Load) => Row | undefined

interface Target {
  readonly what: string
  readonly most: number
  /** The same of the floor, in the same rounds: what is the machine's. */
  readonly floor?: Target["measured"]
  /** Of how many requests it is a percentile. */
  readonly requests?: Target["measured"]
  /** Of which rounds it is the median. */
  readonly range?: (rowOf: RowOf) => Ratio | undefined
  /** Undefined where the run has no such row. */
  readonly measured: (rowOf: RowOf) => number | undefined
}

/** The server that the targets are set for: SQLite on a file, `synchronous = FULL`. PostgreSQL is reported beside it. */
const judged = "Parcela, sqlite"

const busy: Load = { connections: 32, open: "before" }
const fresh: Load = { connections: 32, open: "within" }
const few = (connections: number): Load => ({ connections, open: "before" })

const cpu = (operation: string, most: number, load: Load = busy): Target => ({
  what: `${operation}: CPU, x floor${load === busy ? "" : `, ${load.connections} connections`}`,
  most,
  measured: (rowOf) => rowOf(operation, load)?.cpuRatio.median
})

/** Of a list the target counts small requests, as the floor of the list's own bytes writes 148 KB. */
const list: Target = {
  what: "list 100: CPU, x small floor",
  most: 50,
  measured: (rowOf) => rowOf("list 100")?.smallRatio
}

/** Of the same server in the same rounds: minutes apart a server has other pages, other garbage and other code that is compiled. */
const keyed = (operation: string): Target => ({
  what: `${operation} with an Idempotency-Key: CPU, x without`,
  most: 1.3,
  measured: (rowOf) => rowOf(`${operation} + key`)?.withoutRatio?.median,
  range: (rowOf) => rowOf(`${operation} + key`)?.withoutRatio
})

const tail = (operation: string, load: Load, most: number): Target => ({
  what: `${operation}: p99 / p50, 32 ${load === fresh ? "new" : "open"} connections`,
  most,
  measured: (rowOf) => rowOf(operation, load)?.tailRatio.median,
  floor: (rowOf) => rowOf(operation, load)?.tailRatio.median,
  requests: (rowOf) => rowOf(operation, load)?.completed,
  range: (rowOf) => rowOf(operation, load)?.tailRatio
})

/** A third of what the first version took, by its CPU over a floor of 20 us (ADR 0024). */
const third = (microseconds: number) => microseconds / 20 / 3

const measuredForTails = ["read one", "add later", "add card today"]

const mostOfMany = 1.3

/** What a server with more transactions takes, beside the one with the fewest of the same store and run. */
const manyOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.flatMap((row) => {
    const [, name, transactions] = /^(Parcela, \w+), ([\d,]+)$/.exec(row.server) ?? []
    const base = rows.find(
      ({ connections, open, operation, server }) =>
        server === name && operation === row.operation && connections === row.connections && open === row.open
    )
    if (base === undefined) return []
    const what = `${row.operation}, ${name}: CPU at ${transactions} transactions, x fewer`
    return [judgement(what, row.cpuMicrosPerRequest / base.cpuMicrosPerRequest, mostOfMany)]
  })

const judgement = (what: string, value: number, most: number, ...beside: ReadonlyArray<string>) =>
  `| ${what} | ${value.toFixed(2)}${beside.length === 0 ? "" : ` (${beside.join("; ")})`} | ${most.toFixed(1)} | ${value <= most ? "yes" : "**no**"} |`

const targets: ReadonlyArray<Target> = [
  cpu("read one", 5),
  cpu("token", 6),
  list,
  cpu("create", 7),
  cpu("add later", 7),
  cpu("add card today", 14),
  cpu("retry", 14),
  keyed("add later"),
  keyed("add card today"),
  ...measuredForTails.map((operation) => tail(operation, busy, 2.5)),
  ...measuredForTails.map((operation) => tail(operation, fresh, 4)),
  cpu("add later", third(1_995), few(1)),
  cpu("add later", third(2_625), few(4)),
  cpu("add card today", third(3_345), few(1)),
  cpu("add card today", third(3_273), few(4))
]

/** Lines of a table in Markdown; none when nothing of it was measured. */
export const verdictOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const rowsOf =
    (name: string) =>
    (operation: string, { connections, open }: Load = busy) =>
      rows.find(
        (row) =>
          row.server === name &&
          row.operation === operation &&
          row.connections === connections &&
          row.open === open &&
          row.firstFailure === undefined
      )
  const judgements = targets.flatMap(({ floor, measured, most, range, requests, what }) => {
    const value = measured(rowsOf(judged))
    if (value === undefined) return []
    const [least, count, spread] = [floor?.(rowsOf(bare)), requests?.(rowsOf(judged)), range?.(rowsOf(judged))]
    return [
      judgement(
        what,
        value,
        most,
        ...(least === undefined ? [] : [`floor ${least.toFixed(2)}`]),
        ...(count === undefined ? [] : [`${count.toLocaleString("en")} requests`]),
        ...(spread === undefined ? [] : [`${spread.smallest.toFixed(2)}..${spread.largest.toFixed(2)}`])
      )
    ]
  })
  judgements.push(...manyOf(rows))
  if (judgements.length === 0) return []
  return [
    `| ${judged}, 32 connections unless said | Measured | Target, at most | Met |`,
    "|---|---|---|---|",
    ...judgements
  ]
}
