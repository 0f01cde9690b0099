/**
 * Builds the adapter of the guide outside of the repository, as its reader would: in a folder of its own,
 * against the packages as they are packed, with its own tests.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { guideOfFiles as guide, snippetsIn } from "./Snippets.ts"

const root = join(import.meta.dirname, "../../..")

/** What the guide has its reader install, and what that installs. */
const packed = ["core", "webhooks", "engine", "testing"]
const fromRegistry = {
  effect: "packages/testing/node_modules/effect",
  vitest: "packages/testing/node_modules/vitest",
  "@effect/vitest": "packages/testing/node_modules/@effect/vitest",
  "@types/node": "node_modules/@types/node"
}

const folder = mkdtempSync(join(tmpdir(), "parcela-adapter-"))
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** The package as it would be published. */
const install = (name: string): void => {
  const options = { cwd: join(root, "packages", name), stdio: ["ignore", "pipe", "inherit"] as const }
  const pnpm = join(root, "node_modules/.bin/pnpm")
  execFileSync(pnpm, ["pack", "--out", join(folder, `${name}.tgz`)], { ...options, stdio: [...options.stdio] })
  const place = join(folder, "node_modules/@parcela", name)
  mkdirSync(place, { recursive: true })
  execFileSync("tar", ["-xzf", join(folder, `${name}.tgz`), "-C", place, "--strip-components=1"])
}

/** A package of the registry, as it is installed here: nothing is downloaded. */
const link = (name: string, from: string): void => {
  const place = join(folder, "node_modules", name)
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(realpathSync(join(root, from)), place)
}

const run = (what: string, program: string, args: ReadonlyArray<string>): boolean => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: folder,
    encoding: "utf8"
  })
  if (status !== 0) process.stderr.write(`${guide}: ${what} failed\n${stdout}${stderr}\n`)
  return status === 0
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

try {
  const { snippets } = snippetsIn(readFileSync(join(root, guide), "utf8"))
  const files = snippets.flatMap(({ file, module }) => (file === undefined ? [] : [{ file, module }]))
  for (const { file, module } of files) write(file, module)
  write("package.json", JSON.stringify({ name: "acme-pix", private: true, type: "module" }))
  write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["src", "test"] }))
  for (const name of packed) install(name)
  for (const [name, from] of Object.entries(fromRegistry)) link(name, from)
  const works =
    files.length > 0 &&
    run("compiling", "node_modules/typescript/bin/tsc", ["-p", "."]) &&
    run("its tests", "node_modules/vitest/vitest.mjs", ["run"])
  process.exitCode = works ? 0 : 1
  process.stdout.write(`outside: ${files.length} files of ${guide}${works ? "" : ", which do not work"}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
