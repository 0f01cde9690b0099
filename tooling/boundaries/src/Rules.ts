/** Judges the imports of one file by the table in `PackageRules.ts`. */
import { isBuiltin } from "node:module"
import { posix } from "node:path"
import type { Import } from "./Imports.ts"
import { type PackageRules, packageRules, testsMayAlsoImport } from "./PackageRules.ts"
import { type Stability, stableModules } from "./StableEffect.ts"

/** One import that its package does not allow. */
export interface Violation {
  readonly file: string
  readonly line: number
  readonly what: string
  readonly rule: string
  readonly remedy: string
}

/** What the rules must know beside the file. */
export interface Workspace {
  /** Names of the packages under `apps/`. */
  readonly apps: ReadonlySet<string>
  readonly stability: (effectModule: string) => Stability
}

/** Where a file lives: its package, and the part of it. */
interface Place {
  readonly kind: string
  readonly name: string
  readonly folder: string
  readonly part: string
}

type Complaint = readonly [rule: string, remedy: string]

/** The violations in one file; `file` is relative to the root, with forward slashes. */
export const violationsIn = (
  workspace: Workspace,
  file: string,
  imports: ReadonlyArray<Import>
): ReadonlyArray<Violation> => {
  const place = placeOf(file)
  return imports.flatMap((found): ReadonlyArray<Violation> => {
    const complaint = judge(workspace, place, file, found)
    if (complaint !== undefined) {
      const [rule, remedy] = complaint
      return [{ file, line: found.line, what: `import "${found.specifier}"`, rule, remedy }]
    }
    return isStableOnly(place) ? unstableUses(workspace, file, found) : []
  })
}

const placeOf = (file: string): Place => {
  const [kind = "", ...rest] = file.split("/")
  if (kind === "examples") return { kind, name: kind, folder: kind, part: "src" }
  const [name = "", part = ""] = rest
  return { kind, name, folder: `${kind}/${name}`, part }
}

const rulesOf = (place: Place): PackageRules | undefined =>
  place.kind === "packages" ? packageRules[place.name] : undefined

const isStableOnly = (place: Place): boolean => place.part === "src" && rulesOf(place)?.effect === "stable"

const judge = (workspace: Workspace, place: Place, file: string, { specifier }: Import): Complaint | undefined => {
  if (specifier.startsWith(".")) return judgeRelative(place, file, specifier)
  if (specifier.startsWith("@parcela/")) return judgeOurs(workspace, place, specifier)
  const allowed = rulesOf(place)
  if (allowed === undefined || place.part !== "src") return undefined
  if (isBuiltin(specifier)) return judgeBuiltin(place, allowed, file)
  if (specifier.startsWith("@effect/platform-")) return judgePlatform(place, allowed, specifier)
  if (/^effect($|\/)/.test(specifier)) return judgeEffect(place, allowed, specifier)
  return undefined
}

const judgeRelative = (place: Place, file: string, specifier: string): Complaint | undefined => {
  const target = posix.join(posix.dirname(file), specifier)
  if (!target.startsWith(`${place.folder}/`)) {
    return [
      "A relative import stays inside its package.",
      'Import the other package by subpath ("@parcela/core/money/Cents") and list it in package.json.'
    ]
  }
  if (place.part === "src" && target.startsWith(`${place.folder}/test/`)) {
    return ["Source does not import tests.", "Move what both need into src, or into @parcela/test-world."]
  }
  return undefined
}

const judgeOurs = (workspace: Workspace, place: Place, specifier: string): Complaint | undefined => {
  const [scope, packageName = "", ...path] = specifier.split("/")
  const name = `${scope}/${packageName}`
  const self = `@parcela/${place.name}`
  if (workspace.apps.has(name)) {
    return ["Nothing imports an app.", "Move what you need into the package it belongs to; an app only wires."]
  }
  const isTool = place.kind === "tooling" || (place.part !== "src" && testsMayAlsoImport.includes(name))
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
      `Import a public module ("${name}/<Module>"), or make what you need public there.`
    ]
  }
  const allowed = rulesOf(place)
  if (allowed === undefined) return undefined
  if (place.part === "src") {
    if (name === self) return ["A package's own source is imported relatively.", 'Write "./<Module>.ts".']
    if (!allowed.imports.includes(name)) {
      return [
        `${self} may import ${sentence(allowed.imports)}; not ${name}.`,
        "Turn the dependency round (a port here, its implementation there), or move the code to the package it belongs to."
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

const judgeBuiltin = (place: Place, allowed: PackageRules, file: string): Complaint | undefined => {
  if (allowed.nodeBuiltins === "everywhere") return undefined
  const listed = allowed.nodeBuiltins === "nowhere" ? [] : allowed.nodeBuiltins
  if (listed.some((name) => file === `${place.folder}/src/${name}`)) return undefined
  return [
    `${place.folder}/src uses no Node built-ins${listed.length > 0 ? ` outside ${sentence(listed)}` : ""}.`,
    "Use Effect's own service (Clock, Random, FileSystem, crypto ..), or put it behind a port and implement that in an adapter."
  ]
}

const judgePlatform = (place: Place, allowed: PackageRules, specifier: string): Complaint | undefined => {
  if (!allowed.platformNode) {
    return [
      `${place.folder}/src does not choose a platform: only sandbox and apps do.`,
      "Require the service in the layer's type and let the program provide it."
    ]
  }
  return specifier.split("/").length === 2
    ? ["Published source imports module by module.", `Name the module: "${specifier}/<Module>".`]
    : undefined
}

const judgeEffect = (place: Place, allowed: PackageRules, specifier: string): Complaint | undefined => {
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
      `${place.folder}/src knows nothing of ${sentence(allowed.effectExcept)}.`,
      "Declare a port here and implement it in the adapter that speaks this protocol."
    ]
  }
  if (allowed.effect === "stable" && !stableModules.has(module)) {
    return [
      `${place.folder}/src imports only Effect modules tagged stable.`,
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
