/**
 * Checks that a program uses each export of a package, or that the export is listed as meant for the programs of users.
 */
import { posix } from "node:path"
import type { Export } from "./Exports.ts"
import type { Import } from "./Imports.ts"

/** A TypeScript file, or the examples in a Markdown file. */
export interface ModuleFacts {
  /** From the root, with forward slashes. */
  readonly file: string
  readonly imports: ReadonlyArray<Import>
  /** Empty for files outside of packages. */
  readonly exports: ReadonlyArray<Export>
}

/** Exports without a program that uses them, by module (`core/plans/Plan`), and the reason for them. */
export interface Intended {
  readonly reason: string
  readonly exports: Readonly<Record<string, ReadonlyArray<string>>>
}

/** A violation, in the form of the other checks. */
export interface ApiViolation {
  readonly where: string
  readonly what: string
  readonly rule: string
  readonly remedy: string
}

const listFile = "tooling/boundaries/src/IntendedApi.ts"

/**
 * Returns the unused exports of packages, and the unnecessary entries of the list.
 *
 * **Details**
 *
 * A program is an app, an example, a tool, or the source of a package other than `provider-tests`. Suites test a port, which
 * is no reason for the port. A type that its own file uses counts as used, because other exports may refer to it.
 */
export const apiViolations = (
  modules: ReadonlyArray<ModuleFacts>,
  intended: ReadonlyArray<Intended>
): ReadonlyArray<ApiViolation> => {
  const uses = usesOf(modules.filter(({ file }) => isProgram(file)))
  const entries = new Set<string>()
  const twice: Array<string> = []
  for (const { exports } of intended) {
    for (const [module, names] of Object.entries(exports)) {
      for (const name of names) {
        const entry = `${module} ${name}`
        if (entries.has(entry)) twice.push(entry)
        entries.add(entry)
      }
    }
  }
  const found = modules.flatMap(({ exports, file }): ReadonlyArray<ApiViolation> => {
    const module = publicModule(file)
    if (module === undefined) return []
    const used = uses.get(file)
    return exports.flatMap((exported): ReadonlyArray<ApiViolation> => {
      const entry = `${module} ${exported.name}`
      const isNeeded =
        used?.has(everything) === true || used?.has(exported.name) === true || (exported.isType && exported.usedInFile)
      // The entries that remain at the end name no export.
      const isListed = entries.delete(entry)
      if (isListed === !isNeeded) return []
      return [isListed ? unneededEntry(entry) : unused(file, exported)]
    })
  })
  return [...found, ...[...entries].map(missingExport), ...twice.map(listedTwice)]
}

const everything = "*"

const usesOf = (modules: ReadonlyArray<ModuleFacts>): ReadonlyMap<string, ReadonlySet<string>> => {
  const uses = new Map<string, Set<string>>()
  for (const { file, imports } of modules) {
    for (const found of imports) {
      const target = fileOf(file, found.specifier)
      if (target === undefined) continue
      const names = uses.get(target) ?? new Set()
      for (const name of found.uses.keys()) names.add(name)
      if (found.whole) names.add(everything)
      uses.set(target, names)
    }
  }
  return uses
}

const isProgram = (file: string): boolean =>
  file.startsWith("examples/") || !/^(packages\/provider-tests|tooling\/test-world|[a-z]+\/[^/]+\/test)\//.test(file)

const fileOf = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier)
  const [, name, path] = /^@parcela\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return name === undefined ? undefined : `packages/${name}/src/${path}.ts`
}

const publicModule = (file: string): string | undefined => {
  const [, name, path] = /^packages\/([^/]+)\/src\/(.+)\.ts$/.exec(file) ?? []
  return name === undefined || path === undefined || name === "provider-tests" || path.startsWith("internal/")
    ? undefined
    : `${name}/${path}`
}

const unused = (file: string, { line, name }: Export): ApiViolation => ({
  where: `${file}:${line}`,
  what: `export ${name}`,
  rule: "No program uses this export.",
  remedy: `Remove it, or the word "export"; if it is meant for the programs of others, list it in ${listFile} with a reason.`
})

const unneededEntry = (entry: string): ApiViolation => ({
  where: listFile,
  what: entry,
  rule: "A program uses this export, so it needs no entry.",
  remedy: "Take it off the list."
})

const missingExport = (entry: string): ApiViolation => ({
  where: listFile,
  what: entry,
  rule: "There is no such export.",
  remedy: "Correct the name, or take it off the list."
})

const listedTwice = (entry: string): ApiViolation => ({
  where: listFile,
  what: entry,
  rule: "An export is listed once.",
  remedy: "Take one of the entries off the list."
})
