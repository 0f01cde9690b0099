/** Runs tasks through turbo and reads its summary of the run. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Task } from "./Report.ts"

interface Summary {
  readonly tasks: ReadonlyArray<{
    readonly taskId: string
    readonly command: string
    readonly logFile: string
    readonly cache: { readonly status: "HIT" | "MISS" }
    readonly execution?: {
      readonly startTime: number
      readonly endTime: number
      readonly exitCode: number | null
    }
  }>
}

/** Runs the tasks in every package that has them; the output of those that fail is shown as they end. */
export const runTasks = (
  root: string,
  names: ReadonlyArray<string>
): { readonly succeeded: boolean; readonly tasks: ReadonlyArray<Task> } => {
  const summaries = join(root, ".turbo/runs")
  rmSync(summaries, { recursive: true, force: true })
  mkdirSync(summaries, { recursive: true })
  const { status } = spawnSync(
    join(root, "node_modules/.bin/turbo"),
    [
      "run",
      ...names,
      "--continue=dependencies-successful",
      "--output-logs=errors-only",
      "--log-order=grouped",
      "--summarize"
    ],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...process.env,
        PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
        TURBO_TELEMETRY_DISABLED: "1",
        DO_NOT_TRACK: "1"
      }
    }
  )
  const tasks = readdirSync(summaries).flatMap((file) => tasksIn(readFileSync(join(summaries, file), "utf8")))
  return { succeeded: status === 0, tasks }
}

/** The tasks of a summary that had something to run. */
const tasksIn = (summary: string): ReadonlyArray<Task> =>
  // Turbo's summary; a field that is gone fails below.
  (JSON.parse(summary) as Summary).tasks
    .filter(({ command }) => command !== "<NONEXISTENT>")
    .map(({ cache, execution, logFile, taskId }) => ({
      id: taskId,
      outcome: execution === undefined ? "did not run" : execution.exitCode === 0 ? "passed" : "failed",
      milliseconds: execution === undefined ? 0 : execution.endTime - execution.startTime,
      cached: cache.status === "HIT",
      log: logFile
    }))
