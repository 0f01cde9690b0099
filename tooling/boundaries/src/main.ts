/**
 * Checks the imports of source and test files, the exports of packages, the sizes of files, and that no tracked file has
 * a conflict marker. For violations it prints the remedies and exits with 1.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { circlesIn, folderViolations, type Importing } from "./Circles.ts"
import { conflictMarkersIn } from "./ConflictMarkers.ts"
import { exportsIn } from "./Exports.ts"
import { examplesIn, importsIn } from "./Imports.ts"
import { intendedApi } from "./IntendedApi.ts"
import { apiViolations, type ModuleFacts } from "./PublicApi.ts"
import { packageRules } from "./PackageRules.ts"
import { type Manifest, missingPeers } from "./Peers.ts"
import { violationsIn } from "./Rules.ts"
import { sizeViolations } from "./Sizes.ts"
import { installedStability, misnamedModules } from "./StableEffect.ts"

const root = join(import.meta.dirname, "../../..")

const packagesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder)).filter((name) => existsSync(join(root, folder, name, "package.json")))

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))

const stability = installedStability(join(root, "packages/core"))
const workspace = { apps: new Set(packagesIn("apps").map((name) => manifestOf(`apps/${name}`).name)), stability }

const complaints: Array<string> = [
  ...missingPeers(
    manifestOf("."),
    packagesIn("packages").map((name) => manifestOf(`packages/${name}`))
  )
]
for (const name of packagesIn("packages").filter((name) => !Object.hasOwn(packageRules, name))) {
  complaints.push(
    `packages/${name}: has no row in the table of packages.\n  Give it one in tooling/boundaries/src/PackageRules.ts.`
  )
}
for (const name of misnamedModules(stability)) {
  complaints.push(
    `tooling/boundaries/src/StableEffect.ts: effect/${name} is not tagged stable.\n  Take it off the list and stop using it in core.`
  )
}

const files = globSync(["{packages,apps,tooling}/*/{src,test}/**/*.ts", "examples/**/*.ts"], {
  cwd: root,
  exclude: (name) => ["node_modules", ".generated", "vitest.config.ts"].includes(name)
}).sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]))
const modules: Array<ModuleFacts> = []
const importing: Array<Importing> = []
for (const [file, text] of texts) {
  const imports = importsIn(file, text)
  importing.push({ file, imports })
  modules.push({ file, imports, exports: file.startsWith("packages/") ? exportsIn(file, text) : [] })
  for (const { line, remedy, rule, what } of violationsIn(workspace, file, imports)) {
    complaints.push(`${file}:${line}  ${what}\n  ${rule}\n  ${remedy}`)
  }
}
for (const [first = "", ...others] of circlesIn(importing)) {
  complaints.push(
    `${first}  imports itself by ${others.join(", ")}\n  Files import each other one way, types too.\n  Move what both need into a file of its own.`
  )
}
complaints.push(...folderViolations(importing))

/** Returns the files of the repository. Without git, as in an archive, these are the source files only. */
const tracked = (): ReadonlyArray<string> => {
  const { status, stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
  return status === 0 ? stdout.split("\0").filter((file) => existsSync(join(root, file)) && file !== "") : files
}
for (const file of tracked()) {
  if (!statSync(join(root, file)).isFile()) continue
  const text = texts.get(file) ?? readFileSync(join(root, file), "utf8")
  for (const line of conflictMarkersIn(text)) {
    complaints.push(`${file}:${line}  a conflict marker\n  A merge is not finished.\n  Keep what both sides meant.`)
  }
  if (file.endsWith(".md"))
    modules.push({ file, imports: examplesIn(text).flatMap((code) => importsIn(`${file}.ts`, code)), exports: [] })
}
for (const { remedy, rule, what, where } of apiViolations(modules, intendedApi)) {
  complaints.push(`${where}  ${what}\n  ${rule}\n  ${remedy}`)
}

const sources = [...texts].filter(([file]) => file.split("/")[2] === "src")
const sizes = sources.map(([file, text]) => ({ file, lines: text.split("\n").length - 1 }))
for (const { remedy, what, where } of sizeViolations(sizes)) complaints.push(`${where}  ${what}\n  ${remedy}`)

if (complaints.length > 0) {
  process.stderr.write(`${complaints.join("\n\n")}\n\n`)
  process.exitCode = 1
}
process.stdout.write(`boundaries: ${files.length} files, ${complaints.length} violations\n`)
