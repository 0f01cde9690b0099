/** The summary of each failure at the end of a run: CI often retains only the end of a long output. */
import { stripVTControlCharacters } from "node:util"
import type { Task, VitestReport } from "./Report.ts"

/** Of an error's message, which may hold two whole documents and how they differ. */
const linesOfMessage = 3
const widthOfLine = 300

/** Of a task that no failed test explains: enough for vitest's words about an error outside of a test. */
const linesOfLog = 25

const linesOf = (text: string): ReadonlyArray<string> =>
  stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trimEnd().slice(0, widthOfLine))
    .filter((line) => line !== "")

/** A line of a stack, as errors have it and as vitest writes it. */
const isOfStack = (line: string): boolean => /^ +(at|❯) /.test(line)
const isOfLibrary = (line: string): boolean => isOfStack(line) && line.includes("node_modules")

/** The first lines of an error, and the first line of its stack that is in the repository. */
const shortened = (error: string, root: string): ReadonlyArray<string> => {
  const lines = linesOf(error)
  const frame = lines.find((line) => isOfStack(line) && line.includes(root) && !isOfLibrary(line))
  const stack = lines.findIndex(isOfStack)
  const message = lines.slice(0, Math.min(linesOfMessage, stack === -1 ? linesOfMessage : stack))
  return [...message, ...(frame === undefined ? [] : [frame])].map((line) => `  ${line.replace(`${root}/`, "")}`)
}

/** Each failed test with its file and its error, and each file that could not be loaded. */
const ofTests = (report: VitestReport, root: string): ReadonlyArray<string> =>
  report.testResults.flatMap(({ assertionResults, message, name, status }) => {
    const file = name.replace(`${root}/`, "")
    const failed = assertionResults.filter(({ status }) => status === "failed")
    if (status === "failed" && failed.length === 0) return [`FAIL ${file}`, ...shortened(message, root)]
    return failed.flatMap(({ ancestorTitles, failureMessages, title }) => [
      `FAIL ${[file, ...ancestorTitles, title].join(" > ")}`,
      ...(failureMessages ?? []).flatMap((error) => shortened(error, root))
    ])
  })

/** The lines about all that failed: other tasks by the end of what they wrote, then tests by name. */
export const failuresOf = (run: {
  readonly tasks: ReadonlyArray<Task>
  readonly reports: ReadonlyMap<string, VitestReport>
  readonly root: string
  /** The output of a task. */
  readonly logOf: (task: Task) => string
}): ReadonlyArray<string> => {
  const failed = run.tasks
    .filter(({ outcome }) => outcome === "failed")
    .map((task) => {
      const report = run.reports.get(task.id)
      return { task, tests: report === undefined ? [] : ofTests(report, run.root) }
    })
  const others = failed.filter(({ tests }) => tests.length === 0)
  return [
    ...others.flatMap(({ task }) => [
      `The end of ${task.id}:`,
      ...linesOf(run.logOf(task))
        .filter((line) => !isOfLibrary(line))
        .slice(-linesOfLog)
    ]),
    ...failed.flatMap(({ tests }) => tests)
  ]
}
