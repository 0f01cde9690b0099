/** Finds files that import each other in a circle: none of them can be read, tested or moved without all others. */
import { posix } from "node:path"
import type { Import } from "./Imports.ts"

/** A source file, from the root with forward slashes, and what it imports. */
export interface Importing {
  readonly file: string
  readonly imports: ReadonlyArray<Pick<Import, "specifier">>
}

/** The shortest circles of relative imports, of types too: each once, from its first file by name and without that at its end. */
export const circlesIn = (files: ReadonlyArray<Importing>): ReadonlyArray<ReadonlyArray<string>> => {
  const imported = importedBy(files)
  const circles = new Map<string, ReadonlyArray<string>>()
  for (const { file } of files) {
    const circle = shortestCircle(file, imported)
    if (circle !== undefined) circles.set(circle.toSorted().join("\n"), fromFirst(circle))
  }
  return [...circles.values()]
}

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

/** From `file` back to it by the fewest imports: breadth first. */
const shortestCircle = (file: string, imported: Imported): ReadonlyArray<string> | undefined => {
  const seen = new Set<string>()
  let paths: ReadonlyArray<ReadonlyArray<string>> = [[file]]
  while (paths.length > 0) {
    const longer: Array<ReadonlyArray<string>> = []
    for (const path of paths) {
      for (const next of imported.get(path.at(-1) ?? file) ?? []) {
        if (next === file) return path
        if (seen.has(next)) continue
        seen.add(next)
        longer.push([...path, next])
      }
    }
    paths = longer
  }
  return undefined
}

const fromFirst = (circle: ReadonlyArray<string>): ReadonlyArray<string> => {
  const first = circle.indexOf(circle.toSorted()[0] ?? "")
  return [...circle.slice(first), ...circle.slice(0, first)]
}
