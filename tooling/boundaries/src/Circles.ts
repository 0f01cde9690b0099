/**
 * Finds files and folders that import each other in a circle: none of them can be read, tested or moved without the
 * others.
 */
import { posix } from "node:path"
import type { Import } from "./Imports.ts"

/** A source file, from the root with forward slashes, and its imports. */
export interface Importing {
  readonly file: string
  readonly imports: ReadonlyArray<Pick<Import, "specifier">>
}

type Circle = ReadonlyArray<string>

/** Packages whose folders may import each other in circles, with the reason. */
const circularPackages: Readonly<Record<string, string>> = {
  core: "Its folders are the nouns of one set of rules, and a charge has a transaction as a transaction has a charge.",
  "provider-simulator": "Its folder `internal` has parts of the files in `src`."
}

/**
 * Returns the shortest circles of relative imports, including imports of types. Each circle is listed once, from its first
 * file by name.
 */
export const circlesIn = (files: ReadonlyArray<Importing>): ReadonlyArray<Circle> => shortestCircles(importedBy(files))

/**
 * Returns the shortest circles of the folders directly in the `src` of a package. Each file that is in none of these folders
 * counts by itself, because it may be above or below them.
 */
export const folderCirclesIn = (files: ReadonlyArray<Importing>): ReadonlyArray<Circle> => {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of importedBy(files)) {
    if (!isPackageSource(file)) continue
    const folder = folderOf(file)
    const imported = folders.get(folder) ?? new Set()
    folders.set(folder, imported)
    for (const target of targets) {
      if (folderOf(target) !== folder) imported.add(folderOf(target))
    }
  }
  return shortestCircles(folders)
}

/** Returns the circles of folders outside of the listed packages, and the listed packages without a circle. */
export const folderViolations = (
  files: ReadonlyArray<Importing>,
  circular: Readonly<Record<string, string>> = circularPackages
): ReadonlyArray<string> => {
  const circles = folderCirclesIn(files)
  const found = circles.filter(([first = ""]) => !Object.hasOwn(circular, packageOf(first)))
  const unneeded = Object.keys(circular).filter((name) => !circles.some(([first = ""]) => packageOf(first) === name))
  return [
    ...found.map(
      ([first, ...others]) =>
        `${first}  imports itself by ${others.join(", ")}\n  Folders of a package import each other one way.\n  Move the shared file down to the imported folder, or the importing file up.`
    ),
    ...unneeded.map(
      (name) =>
        `tooling/boundaries/src/Circles.ts  circularPackages has ${name}, whose folders have no circle\n  Take it off the list.`
    )
  ]
}

const isPackageSource = (file: string): boolean => /^packages\/[^/]+\/src\//.test(file)

const packageOf = (file: string): string => file.split("/")[1] ?? ""

const folderOf = (file: string): string => file.split("/").slice(0, 4).join("/")

type Imported = ReadonlyMap<string, ReadonlySet<string>>

const importedBy = (files: ReadonlyArray<Importing>): Imported =>
  new Map(
    files.map(({ file, imports }) => {
      const targets = imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => posix.join(posix.dirname(file), specifier))
      return [file, new Set(targets)]
    })
  )

const shortestCircles = (imported: Imported): ReadonlyArray<Circle> => {
  const circles = new Map<string, Circle>()
  for (const start of imported.keys()) {
    const circle = shortestCircle(start, imported)
    if (circle !== undefined) circles.set(circle.toSorted().join("\n"), fromFirst(circle))
  }
  return [...circles.values()]
}

/** Returns the shortest way from `start` back to it, by a breadth-first search. */
const shortestCircle = (start: string, imported: Imported): Circle | undefined => {
  const seen = new Set<string>()
  let paths: ReadonlyArray<Circle> = [[start]]
  while (paths.length > 0) {
    const longer: Array<Circle> = []
    for (const path of paths) {
      for (const next of imported.get(path.at(-1) ?? start) ?? []) {
        if (next === start) return path
        if (seen.has(next)) continue
        seen.add(next)
        longer.push([...path, next])
      }
    }
    paths = longer
  }
  return undefined
}

const fromFirst = (circle: Circle): Circle => {
  const first = circle.indexOf(circle.toSorted()[0] ?? "")
  return [...circle.slice(first), ...circle.slice(0, first)]
}
