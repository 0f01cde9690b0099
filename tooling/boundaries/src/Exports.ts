/** The exports of a TypeScript file, with a mark on those that the file itself uses. */
import { parseSync, Visitor } from "oxc-parser"

/** An exported name. */
export interface Export {
  readonly name: string
  readonly line: number
  /** True if the name is a type, even if it is also a value. */
  readonly isType: boolean
  /** True if the file uses the name outside of the name's own declarations. */
  readonly usedInFile: boolean
}

const typeDeclarations = ["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "ClassDeclaration"]

interface Declared {
  readonly ranges: Array<readonly [start: number, end: number]>
  isType: boolean
}

/** Returns the exports of a file. A name that is a type and a value is one export. */
export const exportsIn = (file: string, text: string): ReadonlyArray<Export> => {
  const { module, program } = parseSync(file, text)
  const types = new Set(
    program.body.flatMap((node) =>
      node.type === "ExportNamedDeclaration" && typeDeclarations.includes(node.declaration?.type ?? "")
        ? [node.start]
        : []
    )
  )
  const declared = new Map<string, Declared>()
  for (const { entries, end, start } of module.staticExports) {
    for (const { exportName, isType } of entries) {
      if (exportName.name === null) continue
      const known = declared.get(exportName.name) ?? { ranges: [], isType: false }
      known.ranges.push([start, end])
      known.isType ||= isType || types.has(start)
      declared.set(exportName.name, known)
    }
  }
  const used = new Set<string>()
  new Visitor({
    Identifier: ({ name, start }) => {
      if (declared.get(name)?.ranges.every(([from, to]) => start < from || start >= to) === true) used.add(name)
    }
  }).visit(program)
  return [...declared].map(([name, { isType, ranges }]) => ({
    name,
    line: text.slice(0, ranges[0]?.[0] ?? 0).split("\n").length,
    isType,
    usedInFile: used.has(name)
  }))
}
