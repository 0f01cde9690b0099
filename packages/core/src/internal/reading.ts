/**
 * A schema turned into closures that read JSON leniently; the rules stand at `reader` in `Reading.ts`.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import {
  absent,
  anything,
  flag,
  flat,
  isObject,
  literal,
  miss,
  type Node,
  number,
  pathOf,
  type Place,
  text
} from "./readingValues.ts"
import type { Unread } from "./Unread.ts"

/** The reader of a schema. */
export const compile = (ast: SchemaAST.AST): Node => nodeOf(ast, new Map())

type Known = Map<SchemaAST.AST, Node>

const nodeOf = (ast: SchemaAST.AST, known: Known): Node => {
  const found = known.get(ast)
  if (found !== undefined) return found
  const node = make(ast, known)
  known.set(ast, node)
  return node
}

const make = (ast: SchemaAST.AST, known: Known): Node => {
  if (ast.encoding !== undefined) return transformed(ast, known)
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return text
    case "Number":
      return number(ast)
    case "Boolean":
      return flag
    case "Literal":
      return literal(ast)
    case "Objects":
      return object(ast, known)
    case "Arrays":
      // There is one, as was just asked.
      return ast.elements.length === 0 && ast.rest.length === 1 ? list(ast.rest[0]!, known) : strict(ast)
    case "Union":
      return union(ast, known)
    case "Suspend":
      return suspended(ast, known)
    case "Null":
    case "Undefined":
    case "Void":
      return absent
    case "Unknown":
    case "Any":
      return anything
    case "Declaration":
      return isDeclaredText(ast) ? text : strict(ast)
    default:
      return strict(ast)
  }
}

const object = (ast: SchemaAST.Objects, known: Known): Node => {
  const fields = ast.propertySignatures.map(({ name, type }) => [String(name), nodeOf(type, known)] as const)
  const [others] = ast.indexSignatures
  const other = others === undefined ? undefined : nodeOf(others.type, known)
  const names = new Set(fields.map(([name]) => name))
  const read = (json: { readonly [key: string]: unknown }, place: Place, unread: Array<Unread>): object => {
    const entries: Array<readonly [string, unknown]> = []
    const take = (key: string, node: Node) => {
      const value = node(json[key], { parent: place, key }, unread)
      if (value !== undefined) entries.push([key, value])
    }
    for (const [key, node] of fields) if (Object.hasOwn(json, key)) take(key, node)
    if (other !== undefined) for (const key of Object.keys(json)) if (!names.has(key)) take(key, other)
    return Object.fromEntries(entries)
  }
  const node: Node = (json, place, unread) => {
    if (isObject(json)) return read(json, place, unread)
    if (isListOfOne(json)) return read(json[0], { parent: place, key: 0 }, unread)
    return miss(json, place, unread, "an object")
  }
  // One that reads any key passes none over.
  return other === undefined ? Object.assign(node, { keys: names }) : node
}

const isListOfOne = (json: unknown): json is readonly [{ readonly [key: string]: unknown }] =>
  Array.isArray(json) && json.length === 1 && isObject(json[0])

const list = (itemAst: SchemaAST.AST, known: Known): Node => {
  const item = nodeOf(itemAst, known)
  const isItem = itemKind(itemAst)
  return (json, place, unread) => {
    if (Array.isArray(json)) {
      const items: Array<unknown> = []
      for (const [key, element] of json.entries()) {
        const at = { parent: place, key }
        const value = item(element, at, unread)
        if (value !== undefined) items.push(value)
        // The places of later items move, so a hole is reported although null is otherwise the same as absent.
        else if (element === null) unread.push({ path: pathOf(at), found: "nothing", expected: "an item of the list" })
      }
      return items
    }
    if (isItem(json)) {
      const value = item(json, place, unread)
      return value === undefined ? undefined : [value]
    }
    return miss(json, place, unread, "a list")
  }
}

/** Whether a value beside a list is surely one item of it. */
const itemKind = (ast: SchemaAST.AST): ((json: unknown) => boolean) => {
  if (ast._tag === "Number") return (json) => typeof json === "number"
  if (ast._tag !== "Objects") return () => false
  const names = ast.propertySignatures.map(({ name }) => name)
  return (json) => isObject(json) && names.some((name) => Object.hasOwn(json, name))
}

const union = (ast: SchemaAST.Union, known: Known): Node => {
  const members = membersOf(ast)
  const nodes = [...new Set(members.map((member) => nodeOf(member, known)))]
  const [only] = nodes
  if (only === undefined) return absent
  // The members of an enum are all read as text, so they come down to one.
  return nodes.length === 1 ? only : bestOf(nodes)
}

const membersOf = (ast: SchemaAST.Union): ReadonlyArray<SchemaAST.AST> =>
  ast.types.flatMap((member) => {
    if (member.encoding === undefined && member._tag === "Union") return membersOf(member)
    return member._tag === "Null" || member._tag === "Undefined" ? [] : [member]
  })

/**
 * Of the shapes a value may have, the one that leaves least unread, changes nothing, and knows most keys. A key that another
 * shape knows and this one does not is unread: a card that comes with its number is no reference to a card, whatever else
 * of it can be read.
 */
const bestOf = (nodes: ReadonlyArray<Node>): Node => {
  const known = new Set(nodes.flatMap(({ keys }) => [...(keys ?? [])]))
  return (json, place, unread) => {
    const readings = nodes.map((node) => {
      const missed: Array<Unread> = []
      const value = node(json, place, missed)
      if (value !== undefined && node.keys !== undefined) missPassedOver(json, place, missed, known, node.keys)
      return {
        value,
        missed,
        isAsItCame: value === json ? 1 : 0,
        keys: isObject(value) ? Object.keys(value).length : 0
      }
    })
    const best = readings.reduce((best, reading) => {
      const order =
        best.missed.length - reading.missed.length || reading.isAsItCame - best.isAsItCame || reading.keys - best.keys
      return order > 0 ? reading : best
    })
    unread.push(...best.missed)
    return best.value
  }
}

const missPassedOver = (
  json: unknown,
  place: Place,
  unread: Array<Unread>,
  known: ReadonlySet<string>,
  own: ReadonlySet<string>
): void => {
  const [object, at] = isListOfOne(json) ? [json[0], { parent: place, key: 0 }] : [json, place]
  if (!isObject(object)) return
  for (const key of Object.keys(object)) {
    if (known.has(key) && !own.has(key)) {
      miss(object[key], { parent: at, key }, unread, "nothing beside the other keys")
    }
  }
}

const suspended = (ast: SchemaAST.Suspend, known: Known): Node => {
  let node: Node | undefined
  return (json, place, unread) => {
    node ??= nodeOf(ast.thunk(), known)
    return node(json, place, unread)
  }
}

/** A value that the schema transforms, such as a secret: its encoded form is read leniently, then decoded. */
const transformed = (ast: SchemaAST.AST, known: Known): Node => {
  const encoded = nodeOf(SchemaAST.toEncoded(ast), known)
  const decode = Schema.decodeUnknownOption(Schema.make<Schema.Codec<unknown>>(ast))
  const node: Node = (json, place, unread) => {
    const before = unread.length
    const value = encoded(json, place, unread)
    if (value === undefined) return undefined
    const decoded = decode(value)
    if (Option.isSome(decoded)) return decoded.value
    return unread.length > before ? undefined : miss(json, place, unread, expectedOf(ast))
  }
  return encoded.keys === undefined ? node : Object.assign(node, { keys: encoded.keys })
}

/** Dates and codes are declared types that take any text and check it afterwards; limits do not count here. */
const isDeclaredText = (ast: SchemaAST.Declaration): boolean => {
  const unchecked = new SchemaAST.Declaration(ast.typeParameters, ast.run, ast.annotations)
  const takes = Schema.is(Schema.make<Schema.Schema<unknown>>(unchecked))
  return takes("") && !takes(0)
}

/** What there is no lenient reading of: taken when it is right, as it is. */
const strict = (ast: SchemaAST.AST): Node => {
  const isRight = Schema.is(Schema.make<Schema.Schema<unknown>>(ast))
  return (json, place, unread) => (isRight(json) ? json : miss(json, place, unread, expectedOf(ast)))
}

const expectedOf = (ast: SchemaAST.AST): string => {
  const expected = flat(ast.checks ?? []).at(-1)?.annotations?.expected ?? ast.annotations?.["expected"]
  return typeof expected === "string" ? expected : "a value of its kind"
}
