import { assert, describe, it } from "@effect/vitest"
import { type Task, totalsOf, type VitestReport } from "../src/Report.ts"

const report = (file: string, statuses: ReadonlyArray<string>, status = "passed"): VitestReport => ({
  numPassedTests: statuses.filter((status) => status === "passed").length,
  numFailedTests: statuses.filter((status) => status === "failed").length,
  numPendingTests: statuses.filter((status) => status === "pending").length,
  numTodoTests: 0,
  testResults: [
    {
      name: file,
      status: statuses.includes("failed") ? "failed" : status,
      message: "",
      assertionResults: statuses.map((status) => ({ status, ancestorTitles: [], title: "", failureMessages: [] }))
    }
  ]
})

const task = (id: string, outcome: Task["outcome"] = "passed"): Task => ({
  id,
  outcome,
  milliseconds: 1,
  cached: false,
  log: ""
})

const run = { tasks: [task("a#test")], testFiles: ["/a.test.ts"], succeeded: true }

describe("the totals of a run", () => {
  it("are the sums over the packages", () => {
    const reports = new Map([
      ["a#test", report("/a.test.ts", ["passed", "passed"])],
      ["b#test", report("/b.test.ts", ["passed", "pending"])]
    ])
    const totals = totalsOf({ ...run, reports, testFiles: ["/a.test.ts", "/b.test.ts"] })
    assert.deepStrictEqual(totals, { passed: 3, failed: 0, skipped: 1, reasons: [] })
  })

  it("count a failed test once, not again for its task", () => {
    const reports = new Map([["a#test", report("/a.test.ts", ["passed", "failed"])]])
    const totals = totalsOf({ ...run, reports, tasks: [task("a#test", "failed")], succeeded: false })
    assert.deepStrictEqual(totals, { passed: 1, failed: 1, skipped: 0, reasons: [] })
  })

  it("count a failed check, and one that did not run", () => {
    const reports = new Map([["a#test", report("/a.test.ts", ["passed"])]])
    const tasks = [task("a#test"), task("//#lint", "failed"), task("//#packaging", "did not run")]
    const totals = totalsOf({ ...run, reports, tasks, succeeded: false })
    assert.deepStrictEqual(totals.reasons, ["//#lint failed", "//#packaging did not run"])
    assert.strictEqual(totals.failed, 2)
  })

  it("count a test file that could not be loaded", () => {
    const reports = new Map([["a#test", report("/a.test.ts", [], "failed")]])
    const totals = totalsOf({ ...run, reports, tasks: [task("a#test", "failed")], succeeded: false })
    assert.include(totals.reasons, "/a.test.ts could not be loaded")
  })

  it("count a test file that nobody ran, and a run without a test", () => {
    const totals = totalsOf({ ...run, reports: new Map() })
    assert.deepStrictEqual(totals.reasons, ["/a.test.ts did not run", "no test ran"])
  })

  it("are never free of failures when the task runner failed", () => {
    const reports = new Map([["a#test", report("/a.test.ts", ["passed"])]])
    assert.strictEqual(totalsOf({ ...run, reports, succeeded: false }).failed, 1)
  })
})
