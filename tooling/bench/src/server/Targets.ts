/** What the project set out to reach (issue 11), beside what a run measured: met or not. */
import type { Row } from "./Report.ts"

type Load = Pick<Row, "connections" | "open">

interface Target {
  readonly what: string
  readonly most: number
  /** Undefined where the run has no such row. */
  readonly measured: (rowOf: (operation: string, load?: Load) => Row | undefined) => number | undefined
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

const keyed = (operation: string): Target => ({
  what: `${operation} with an Idempotency-Key: CPU, x without`,
  most: 1.3,
  measured: (rowOf) => {
    const [with_, without] = [rowOf(`${operation} + key`), rowOf(operation)]
    return with_ === undefined || without === undefined
      ? undefined
      : with_.cpuMicrosPerRequest / without.cpuMicrosPerRequest
  }
})

const tail = (operation: string, load: Load, most: number): Target => ({
  what: `${operation}: p99 / p50, 32 ${load === fresh ? "new" : "open"} connections`,
  most,
  measured: (rowOf) => {
    const row = rowOf(operation, load)
    return row === undefined ? undefined : row.p99 / row.p50
  }
})

/** A third of what the first version took, by its CPU over a floor of 20 us (ADR 0079). */
const third = (microseconds: number) => microseconds / 20 / 3

const measuredForTails = ["read one", "add later", "add card today"]

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
  const rowOf = (operation: string, { connections, open }: Load = busy) =>
    rows.find(
      (row) =>
        row.server === judged &&
        row.operation === operation &&
        row.connections === connections &&
        row.open === open &&
        row.firstFailure === undefined
    )
  const judgements = targets.flatMap(({ measured, most, what }) => {
    const value = measured(rowOf)
    if (value === undefined) return []
    return [`| ${what} | ${value.toFixed(2)} | ${most.toFixed(1)} | ${value <= most ? "yes" : "**no**"} |`]
  })
  if (judgements.length === 0) return []
  return [
    `| ${judged}, 32 connections unless said | Measured | Target, at most | Met |`,
    "|---|---|---|---|",
    ...judgements
  ]
}
