import { assert, describe, it } from "vitest"
import type { Measured } from "../src/server/Load.ts"
import { read } from "../src/server/Options.ts"
import { percentile } from "../src/server/Percentile.ts"
import { rowOf, tableOf } from "../src/server/Report.ts"
import { schemaOf } from "../src/server/SampleSchema.ts"
import { planned } from "../src/server/Pace.ts"

const measured = (latencies: ReadonlyArray<number>, seconds: number): Measured => ({
  completed: latencies.length,
  failures: {},
  firstFailure: undefined,
  seconds,
  ownCpuMicros: 10,
  latencies
})

const about = {
  operation: "token",
  connections: 32,
  open: "before",
  server: "Parcela",
  warmUp: { requests: 9, seconds: 1, isSettled: true }
} as const

describe("report", () => {
  it("compares CPU within each round, so that a slow round counts for both", () => {
    const ours = [
      { measured: measured([1, 2], 1), cpuMicros: 400, rssBytes: 2 ** 20 },
      { measured: measured([3, 4], 2), cpuMicros: 4_000, rssBytes: 3 * 2 ** 20 }
    ]
    const floor = [
      { measured: measured([1], 1), cpuMicros: 100, rssBytes: 0 },
      { measured: measured([1], 1), cpuMicros: 1_000, rssBytes: 0 }
    ]
    const small = floor.map((round) => ({ ...round, cpuMicros: round.cpuMicros / 2 }))
    const row = rowOf(about, ours, { same: floor, small })
    assert.deepStrictEqual(row.cpuRatio, { median: 2, smallest: 2, largest: 2 })
    assert.strictEqual(row.smallRatio, 4)
    assert.strictEqual(row.loadMicrosPerRequest, 5)
    assert.strictEqual(row.requestsPerSecond, 1.5)
    assert.strictEqual(row.cpuMicrosPerRequest, 1_100)
    assert.deepStrictEqual([row.p50, row.p99, row.max, row.rssMegabytes, row.completed], [2, 4, 4, 3, 4])
    const [titles, line] = tableOf([row]).split("\n")
    assert.match(titles!, /^operation {2}conn/)
    assert.match(line!, /^token\s+32 {2}Parcela\s+9\s+4\s+2\s+1100\s+2\.0/)
  })

  it("compares what has another beside it with that, within each round", () => {
    const rounds = (...micros: ReadonlyArray<number>) =>
      micros.map((cpuMicros) => ({ measured: measured([1], 1), cpuMicros, rssBytes: 0 }))
    const floor = rounds(10, 10)
    const floors = { same: floor, small: floor }
    assert.deepStrictEqual(rowOf(about, rounds(150, 5_000), floors, rounds(100, 2_000)).withoutRatio, {
      median: 2,
      smallest: 1.5,
      largest: 2.5
    })
    assert.isFalse("withoutRatio" in rowOf(about, rounds(150, 5_000), floors))
  })

  it("compares with a floor in the rounds that it took part in", () => {
    const rounds = (...micros: ReadonlyArray<number>) =>
      micros.map((cpuMicros) => ({ measured: measured([1], 1), cpuMicros, rssBytes: 0 }))
    const { cpuRatio } = rowOf(about, rounds(20, 30, 9_000), { same: rounds(10, 10), small: rounds(10, 10) })
    assert.deepStrictEqual(cpuRatio, { median: 2.5, smallest: 2, largest: 3 })
  })

  it("takes a tail within each round, as a slow round is later as a whole", () => {
    const round = (slower: number) => ({
      measured: measured(
        // Not in order, as responses come.
        Array.from({ length: 100 }, (_, index) => (100 - index) * slower),
        1
      ),
      cpuMicros: 1,
      rssBytes: 0
    })
    const rounds = [round(1), round(1), round(10)]
    const { p50, p99, tailRatio } = rowOf(about, rounds, { same: rounds, small: rounds })
    assert.deepStrictEqual(tailRatio, { median: 1.98, smallest: 1.98, largest: 1.98 })
    assert.isAbove(p99 / p50, 10)
  })

  it("takes the nearest rank as a percentile", () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1)
    assert.deepStrictEqual([percentile(values, 50), percentile(values, 99), percentile([7], 99)], [50, 99, 7])
    assert.isNaN(percentile([], 50))
  })

  it("finds the schema that samples have in common", () => {
    const list = [{ items: [{ a: 1 }, { a: 2, b: "x" }] }]
    assert.deepStrictEqual(schemaOf(list), {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: { type: "object", properties: { a: { type: "integer" }, b: { type: "string" } }, required: ["a"] }
        }
      },
      required: ["items"]
    })
  })

  it("takes seven minutes at most without options, and refuses what it does not know", () => {
    const usual = read([])
    assert.notStrictEqual(usual, "help")
    if (usual === "help") return
    const seen = new Set<string>()
    const seconds = usual.plans.flatMap((plan) =>
      plan.operations.map((name) => {
        const isFirst = !seen.has(name)
        seen.add(name)
        return planned(plan, isFirst)
      })
    )
    // What is left is for starting, filling and waiting for the last responses; a run that is behind measures less.
    assert.isAtMost(
      seconds.reduce((sum, one) => sum + one, 0),
      350
    )
    assert.isAtMost(usual.limitSeconds ?? Infinity, 400)
    assert.throws(() => read(["--operations", "nothing"]), /no operation/)
    assert.throws(() => read(["--seconds", "0"]), /above 0/)
    assert.throws(() => read(["--stores", "sqlite,oracle"]), /--stores/)
  })
})
