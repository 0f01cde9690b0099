/**
 * Runs what is too long for `npm test`: the tests that take more when they may (they ask with `inject("prove")`), and the
 * files named `*.prove.ts`. Nothing of it is in a cache. Arguments narrow it to files whose path contains one of them.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"

const root = join(import.meta.dirname, "../../..")
const wanted = process.argv.slice(2)

const files = globSync("{packages,apps,tooling}/*/test/**/*.{test,prove}.ts", { cwd: root })
  .filter((file) => file.endsWith(".prove.ts") || readFileSync(join(root, file), "utf8").includes('inject("prove")'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()

const folderOf = (file: string) => file.split("/").slice(0, 2).join("/")

if (files.length === 0) {
  process.stdout.write(`Nothing to prove${wanted.length === 0 ? "" : ` in files named ${wanted.join(", ")}`}\n`)
  process.exitCode = 1
}

// One after the other: each of them uses the whole machine, and some measure.
for (const [folder, own] of Map.groupBy(files, folderOf)) {
  process.stdout.write(`\n${own.join(", ")} ..\n`)
  const { status } = spawnSync(
    join(root, "node_modules/.bin/vitest"),
    ["run", "--no-file-parallelism", "--reporter=verbose", ...own.map((file) => relative(folder, file))],
    {
      cwd: join(root, folder),
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, PARCELA_PROVE: "1" }
    }
  )
  if (status !== 0) process.exitCode = 1
}
process.stdout.write(process.exitCode === undefined ? "\nAll of it holds\n" : "\nNot all of it holds\n")
