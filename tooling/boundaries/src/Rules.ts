/** Checks the imports of a file against the table in `PackageRules.ts`. */
import { isBuiltin } from "node:module"
import { posix } from "node:path"
import type { Import } from "./Imports.ts"
import { type PackageRules, packageRules, testsMayAlsoImport } from "./PackageRules.ts"
import { type Stability, stableModules } from "./StableEffect.ts"

/** An import that the package does not allow. */
export interface Violation {
  readonly file: string
  readonly line: number
  readonly what: string
  readonly rule: string
  readonly remedy: string
}

/** Facts about the workspace that the rules need. */
export interface Workspace {
  /** Names of the packages under `apps/`. */
  readonly apps: ReadonlySet<string>
  readonly stability: (effectModule: string) => Stability
}

/** The package of a file, and the part of the package. */
interface Location {
  readonly kind: string
  readonly name: string
  readonly folder: string
  readonly part: string
}

type Complaint = readonly [rule: string, remedy: string]

/** Returns the violations in a file. `file` is relative to the root, with forward slashes. */
export const violationsIn = (
  workspace: Workspace,
  file: string,
  imports: ReadonlyArray<Import>
): ReadonlyArray<Violation> => {
  const location = locationOf(file)
  return imports.flatMap((found): ReadonlyArray<Violation> => {
    const complaint = judge(workspace, location, file, found)
    if (complaint !== undefined) {
      const [rule, remedy] = complaint
      return [{ file, line: found.line, what: `import "${found.specifier}"`, rule, remedy }]
    }
    return isStableOnly(location) ? unstableUses(workspace, file, found) : []
  })
}

const locationOf = (file: string): Location => {
  const [kind = "", ...rest] = file.split("/")
  if (kind === "examples") return { kind, name: kind, folder: kind, part: "src" }
  const [name = "", part = ""] = rest
  return { kind, name, folder: `${kind}/${name}`, part }
}

const rulesOf = (location: Location): PackageRules | undefined =>
  location.kind === "packages" ? packageRules[location.name] : undefined

const isStableOnly = (location: Location): boolean => location.part === "src" && rulesOf(location)?.effect === "stable"

const judge = (
  workspace: Workspace,
  location: Location,
  file: string,
  { specifier }: Import
): Complaint | undefined => {
  if (specifier.startsWith(".")) return judgeRelative(location, file, specifier)
  if (specifier.startsWith("@parcela/")) return judgeOurs(workspace, location, specifier)
  const allowed = rulesOf(location)
  if (allowed === undefined || location.part !== "src") return undefined
  if (isBuiltin(specifier)) return judgeBuiltin(location, allowed, file)
  if (specifier.startsWith("@effect/platform-")) return judgePlatform(location, allowed, specifier)
  if (/^effect($|\/)/.test(specifier)) return judgeEffect(location, allowed, specifier)
  return undefined
}

const judgeRelative = (location: Location, file: string, specifier: string): Complaint | undefined => {
  const target = posix.join(posix.dirname(file), specifier)
  if (!target.startsWith(`${location.folder}/`)) {
    return [
      "A relative import stays inside its package.",
      'Import the other package by subpath ("@parcela/core/money/Cents") and list it in package.json.'
    ]
  }
  if (location.part === "src" && target.startsWith(`${location.folder}/test/`)) {
    return ["Source does not import tests.", "Move the shared code into src, or into @parcela/test-world."]
  }
  return undefined
}

const judgeOurs = (workspace: Workspace, location: Location, specifier: string): Complaint | undefined => {
  const [scope, packageName = "", ...path] = specifier.split("/")
  const name = `${scope}/${packageName}`
  const self = `@parcela/${location.name}`
  if (workspace.apps.has(name)) {
    return ["Nothing imports an app.", "Move the code into its package; an app only composes."]
  }
  const isTool = location.kind === "tooling" || (location.part !== "src" && testsMayAlsoImport.includes(name))
  if (!Object.hasOwn(packageRules, packageName) && !isTool) {
    return [
      `There is no package ${name}.`,
      "Correct the name, or give the package a row in tooling/boundaries/src/PackageRules.ts."
    ]
  }
  if (path.length === 0 && packageRules[packageName]?.isOneModule !== true) {
    return ["Packages have no barrel.", `Name the module: "${name}/<Module>".`]
  }
  if (["src", "dist", "internal", "test"].includes(path[0] ?? "")) {
    return [
      `The ${path[0]} folder of a package is closed to others.`,
      `Import a public module ("${name}/<Module>"), or make the code public there.`
    ]
  }
  const allowed = rulesOf(location)
  if (allowed === undefined) return undefined
  if (location.part === "src") {
    if (name === self) return ["A package's own source is imported relatively.", 'Write "./<Module>.ts".']
    if (!allowed.imports.includes(name)) {
      return [
        `${self} may import ${sentence(allowed.imports)}; not ${name}.`,
        "Reverse the dependency (a port here, its implementation there), or move the code to the package it belongs to."
      ]
    }
    return undefined
  }
  if (name === self || allowed.imports.includes(name) || testsMayAlsoImport.includes(name)) return undefined
  return [
    `Tests of ${self} may import ${sentence([...new Set([...allowed.imports, ...testsMayAlsoImport])])}; not ${name}.`,
    "Test it in the package that composes both, or use a fixture of @parcela/test-world."
  ]
}

const judgeBuiltin = (location: Location, allowed: PackageRules, file: string): Complaint | undefined => {
  if (allowed.nodeBuiltins === "everywhere") return undefined
  const listed = allowed.nodeBuiltins === "nowhere" ? [] : allowed.nodeBuiltins
  if (listed.some((name) => file === `${location.folder}/src/${name}`)) return undefined
  return [
    `${location.folder}/src uses no Node built-ins${listed.length > 0 ? ` outside ${sentence(listed)}` : ""}.`,
    "Use Effect's own service (Clock, Random, FileSystem, crypto ..), or put it behind a port and implement that in an adapter."
  ]
}

const judgePlatform = (location: Location, allowed: PackageRules, specifier: string): Complaint | undefined => {
  if (!allowed.platformNode) {
    return [
      `${location.folder}/src does not choose a platform: only sandbox and apps do.`,
      "Require the service in the layer's type and let the program provide it."
    ]
  }
  return specifier.split("/").length === 2
    ? ["Published source imports module by module.", `Name the module: "${specifier}/<Module>".`]
    : undefined
}

const judgeEffect = (location: Location, allowed: PackageRules, specifier: string): Complaint | undefined => {
  const module = specifier.slice("effect/".length)
  // Folders of modules have lower-case names: "effect/sql" is a barrel, "effect/sql/SqlClient" is a module.
  if (module === "" || /^[a-z-]+$/.test(module)) {
    return [
      "Published source imports Effect module by module: a barrel costs start-up time.",
      `Write import * as Module from "${specifier}/<Module>".`
    ]
  }
  if (allowed.effectExcept.some((family) => specifier.startsWith(`${family}/`))) {
    return [
      `${location.folder}/src does not import ${sentence(allowed.effectExcept)}.`,
      "Declare a port here and implement it in the adapter of this protocol."
    ]
  }
  if (allowed.effect === "stable" && !stableModules.has(module)) {
    return [
      `${location.folder}/src imports only Effect modules tagged stable.`,
      `Use a stable module; if "${specifier}" is tagged stable in this Effect, add it to tooling/boundaries/src/StableEffect.ts.`
    ]
  }
  return undefined
}

const unstableUses = (workspace: Workspace, file: string, found: Import): ReadonlyArray<Violation> => {
  const module = found.specifier.slice("effect/".length)
  if (!found.specifier.startsWith("effect/")) return []
  const { exports } = workspace.stability(module)
  return [...found.uses].flatMap(([name, line]): ReadonlyArray<Violation> => {
    const tag = exports.get(name) ?? "stable"
    if (tag === "stable") return []
    return [
      {
        file,
        line,
        what: `${module}.${name}`,
        rule: `This export of effect/${module} is tagged ${tag}; a package that promises ^4.1.0 uses stable ones only.`,
        remedy: "Write the few lines yourself from stable parts, or move the code to a package that pins ~4.1.0."
      }
    ]
  })
}

const sentence = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "no package of ours" : names.join(", ")
