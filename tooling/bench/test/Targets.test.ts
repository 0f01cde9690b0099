import { assert, describe, it } from "vitest"
import type { Row } from "../src/server/Report.ts"
import { verdictOf } from "../src/server/Targets.ts"

const row: Row = {
  operation: "add later",
  connections: 32,
  open: "before",
  server: "Parcela, sqlite",
  warmUp: { requests: 20_000, seconds: 3, isSettled: false },
  rounds: 2,
  requestsPerSecond: 1,
  cpuMicrosPerRequest: 100,
  cpuRatio: { median: 7, smallest: 6, largest: 8 },
  smallRatio: 9,
  p50: 2,
  p99: 9,
  tailRatio: { median: 2.55, smallest: 2.4, largest: 2.6 },
  max: 6,
  rssMegabytes: 1,
  loadMicrosPerRequest: 1,
  completed: 1,
  failures: {},
  firstFailure: undefined
}

const judged = (rows: ReadonlyArray<Row>) => verdictOf(rows).slice(2)

describe("the targets", () => {
  it("are met by what is at most as much, and judge what was measured alone", () => {
    assert.deepStrictEqual(judged([row]), [
      "| add later: CPU, x floor | 7.00 | 7.0 | yes |",
      "| add later: p99 / p50, 32 open connections | 2.55 (1 requests; 2.40..2.60) | 2.5 | **no** |"
    ])
  })

  it("hold a request with a key against the same without in the same rounds", () => {
    const withoutRatio = { median: 1.31, smallest: 1.1, largest: 1.4 }
    const keyed = { ...row, operation: "add later + key", cpuMicrosPerRequest: 900, withoutRatio }
    assert.include(
      judged([row, keyed]),
      "| add later with an Idempotency-Key: CPU, x without | 1.31 (1.10..1.40) | 1.3 | **no** |"
    )
  })

  it("say what a tail's floor is, as that is the machine's", () => {
    const floor = { ...row, server: "node:http", tailRatio: { ...row.tailRatio, median: 5.1 } }
    assert.include(
      judged([row, floor]),
      "| add later: p99 / p50, 32 open connections | 2.55 (floor 5.10; 1 requests; 2.40..2.60) | 2.5 | **no** |"
    )
  })

  it("allow new connections a longer tail, and few connections more CPU", () => {
    assert.deepStrictEqual(judged([{ ...row, open: "within" }]), [
      "| add later: p99 / p50, 32 new connections | 2.55 (1 requests; 2.40..2.60) | 4.0 | yes |"
    ])
    assert.deepStrictEqual(judged([{ ...row, connections: 4 }]), [
      "| add later: CPU, x floor, 4 connections | 7.00 | 43.8 | yes |"
    ])
  })

  it("hold a server with many transactions against the one of the same store with fewer", () => {
    const many = { ...row, server: "Parcela, sqlite, 1,000,000", cpuMicrosPerRequest: 131 }
    assert.include(
      judged([row, many]),
      "| add later, Parcela, sqlite: CPU at 1,000,000 transactions, x fewer | 1.31 | 1.3 | **no** |"
    )
  })

  it("are not judged by what failed, nor by another server", () => {
    assert.deepStrictEqual(
      judged([
        { ...row, firstFailure: "busy" },
        { ...row, server: "node:http" }
      ]),
      []
    )
  })
})
