import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { Run } from "../src/server/About.ts"
import { read } from "../src/server/Options.ts"
import { peer } from "../src/server/Peer.ts"
import { pageOf } from "../src/server/Page.ts"
import type { Row } from "../src/server/Report.ts"

const published = readFileSync(join(import.meta.dirname, "../../../docs/benchmark.md"), "utf8")

const run: Run = {
  date: "2026-11-22",
  commit: "abc",
  machine: "2 x some processor, 8 GiB, linux x64",
  load: 0,
  cores: 2,
  versions: "Node 24.0.0",
  transactions: [1_000],
  stores: [],
  rounds: "2 of 1 s",
  seconds: 200,
  shortened: 0,
  cold: [],
  rows: []
}

/** A page without what differs from run to run. */
const frameOf = (page: string) =>
  page
    .replace(/\n- [^]*?\n## Against/, "\n## Against")
    .replaceAll(/^\|.*\n/gm, "")
    .replace(/\n```text\n[^]*?\n```\n/, "\n")

const columnsOf = (line: string) => line.trim().split(/ {2,}/)
const tableIn = (page: string) => page.split("```text\n")[1]!.split("\n```")[0]!.split("\n")

describe("docs/benchmark.md", () => {
  it("is a page as the bench writes it", () => {
    assert.strictEqual(frameOf(published), frameOf(pageOf(run)))
    const numbers =
      /^\S+( \S+)*  +\d+( new)?  +\S+( \S+)*  +\d+\+?  +\d+  +\d+  +\d+  +[\d.]+  +\([\d.]+\.\.[\d.]+\)(  +[\d.]+){7}$/
    const [titles, ...rows] = tableIn(published)
    assert.deepStrictEqual(columnsOf(titles!), columnsOf(tableIn(pageOf(run))[0]!))
    for (const row of rows) assert.match(row, numbers)
  })

  it("has every operation of the usual run, of each server on its own line", () => {
    const usual = read([])
    if (usual === "help") throw new Error("no options are no call for help")
    assert.deepStrictEqual(
      tableIn(published)
        .slice(1)
        .map((row) => columnsOf(row).slice(0, 3))
        // Where the peer could not be installed, the page is without it.
        .filter(([, , server]) => server !== peer.name),
      usual.plans.flatMap(({ connections, hasFastify, open, operations, stores }) =>
        operations.flatMap((operation) =>
          [...stores.map((store) => `Parcela, ${store}`), "node:http", ...(hasFastify ? ["Fastify"] : [])].map(
            (server) => [operation, `${connections}${open === "within" ? " new" : ""}`, server]
          )
        )
      )
    )
  })

  it("says so when the machine was busy", () => {
    assert.notInclude(pageOf(run), "busy")
    assert.include(pageOf({ ...run, load: 1 }), "busy")
  })

  it("shows what was measured", () => {
    const row: Row = {
      operation: "token",
      connections: 32,
      open: "before",
      server: "Parcela, sqlite",
      warmUp: { requests: 20_000, seconds: 3, isSettled: false },
      rounds: 2,
      requestsPerSecond: 123,
      cpuMicrosPerRequest: 456,
      cpuRatio: { median: 7, smallest: 6, largest: 8 },
      smallRatio: 9,
      loadMicrosPerRequest: 12,
      p50: 1,
      p99: 2,
      tailRatio: { median: 2, smallest: 2, largest: 2 },
      max: 3,
      rssMegabytes: 4,
      completed: 5,
      failures: {},
      firstFailure: undefined
    }
    const cold = { operation: "token", server: "Parcela, sqlite", first: 900, next: 700 }
    const page = pageOf({ ...run, cold: [cold], rows: [row] })
    assert.include(page, "- Node 24.0.0")
    assert.include(page, "| token: CPU, x floor | 7.00 | 6.0 | **no** |")
    assert.include(page, "| token, Parcela, sqlite | 900 | 700 | 456 |")
    assert.deepStrictEqual(
      columnsOf(tableIn(page)[1]!),
      "token|32|Parcela, sqlite|20000+|5|123|456|7.0|(6.0..8.0)|9.0|1.0|2.0|2.0|3|4|12".split("|")
    )
  })
})
