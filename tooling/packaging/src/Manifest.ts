/** Compares what a package's manifest promises with the files that lie in its folder. */
import { posix } from "node:path"

/** A target of an exports map: closed (`null`), one file, or a file per condition. */
type Target = null | string | { readonly [condition: string]: Target }

/** The part of a `package.json` that the checks read. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, Target>>
  /** Of a program: the file behind each command. */
  readonly bin?: Readonly<Record<string, string>>
  readonly publishConfig?: {
    readonly access?: string
    readonly bin?: Readonly<Record<string, string>>
    readonly exports?: Readonly<Record<string, Target>>
  }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The problems of a published package; `files` are relative to its folder. */
export const manifestProblems = (manifest: Manifest, files: ReadonlySet<string>): ReadonlyArray<string> => {
  const workspace = manifest.exports ?? {}
  const published = manifest.publishConfig?.exports ?? {}
  const problems: Array<string> = []
  if (manifest.publishConfig?.access !== "public") problems.push('publishConfig.access is not "public"')
  const subpaths = (exports: Readonly<Record<string, Target>>): string => Object.keys(exports).join(", ")
  if (subpaths(workspace) !== subpaths(published)) {
    problems.push(
      `exports has ${subpaths(workspace)} and publishConfig.exports ${subpaths(published)}: they must agree`
    )
  }
  const commands = manifest.publishConfig?.bin ?? {}
  if (Object.keys(manifest.bin ?? {}).join() !== Object.keys(commands).join()) {
    problems.push("bin and publishConfig.bin have other commands: they must agree")
  }
  for (const [command, file] of Object.entries(commands)) {
    if (!files.has(posix.normalize(file)))
      problems.push(`publishConfig.bin["${command}"] names ${posix.normalize(file)}, which does not exist`)
  }
  for (const [subpath, target] of Object.entries(published)) {
    for (const name of namesBehind(subpath, workspace, files)) {
      for (const file of targetsOf(target)) {
        const expected = posix.normalize(file.replace("*", name))
        if (!files.has(expected))
          problems.push(`publishConfig.exports["${subpath}"] names ${expected}, which does not exist`)
      }
    }
  }
  return problems
}

/** Packages of ours that a package needs where it is installed. */
export const internalDependencies = (manifest: Manifest): ReadonlyArray<string> =>
  Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    .filter((name) => name.startsWith("@parcela/"))
    .toSorted()

/** The imports of a program that are not among its dependencies, which are all that `npm start` installs. */
export const undeclaredImports = (manifest: Manifest, sources: ReadonlyArray<string>): ReadonlyArray<string> => {
  const imported = sources.flatMap((source) => Array.from(source.matchAll(importedPackage), ([, name = ""]) => name))
  return [...new Set(imported)].filter((name) => !Object.hasOwn(manifest.dependencies ?? {}, name)).toSorted()
}

/** The package of an import, where it is no file and no module of Node. */
const importedPackage = /(?:^(?:import|export|\}) .*?\bfrom|\bimport\() ?"(?!node:)((?:@[\w-]+\/)?[\w-]+)/gm

/** The source modules that match the star of a subpath, without those of a closed subpath. */
const namesBehind = (
  subpath: string,
  workspace: Readonly<Record<string, Target>>,
  files: ReadonlySet<string>
): ReadonlyArray<string> => {
  if (!subpath.includes("*")) return [""]
  const closed = Object.keys(workspace).filter((key) => workspace[key] === null)
  return targetsOf(workspace[subpath] ?? null).flatMap((source) => {
    const [before = "", after = ""] = posix.normalize(source).split("*")
    return [...files]
      .filter((file) => file.startsWith(before) && file.endsWith(after))
      .map((file) => file.slice(before.length, file.length - after.length))
      .filter((name) => !closed.some((key) => subpath.replace("*", name).startsWith(key.replace("*", ""))))
  })
}

const targetsOf = (target: Target): ReadonlyArray<string> => {
  if (target === null) return []
  return typeof target === "string" ? [target] : Object.values(target).flatMap(targetsOf)
}
