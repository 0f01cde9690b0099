/** Measurements in child processes, one after the other, so that none warms up or slows down another. */
import { execFileSync } from "node:child_process"

/** What a Node process with these arguments prints as JSON. */
export const printedBy = (args: ReadonlyArray<string>): unknown =>
  JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }))

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
