/** What a TypeScript file imports, re-exports and loads, with the line of each and the names it uses. */
import { parseSync, Visitor } from "oxc-parser"

/** One mention of another module. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** Exports of that module the file uses by name, each with the line of its first use. */
  readonly uses: ReadonlyMap<string, number>
}

/** Thrown when a file cannot be parsed: the type check says more about it. */
class UnreadableFile extends Error {
  override readonly name = "UnreadableFile"
}

/**
 * Static imports, `import type`, re-exports, `import()`, `import("..")` types and `import x = require("..")`.
 *
 * **Gotchas**
 *
 * A dynamic import of a computed name is not seen.
 */
export const importsIn = (file: string, text: string): ReadonlyArray<Import> => {
  const { errors, module, program } = parseSync(file, text)
  if (errors.length > 0) throw new UnreadableFile(`${file}: ${errors[0]?.message}`)
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length
  const found: Array<{ specifier: string; line: number; uses: Map<string, number> }> = []
  const add = (specifier: string, offset: number): Map<string, number> => {
    const uses = new Map<string, number>()
    found.push({ specifier, line: lineAt(offset), uses })
    return uses
  }

  const namespaces = new Map<string, Map<string, number>>()
  for (const { entries, moduleRequest, start } of module.staticImports) {
    const uses = add(moduleRequest.value, start)
    for (const { importName, localName } of entries) {
      if (importName.kind === "NamespaceObject") namespaces.set(localName.value, uses)
      else if (importName.name !== null) uses.set(importName.name, lineAt(importName.start ?? start))
    }
  }
  for (const { entries } of module.staticExports) {
    for (const { importName, moduleRequest, start } of entries) {
      if (moduleRequest === null) continue
      const uses = add(moduleRequest.value, start)
      if (importName.name !== null) uses.set(importName.name, lineAt(start))
    }
  }

  const use = (namespace: string, name: string, offset: number): void => {
    const uses = namespaces.get(namespace)
    if (uses !== undefined && !uses.has(name)) uses.set(name, lineAt(offset))
  }
  new Visitor({
    ImportExpression: ({ source, start }) => {
      if (source.type === "Literal" && typeof source.value === "string") add(source.value, start)
    },
    TSImportType: ({ source, start }) => {
      add(source.value, start)
    },
    TSExternalModuleReference: ({ expression, start }) => {
      add(expression.value, start)
    },
    MemberExpression: ({ computed, object, property, start }) => {
      if (!computed && object.type === "Identifier" && property.type === "Identifier") {
        use(object.name, property.name, start)
      }
    },
    TSQualifiedName: ({ left, right, start }) => {
      if (left.type === "Identifier") use(left.name, right.name, start)
    }
  }).visit(program)
  return found
}
