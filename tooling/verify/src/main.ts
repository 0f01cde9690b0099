/**
 * Runs every check and test of the repository, or those named as arguments, and ends with a line like
 * `123 passed, 0 failed`. Turbo caches results: unchanged tasks do not run again.
 */
import { existsSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { failuresOf } from "./Failures.ts"
import { type Task, totalsOf, type VitestReport } from "./Report.ts"
import { runTasks } from "./Turbo.ts"

/** All of it, named as in `package.json` and `turbo.json`. */
const everything = [
  "format:check",
  "lint",
  "types",
  "boundaries",
  "snippets",
  "client-types:check",
  "diagrams:check",
  "unused",
  "changes",
  "compile",
  "build",
  "packaging",
  "test"
]

const root = join(import.meta.dirname, "../../..")
const names = process.argv.length > 2 ? process.argv.slice(2) : everything

const packages = globSync(["{packages,apps,tooling}/*/package.json", "examples/package.json"], { cwd: root }).map(
  (file) => join(root, file, "..")
)
const reportOf = (folder: string): string => join(folder, ".turbo/vitest.json")
// A report of an earlier run must not be counted; turbo restores those of tests that it does not repeat.
for (const folder of packages) rmSync(reportOf(folder), { force: true })

process.stdout.write(`Running ${names.join(", ")} ..\n`)
const run = runTasks(root, names)
const { succeeded } = run

// Its callers say what turbo.json, manifests and reports hold.
const read = <A>(file: string): A => JSON.parse(readFileSync(file, "utf8")) as A
// Turbo says nothing about a task whose dependency failed.
const known = new Set(run.tasks.map(({ id }) => id))
const silent = Object.keys(read<{ readonly tasks: object }>(join(root, "turbo.json")).tasks).filter(
  (id) => id.startsWith("//#") && names.includes(id.slice("//#".length)) && !known.has(id)
)
const tasks: ReadonlyArray<Task> = [
  ...run.tasks,
  ...silent.map((id): Task => ({ id, outcome: "did not run", milliseconds: 0, cached: false, log: "" }))
]
const reports = new Map(
  packages
    .filter((folder) => existsSync(reportOf(folder)))
    .map((folder) => [
      `${read<{ readonly name: string }>(join(folder, "package.json")).name}#test`,
      read<VitestReport>(reportOf(folder))
    ])
)
const logOf = ({ log }: Task): string => {
  const file = join(root, log)
  return log !== "" && existsSync(file) ? readFileSync(file, "utf8") : ""
}
const testFiles = names.includes("test")
  ? packages.flatMap((folder) => globSync("test/**/*.test.ts", { cwd: folder }).map((file) => join(folder, file)))
  : []

process.stdout.write("\n")
for (const { cached, id, milliseconds, outcome } of tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
  const time = cached ? "cached" : `${(milliseconds / 1000).toFixed(1)} s`
  process.stdout.write(`${outcome === "passed" ? "ok  " : "FAIL"} ${time.padStart(8)}  ${id.replace("//#", "")}\n`)
}
const { failed, passed, reasons, skipped } = totalsOf({ tasks, reports, testFiles, succeeded })
process.stdout.write("\n")
for (const reason of reasons) process.stdout.write(`${reason.replace(`${root}/`, "").replace("//#", "")}\n`)
for (const line of failuresOf({ tasks, reports, root, logOf })) process.stdout.write(`${line.replace("//#", "")}\n`)
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && succeeded ? 0 : 1
