import { assert, describe, it } from "@effect/vitest"
import { failuresOf } from "../src/Failures.ts"
import type { Task, VitestReport } from "../src/Report.ts"

const task = (id: string): Task => ({ id, outcome: "failed", milliseconds: 1, cached: false, log: id })

const report = (result: Partial<VitestReport["testResults"][number]>): VitestReport => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ name: "/root/a/test/A.test.ts", status: "failed", message: "", assertionResults: [], ...result }]
})

const failures = (reports: ReadonlyMap<string, VitestReport>, tasks = [task("a#test")], log = "") =>
  failuresOf({ tasks, reports, root: "/root", logOf: () => log })

describe("the lines about what failed", () => {
  it("name each failed test with its file, the start of its error and its place", () => {
    const stack =
      "    at it (/root/node_modules/x.js:1:1)\n    at /root/a/test/A.test.ts:3:4\n    at /root/a/test/A.test.ts:9:9"
    const failed = {
      status: "failed",
      ancestorTitles: ["a thing"],
      title: "is one",
      failureMessages: [`Error: \u001b[31mit is two\u001b[39m\n\n- 1\n+ 2\n  3\n${stack}`]
    }
    const passed = { status: "passed", ancestorTitles: ["a thing"], title: "is there", failureMessages: [] }
    assert.deepStrictEqual(failures(new Map([["a#test", report({ assertionResults: [passed, failed] })]])), [
      "FAIL a/test/A.test.ts > a thing > is one",
      "  Error: it is two",
      "  - 1",
      "  + 2",
      "      at a/test/A.test.ts:3:4"
    ])
  })

  it("say why a test file could not be loaded", () => {
    const message = "Cannot find module './b.ts'"
    assert.deepStrictEqual(failures(new Map([["a#test", report({ message })]])), [
      "FAIL a/test/A.test.ts",
      `  ${message}`
    ])
  })

  it("show the end of what a task wrote that no failed test explains, before the failed tests", () => {
    const assertion = { status: "failed", ancestorTitles: [], title: "is one", failureMessages: null }
    const reports = new Map([
      ["a#test", report({ assertionResults: [assertion] })],
      ["b#test", report({ status: "passed" })]
    ])
    const log = [...Array.from({ length: 50 }, (_, line) => `line ${line}`), " ❯ run node_modules/x.js:1:1", "", ""]
    const lines = failures(reports, [task("a#test"), task("b#test")], log.join("\n"))
    assert.deepStrictEqual(lines.slice(0, 2), ["The end of b#test:", "line 25"])
    assert.deepStrictEqual(lines.slice(-2), ["line 49", "FAIL a/test/A.test.ts > is one"])
  })

  it("are none when nothing failed", () => {
    const passed: Task = { ...task("a#test"), outcome: "passed" }
    assert.deepStrictEqual(failures(new Map([["a#test", report({ status: "passed" })]]), [passed]), [])
  })
})
