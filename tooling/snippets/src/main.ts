/**
 * Compiles every TypeScript fence of the READMEs and guides as a program that depends on all packages would, and looks
 * for every path that Markdown files name. A translated page must have the code of its original.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fragmentsIn, missingPaths, type Repository } from "./Paths.ts"
import { difference, originalOf, translationOf } from "./Translations.ts"
import { guideOfFiles, moduleName, snippetsIn, sourceOf } from "./Snippets.ts"

const root = join(import.meta.dirname, "../../..")
// Inside the examples package, whose package.json depends on every package.
const generated = join(root, "examples/.generated")

rmSync(generated, { recursive: true, force: true })
mkdirSync(generated, { recursive: true })

const complaints: Array<string> = []
let count = 0
const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** Files that git tracks or would track. */
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8"
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)))
const paths = new Set(tracked)
for (const file of tracked) for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) paths.add(folder)
const repository: Repository = { paths, fragmentsOf: (file) => fragmentsIn(read(file)) }
for (const file of tracked.filter((name) => name.endsWith(".md") && !name.endsWith("CHANGELOG.md")))
  for (const { line, path } of missingPaths(file, read(file), repository))
    complaints.push(`${file}:${line}: there is no ${path}`)

// For operators, who read the settings and the log in English too.
const englishOnly = ["docs/guides/operate.md"]
for (const file of globSync("docs/guides/*.md", { cwd: root }))
  if (originalOf(file) === undefined && !englishOnly.includes(file) && !paths.has(translationOf(file)))
    complaints.push(`${file}: there is no ${translationOf(file)}`)

const files = globSync(["*.md", "{packages,apps,tooling}/*/README.md", "examples/*.md", "docs/**/*.md"], {
  cwd: root,
  exclude: (name) => name === "node_modules" || name === "CHANGELOG.md"
})
for (const file of files) {
  const original = originalOf(file)
  const differs = original === undefined ? undefined : difference(read(original), read(file))
  if (differs !== undefined) complaints.push(`${file}: ${differs} (${original})`)
  const { refused, snippets } = snippetsIn(read(file))
  for (const { line, reason } of refused) complaints.push(`${file}:${line}: ${reason}`)
  for (const { file: part, line, module } of snippets) {
    if (part === undefined) writeFileSync(join(generated, moduleName(file, line)), module)
    else if (file !== guideOfFiles)
      complaints.push(`${file}:${line}: files of a program are compiled only in ${guideOfFiles}`)
  }
  count += snippets.length
}

if (count > 0) {
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const project = join(root, "tooling/snippets/tsconfig.json")
  const { status, stderr, stdout } = spawnSync(process.execPath, [compiler, "-p", project, "--pretty", "false"], {
    cwd: root,
    encoding: "utf8"
  })
  if (status !== 0) complaints.push(sourceOf(`${stdout}${stderr}`).trim())
}

if (complaints.length > 0) {
  process.stderr.write(`${complaints.join("\n")}\n`)
  process.exitCode = 1
}
process.stdout.write(
  `snippets: ${count} in ${files.length} files${complaints.length > 0 ? `, ${complaints.length} complaints` : ""}\n`
)
