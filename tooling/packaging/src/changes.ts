/** Checks the changesets and their configuration by planning the next release, without git and without a network. */
import { join } from "node:path"
import { assembleReleasePlan } from "@changesets/assemble-release-plan"
import { readConfig } from "@changesets/config"
import { readPreState } from "@changesets/pre"
import { readChangesets } from "@changesets/read"
import { getPackages } from "@manypkg/get-packages"

const root = join(import.meta.dirname, "../../..")

/** The version of packages before their first release. */
const unreleased = "0.0.0"

/** Before the first release there is nothing to move from: each package has one changeset, which says what it is. */
const checkFirstRelease = (
  changesets: Awaited<ReturnType<typeof readChangesets>>,
  names: ReadonlyArray<string>
): void => {
  for (const { id, releases } of changesets) {
    if (releases.length !== 1) throw new Error(`${id}.md names ${releases.length} packages: before 0.1.0 it names one.`)
  }
  for (const name of names) {
    const own = changesets.filter(({ releases }) => releases[0]?.name === name).map(({ id }) => `${id}.md`)
    if (own.length === 1) continue
    const found = own.length === 0 ? "none" : own.join(", ")
    throw new Error(`${name} has ${found}: before 0.1.0 each published package has exactly one changeset.`)
  }
}

try {
  const packages = await getPackages(root)
  const { config, errors = [], warnings } = await readConfig(root, packages)
  const problems = [...errors, ...warnings]
  if (config === undefined || problems.length > 0) throw new Error(problems.join("\n"))
  const changesets = await readChangesets(root)
  const released = packages.packages.filter(({ packageJson }) => packageJson.private !== true)
  if (released.every(({ packageJson }) => packageJson.version === unreleased)) {
    checkFirstRelease(
      changesets,
      released.map(({ packageJson }) => packageJson.name)
    )
  }
  const { releases } = assembleReleasePlan(changesets, packages, config, await readPreState(root))
  const versions = new Set(releases.filter(({ type }) => type !== "none").map(({ newVersion }) => newVersion))
  if (versions.size > 1) throw new Error(`The packages share one version, but would get ${[...versions].join(", ")}.`)
  const next = versions.size === 0 ? "nothing to release" : `next is ${[...versions].join("")}`
  process.stdout.write(`changes: ${changesets.length} changesets, ${next}\n`)
} catch (error) {
  process.stderr.write(`.changeset: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
