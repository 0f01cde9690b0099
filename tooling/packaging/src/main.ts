/** Checks the published packages after a build, and the configuration that lists them one by one. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { internalDependencies, type Manifest, manifestProblems, undeclaredImports } from "./Manifest.ts"

const root = join(import.meta.dirname, "../../..")
// Its callers say what the files of this repository hold.
const read = <A>(file: string): A => JSON.parse(readFileSync(join(root, file), "utf8")) as A

const problems: Array<string> = []
const manifests = new Map(
  globSync("{packages,apps}/*/package.json", { cwd: root }).map((file) => [file, read<Manifest>(file)] as const)
)
const published = [...manifests].filter(([, manifest]) => manifest.private !== true)
const names = published.map(([, { name }]) => name).toSorted()

for (const [file, manifest] of published) {
  const folder = file.slice(0, -"/package.json".length)
  const files = new Set(globSync(["package.json", "{src,dist}/**/*"], { cwd: join(root, folder) }))
  const isBuilt = [...files].some((name) => name.startsWith("dist/"))
  const hasSource = [...files].some((name) => name.endsWith(".ts") && name.startsWith("src/"))
  if (hasSource && !isBuilt) problems.push(`${folder} is not built: run npm run build first`)
  else for (const problem of manifestProblems(manifest, files)) problems.push(`${file}: ${problem}`)
}

for (const [file, manifest] of [...manifests].filter(([file]) => file.startsWith("apps/"))) {
  const folder = join(root, file, "../src")
  const sources = globSync("**/*.ts", { cwd: folder }).map((name) => readFileSync(join(folder, name), "utf8"))
  for (const name of undeclaredImports(manifest, sources)) problems.push(`${file}: dependencies lacks ${name}`)
}

const { fixed } = read<{ readonly fixed: ReadonlyArray<ReadonlyArray<string>> }>(".changeset/config.json")
if (fixed.length !== 1 || fixed[0]?.toSorted().join() !== names.join()) {
  problems.push(`.changeset/config.json: "fixed" must be one group of ${names.join(", ")}`)
}

const examples = read<Manifest>("examples/package.json").dependencies ?? {}
// Programs are run, and never imported.
const imported = published.filter(([, { bin }]) => bin === undefined).map(([, { name }]) => name)
for (const name of imported.filter((name) => !Object.hasOwn(examples, name))) {
  problems.push(`examples/package.json: depends on every package, and lacks ${name}`)
}

// A test's cached result is good only while the sources below it are the same, and turbo cannot follow development
// dependencies, which go in circles. So turbo.json repeats the other dependencies, and this keeps it in step.
const { tasks } = read<{ readonly tasks: Readonly<Record<string, { readonly dependsOn?: ReadonlyArray<string> }>> }>(
  "turbo.json"
)
for (const [file, manifest] of [...manifests].filter(([file]) => file.startsWith("packages/"))) {
  const expected = internalDependencies(manifest).map((name) => `${name}#source`)
  const found = tasks[`${manifest.name}#source`]?.dependsOn ?? []
  if (found.toSorted().join() !== expected.join()) {
    problems.push(`turbo.json: "${manifest.name}#source" must depend on ${JSON.stringify(expected)}, as ${file} does`)
  }
}

if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`)
  process.exitCode = 1
}
process.stdout.write(`packaging: ${published.length} packages, ${problems.length} problems\n`)
