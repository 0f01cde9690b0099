/** Adds up what vitest's JSON reports say, and what they fail to say. */

/** The part of vitest's JSON report that is read. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: ReadonlyArray<{
    /** The test file's absolute path. */
    readonly name: string
    readonly status: string
    /** The reason why the file could not be loaded, or an empty text. */
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly ancestorTitles: ReadonlyArray<string>
      readonly title: string
      /** With their stacks. */
      readonly failureMessages: ReadonlyArray<string> | null
    }>
  }>
}

/** The result of a task of the run. */
export interface Task {
  readonly id: string
  readonly outcome: "passed" | "failed" | "did not run"
  readonly milliseconds: number
  readonly cached: boolean
  /** The path of its output from the root, or an empty text. */
  readonly log: string
}

/** The result of a run: tests by number, and everything else that failed by name. */
export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Failures that are not failed tests, a line each. */
  readonly reasons: ReadonlyArray<string>
}

/**
 * Passed counts tests. Failed counts failed tests, and one for each: file that could not be loaded, test file that did not
 * run, failed task that no failed test explains. A run of tests without a test has failed.
 */
export const totalsOf = (run: {
  readonly tasks: ReadonlyArray<Task>
  readonly reports: ReadonlyMap<string, VitestReport>
  /** Absolute paths of all test files of the requested packages. */
  readonly testFiles: ReadonlyArray<string>
  readonly succeeded: boolean
}): Totals => {
  const reports = [...run.reports.values()]
  const sum = (count: (report: VitestReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0)
  const results = reports.flatMap(({ testResults }) => testResults)
  const unloaded = results.filter(
    ({ assertionResults, status }) => status === "failed" && !assertionResults.some(({ status }) => status === "failed")
  )
  const ran = new Set(results.map(({ name }) => name))
  const unseen = run.testFiles.filter((file) => !ran.has(file))
  const explained = new Set(
    [...run.reports].flatMap(([task, { testResults }]) =>
      testResults.some(({ status }) => status === "failed") ? [task] : []
    )
  )
  const failedTasks = run.tasks.filter(({ id, outcome }) => outcome !== "passed" && !explained.has(id))
  const passed = sum(({ numPassedTests }) => numPassedTests)
  const failedTests = sum(({ numFailedTests }) => numFailedTests)
  const reasons = [
    ...failedTasks.map(({ id, outcome }) => `${id} ${outcome === "failed" ? "failed" : "did not run"}`),
    ...unloaded.map(({ name }) => `${name} could not be loaded`),
    ...unseen.map((file) => `${file} did not run`)
  ]
  if (run.testFiles.length > 0 && passed + failedTests === 0) reasons.push("no test ran")
  if (!run.succeeded && failedTests + reasons.length === 0) reasons.push("the task runner failed")
  return {
    passed,
    failed: failedTests + reasons.length,
    skipped: sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests),
    reasons
  }
}
