/**
 * Builds the adapter of the guide outside of the repository, as its reader would: in a folder of its own,
 * against the packages as they are packed, with its own tests.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { outsideProject } from "./OutsideProject.ts"
import { guideOfFiles as guide, snippetsIn } from "./Snippets.ts"

const root = join(import.meta.dirname, "../../..")

/** The packages that the guide installs, with their dependencies. */
const packed = ["core", "webhooks", "engine", "provider-tests"]
const fromRegistry = {
  effect: "packages/provider-tests/node_modules/effect",
  vitest: "packages/provider-tests/node_modules/vitest",
  "@effect/vitest": "packages/provider-tests/node_modules/@effect/vitest",
  "@types/node": "node_modules/@types/node"
}

const compilerOptions = {
  target: "ES2024",
  module: "NodeNext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true
}

const { snippets } = snippetsIn(readFileSync(join(root, guide), "utf8"))
const files = snippets.flatMap(({ file, module }) => (file === undefined ? [] : [{ file, module }]))

const works = await outsideProject(guide, (project) => {
  for (const { file, module } of files) project.write(file, module)
  project.write("package.json", JSON.stringify({ name: "acme-pix", private: true, type: "module" }))
  project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src", "test"] }))
  for (const name of packed) project.install(name)
  for (const [name, from] of Object.entries(fromRegistry)) project.link(name, from)
  return (
    files.length > 0 &&
    project.run("compiling", "node_modules/typescript/bin/tsc", ["-p", "."]) &&
    project.run("its tests", "node_modules/vitest/vitest.mjs", ["run"])
  )
})
process.exitCode = works ? 0 : 1
process.stdout.write(`outside: ${files.length} files of ${guide}${works ? "" : ", which do not work"}\n`)
