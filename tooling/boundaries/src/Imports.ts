/** The modules that a TypeScript file imports, re-exports and loads, with the lines and the used names. */
import { type EcmaScriptModule, parseSync, Visitor } from "oxc-parser"

/** An import, re-export or load of another module. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** The exports of the module that the file uses by name, with the line of the first use. */
  readonly uses: ReadonlyMap<string, number>
  /** True if the file may use any export, because it passes on, re-exports or loads the whole module. */
  readonly whole: boolean
}

/** Thrown if the parser refuses a file. The type check explains the error. */
class UnreadableFile extends Error {
  override readonly name = "UnreadableFile"
}

/**
 * Returns static imports, `import type`, re-exports, `import()`, `import("..")` types and `import x = require("..")`.
 *
 * **Gotchas**
 *
 * Dynamic imports of computed names are not found.
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
  // Positions of namespace identifiers whose use is known: the file reads one export, or the identifier is only a name.
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
    // The visitor reaches an identifier after its parent, so a known use is already in the set.
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
  /** The identifier of the whole module, with its position. */
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

/** Returns the TypeScript examples of a Markdown text. `npm run snippets` compiles them. */
export const examplesIn = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)
