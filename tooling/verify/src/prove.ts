/**
 * Runs what is too long for `npm test`: tests that do more when they may (they ask with `inject("prove")`), and the file
 * that is for this alone. Nothing of it is in a cache.
 */
import { spawnSync } from "node:child_process"
import { basename, dirname, join } from "node:path"
import { read } from "./ProveParts.ts"

const root = join(import.meta.dirname, "../../..")
const chosen = read(process.argv.slice(2))

if (typeof chosen === "string") {
  process.stdout.write(`${chosen}\n`)
  process.exitCode = process.argv.includes("--help") ? 0 : 1
} else {
  const results = chosen.parts.map(({ file, name }) => {
    process.stdout.write(`\n${name} (${file}) ..\n`)
    const started = performance.now()
    // One after the other: each of them uses the whole machine, and some measure.
    const { status } = spawnSync(
      join(root, "node_modules/.bin/vitest"),
      // What a test prints on its way is shown at once.
      ["run", "--reporter=verbose", "--disableConsoleIntercept=true", `test/${basename(file)}`],
      {
        cwd: join(root, dirname(dirname(file))),
        stdio: ["ignore", "inherit", "inherit"],
        env: { ...process.env, PARCELA_PROVE: `${chosen.count ?? "all"}` }
      }
    )
    return { name, holds: status === 0, seconds: (performance.now() - started) / 1_000 }
  })
  process.stdout.write("\n")
  for (const { holds, name, seconds } of results) {
    process.stdout.write(`${holds ? "ok  " : "FAIL"} ${seconds.toFixed(0).padStart(6)} s  ${name}\n`)
  }
  process.exitCode = results.every(({ holds }) => holds) ? 0 : 1
}
