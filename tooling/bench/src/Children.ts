/** Measurements in child processes, one after the other, so that none warms up or slows down another. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** What a Node process with these arguments prints as JSON. */
export const printedBy = (args: ReadonlyArray<string>): unknown =>
  JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], cwd }))

/** Children find the packages that this folder depends on, wherever they are started from. */
const cwd = fileURLToPath(new URL("..", import.meta.url))

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
