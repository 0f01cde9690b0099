/** Checks the changesets and their configuration by planning the next release, without git and without a network. */
import { join } from "node:path"
import { assembleReleasePlan } from "@changesets/assemble-release-plan"
import { readConfig } from "@changesets/config"
import { readPreState } from "@changesets/pre"
import { readChangesets } from "@changesets/read"
import { getPackages } from "@manypkg/get-packages"

const root = join(import.meta.dirname, "../../..")

try {
  const packages = await getPackages(root)
  const { config, errors = [], warnings } = await readConfig(root, packages)
  const problems = [...errors, ...warnings]
  if (config === undefined || problems.length > 0) throw new Error(problems.join("\n"))
  const changesets = await readChangesets(root)
  const { releases } = assembleReleasePlan(changesets, packages, config, await readPreState(root))
  const versions = new Set(releases.filter(({ type }) => type !== "none").map(({ newVersion }) => newVersion))
  if (versions.size > 1) throw new Error(`The packages share one version, but would get ${[...versions].join(", ")}.`)
  const next = versions.size === 0 ? "nothing to release" : `next is ${[...versions].join("")}`
  process.stdout.write(`changes: ${changesets.length} changesets, ${next}\n`)
} catch (error) {
  process.stderr.write(`.changeset: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
