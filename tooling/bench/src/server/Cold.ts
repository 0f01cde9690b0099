/** What the first requests of a server cost, that was started for nothing else: a sandbox often lives for seconds. */
import { type Contender, bare } from "./Contenders.ts"
import { operations } from "./Operations.ts"
import type * as Receiver from "./Receiver.ts"
import type { Row } from "./Report.ts"
import { measure } from "./Rounds.ts"

/** One server and one operation: CPU for each request, of the first ones and of those after them. */
export interface Cold {
  readonly operation: string
  readonly server: string
  readonly first: number
  readonly next: number
}

/** Of how many requests each. */
const counts = { first: 1_000, next: 2_000 }

const connections = 32

const cpuOf = async (contender: Contender, name: string, requests: number, receiver: Receiver.Receiver) => {
  const load = { connections, open: "before", seconds: 60, requests } as const
  const { cpuMicros, measured } = await measure(
    contender,
    operations.find((one) => one.name === name)!,
    load,
    receiver
  )
  return cpuMicros / measured.completed
}

/** Of the server on SQLite and the floor, each started again for each operation. */
export const cold = async (
  contenders: ReadonlyArray<Contender>,
  names: ReadonlyArray<string>,
  receiver: Receiver.Receiver
): Promise<ReadonlyArray<Cold>> => {
  const all: Array<Cold> = []
  for (const operation of names) {
    for (const contender of contenders.filter(({ name, store }) => store === "sqlite" || name === bare)) {
      await contender.restart()
      const first = await cpuOf(contender, operation, counts.first, receiver)
      const next = await cpuOf(contender, operation, counts.next, receiver)
      all.push({ operation, server: contender.name, first, next })
    }
  }
  return all
}
/** Lines of a table in Markdown, with the same server's warm cost beside; none when nothing was measured cold. */
export const coldLinesOf = (cold: ReadonlyArray<Cold>, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  if (cold.length === 0) return []
  const warmOf = ({ operation, server }: Cold) =>
    rows.find(
      (row) =>
        row.operation === operation && row.server === server && row.connections === connections && row.open === "before"
    )
  const count = (requests: number) => requests.toLocaleString("en")
  return [
    `| Just started, ${connections} connections: CPU us | first ${count(counts.first)} | next ${count(counts.next)} | warm |`,
    "|---|---|---|---|",
    ...cold.map((one) => {
      const warm = warmOf(one)?.cpuMicrosPerRequest.toFixed(0) ?? "-"
      return `| ${one.operation}, ${one.server} | ${one.first.toFixed(0)} | ${one.next.toFixed(0)} | ${warm} |`
    })
  ]
}
