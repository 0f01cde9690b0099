/** What a TypeScript file imports, re-exports and loads, with the line of each and the names it uses. */
import { type EcmaScriptModule, parseSync, Visitor } from "oxc-parser"

/** One mention of another module. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** Exports of that module the file uses by name, each with the line of its first use. */
  readonly uses: ReadonlyMap<string, number>
  /** Whether it may use any export of that module: the module is handed on, re-exported or loaded as a whole. */
  readonly whole: boolean
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
  const found = [...importedIn(module, lineAt), ...reExportedIn(module, lineAt)]
  const add = (specifier: string, offset: number): void => {
    found.push({ specifier, line: lineAt(offset), uses: new Map(), whole: true, namespace: undefined })
  }

  const namespaces = new Map(
    found.flatMap((mention) => (mention.namespace === undefined ? [] : [[mention.namespace.value, mention] as const]))
  )
  // Where an identifier stands that is the name of a namespace, and what becomes of it is known.
  const understood = new Set([...namespaces.values()].map(({ namespace }) => namespace?.start))
  const use = (namespace: { readonly name: string; readonly start: number }, name: string, offset: number): void => {
    const uses = namespaces.get(namespace.name)?.uses
    if (uses === undefined) return
    understood.add(namespace.start)
    if (!uses.has(name)) uses.set(name, lineAt(offset))
  }
  const isOnlyAName = ({ start }: { readonly start: number }): void => void understood.add(start)
  new Visitor({
    ImportExpression: ({ source, start }) => {
      if (source.type === "Literal" && typeof source.value === "string") add(source.value, start)
    },
    TSImportType: ({ source, start }) => add(source.value, start),
    TSExternalModuleReference: ({ expression, start }) => add(expression.value, start),
    MemberExpression: ({ computed, object, property, start }) => {
      if (computed || property.type !== "Identifier") return
      isOnlyAName(property)
      if (object.type === "Identifier") use(object, property.name, start)
    },
    TSQualifiedName: ({ left, right, start }) => {
      isOnlyAName(right)
      if (left.type === "Identifier") use(left, right.name, start)
    },
    Property: ({ computed, key, shorthand }) => {
      if (!computed && !shorthand) isOnlyAName(key)
    },
    TSPropertySignature: ({ computed, key }) => {
      if (!computed) isOnlyAName(key)
    },
    // After its parents, which know what they do with a namespace.
    Identifier: ({ name, start }) => {
      const mention = namespaces.get(name)
      if (mention !== undefined && !understood.has(start)) mention.whole = true
    }
  }).visit(program)
  return found
}

interface Mention extends Import {
  readonly uses: Map<string, number>
  whole: boolean
  /** The name that the file gives the whole module, and where. */
  readonly namespace: { readonly value: string; readonly start: number } | undefined
}

type LineAt = (offset: number) => number

const importedIn = ({ staticImports }: EcmaScriptModule, lineAt: LineAt): Array<Mention> =>
  staticImports.map(({ entries, moduleRequest, start }) => {
    const named = entries.flatMap(({ importName }): ReadonlyArray<[string, number]> =>
      importName.name === null || importName.name === undefined
        ? []
        : [[importName.name, lineAt(importName.start ?? start)]]
    )
    const namespace = entries.find(({ importName }) => importName.kind === "NamespaceObject")?.localName
    return { specifier: moduleRequest.value, line: lineAt(start), uses: new Map(named), whole: false, namespace }
  })

const reExportedIn = ({ staticExports }: EcmaScriptModule, lineAt: LineAt): Array<Mention> =>
  staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ importName, moduleRequest, start }): ReadonlyArray<Mention> => {
      if (moduleRequest === null) return []
      const { name } = importName
      const uses = new Map<string, number>(name === null ? [] : [[name, lineAt(start)]])
      return [{ specifier: moduleRequest.value, line: lineAt(start), uses, whole: name === null, namespace: undefined }]
    })
  )
