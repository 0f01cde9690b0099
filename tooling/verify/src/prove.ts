/**
 * Runs what takes too long for `npm test`: tests with more cases than there (`inject("prove")`), `*.prove.ts` files, and the
 * packages outside of the repository. Results are not cached.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type Part, read } from "./ProveParts.ts"
import { runTasks } from "./Turbo.ts"

const root = join(import.meta.dirname, "../../..")

/** Runs vitest in a package. */
const runTests = (folder: string, files: ReadonlyArray<string>, { args = [] }: Part, count: number | undefined) =>
  spawnSync(
    join(root, "node_modules/.bin/vitest"),
    // Progress that a test prints is shown at once.
    ["run", "--reporter=verbose", "--disableConsoleIntercept=true", ...args, ...files],
    {
      cwd: join(root, folder),
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, PARCELA_PROVE: `${count ?? "all"}` }
    }
  ).status === 0

/** One package after the other: each test uses the whole machine, and some measure. */
const holds = (part: Part, count: number | undefined): boolean => {
  if (part.tasks !== undefined) return runTasks(root, part.tasks).succeeded
  const byPackage = Map.groupBy(part.files, (file) => file.slice(0, file.indexOf("/test")))
  const results = Array.from(byPackage, ([folder, files]) =>
    runTests(
      folder,
      files.map((file) => file.slice(folder.length + 1)),
      part,
      count
    )
  )
  return results.every((result) => result)
}

const chosen = read(process.argv.slice(2))

if (typeof chosen === "string") {
  process.stdout.write(`${chosen}\n`)
  process.exitCode = process.argv.includes("--help") ? 0 : 1
} else {
  const results = chosen.parts.map((part) => {
    process.stdout.write(`\n${part.name} (${(part.tasks ?? part.files).join(", ")}) ..\n`)
    const started = performance.now()
    return { name: part.name, holds: holds(part, chosen.count), seconds: (performance.now() - started) / 1_000 }
  })
  process.stdout.write("\n")
  for (const { holds, name, seconds } of results) {
    process.stdout.write(`${holds ? "ok  " : "FAIL"} ${seconds.toFixed(0).padStart(6)} s  ${name}\n`)
  }
  process.exitCode = results.every(({ holds }) => holds) ? 0 : 1
}
