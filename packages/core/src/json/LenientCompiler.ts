/**
 * Compiles a schema to a lenient decoder. `lenientDecoder` in `LenientDecoder.ts` documents the rules.
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
  type Path,
  text,
  type UndecodedPart
} from "./LenientValues.ts"

/** The lenient decoder of a schema. */
export const compile = (ast: SchemaAST.AST): Node => nodeOf(ast, new Map())

type Cache = Map<SchemaAST.AST, Node>

const nodeOf = (ast: SchemaAST.AST, cache: Cache): Node => {
  const cached = cache.get(ast)
  if (cached !== undefined) return cached
  const node = make(ast, cache)
  cache.set(ast, node)
  return node
}

const make = (ast: SchemaAST.AST, cache: Cache): Node => {
  if (ast.encoding !== undefined) return transformed(ast, cache)
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
      return object(ast, cache)
    case "Arrays":
      // The condition checks that `rest` has one item.
      return ast.elements.length === 0 && ast.rest.length === 1 ? list(ast.rest[0]!, cache) : strict(ast)
    case "Union":
      return union(ast, cache)
    case "Suspend":
      return suspended(ast, cache)
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

const object = (ast: SchemaAST.Objects, cache: Cache): Node => {
  const fields = ast.propertySignatures.map(({ name, type }) => [String(name), nodeOf(type, cache)] as const)
  const [others] = ast.indexSignatures
  const other = others === undefined ? undefined : nodeOf(others.type, cache)
  const names = new Set(fields.map(([name]) => name))
  const read = (json: { readonly [key: string]: unknown }, path: Path, undecoded: Array<UndecodedPart>): object => {
    const entries: Array<readonly [string, unknown]> = []
    const take = (key: string, node: Node) => {
      const value = node(json[key], { parent: path, key }, undecoded)
      if (value !== undefined) entries.push([key, value])
    }
    for (const [key, node] of fields) if (Object.hasOwn(json, key)) take(key, node)
    if (other !== undefined) for (const key of Object.keys(json)) if (!names.has(key)) take(key, other)
    return Object.fromEntries(entries)
  }
  const node: Node = (json, path, undecoded) => {
    if (isObject(json)) return read(json, path, undecoded)
    if (isListOfOne(json)) return read(json[0], { parent: path, key: 0 }, undecoded)
    return miss(json, path, undecoded, "an object")
  }
  // An object with an index signature decodes every key, so it has no list of known keys.
  return other === undefined ? Object.assign(node, { keys: names }) : node
}

const isListOfOne = (json: unknown): json is readonly [{ readonly [key: string]: unknown }] =>
  Array.isArray(json) && json.length === 1 && isObject(json[0])

const list = (itemAst: SchemaAST.AST, cache: Cache): Node => {
  const item = nodeOf(itemAst, cache)
  const isItem = itemKind(itemAst)
  return (json, path, undecoded) => {
    if (Array.isArray(json)) {
      const items: Array<unknown> = []
      for (const [key, element] of json.entries()) {
        const at = { parent: path, key }
        const value = item(element, at, undecoded)
        if (value !== undefined) items.push(value)
        // An omitted item changes the indexes of later items, so null is reported here although it usually means
        // absent.
        else if (element === null)
          undecoded.push({ path: pathOf(at), found: "nothing", expected: "an item of the list" })
      }
      return items
    }
    if (isItem(json)) {
      const value = item(json, path, undecoded)
      return value === undefined ? undefined : [value]
    }
    return miss(json, path, undecoded, "a list")
  }
}

/** Returns a function that is true for a value that can only be one item of the list. */
const itemKind = (ast: SchemaAST.AST): ((json: unknown) => boolean) => {
  if (ast._tag === "Number") return (json) => typeof json === "number"
  if (ast._tag !== "Objects") return () => false
  const names = ast.propertySignatures.map(({ name }) => name)
  return (json) => isObject(json) && names.some((name) => Object.hasOwn(json, name))
}

const union = (ast: SchemaAST.Union, cache: Cache): Node => {
  const members = membersOf(ast)
  const nodes = [...new Set(members.map((member) => nodeOf(member, cache)))]
  const [only] = nodes
  if (only === undefined) return absent
  // All members of an enum are decoded as text, so they share one decoder.
  return nodes.length === 1 ? only : bestOf(nodes)
}

const membersOf = (ast: SchemaAST.Union): ReadonlyArray<SchemaAST.AST> =>
  ast.types.flatMap((member) => {
    if (member.encoding === undefined && member._tag === "Union") return membersOf(member)
    return member._tag === "Null" || member._tag === "Undefined" ? [] : [member]
  })

/**
 * Decodes a union with the best member: fewest undecoded parts, then an unchanged value, then most known keys. A key
 * that only another member knows counts as undecoded: a card with a number is not a reference to a card.
 */
const bestOf = (nodes: ReadonlyArray<Node>): Node => {
  const allKeys = new Set(nodes.flatMap(({ keys }) => [...(keys ?? [])]))
  return (json, path, undecoded) => {
    const readings = nodes.map((node) => {
      const missed: Array<UndecodedPart> = []
      const value = node(json, path, missed)
      if (value !== undefined && node.keys !== undefined) missPassedOver(json, path, missed, allKeys, node.keys)
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
    undecoded.push(...best.missed)
    return best.value
  }
}

const missPassedOver = (
  json: unknown,
  path: Path,
  undecoded: Array<UndecodedPart>,
  allKeys: ReadonlySet<string>,
  own: ReadonlySet<string>
): void => {
  const [object, at] = isListOfOne(json) ? [json[0], { parent: path, key: 0 }] : [json, path]
  if (!isObject(object)) return
  for (const key of Object.keys(object)) {
    if (allKeys.has(key) && !own.has(key)) {
      miss(object[key], { parent: at, key }, undecoded, "no value next to the other keys")
    }
  }
}

const suspended = (ast: SchemaAST.Suspend, cache: Cache): Node => {
  let node: Node | undefined
  return (json, path, undecoded) => {
    node ??= nodeOf(ast.thunk(), cache)
    return node(json, path, undecoded)
  }
}

/** Decodes a transformed value, such as a secret: its encoded form leniently, then the transformation. */
const transformed = (ast: SchemaAST.AST, cache: Cache): Node => {
  const encoded = nodeOf(SchemaAST.toEncoded(ast), cache)
  const decode = Schema.decodeUnknownOption(Schema.make<Schema.Codec<unknown>>(ast))
  const node: Node = (json, path, undecoded) => {
    const before = undecoded.length
    const value = encoded(json, path, undecoded)
    if (value === undefined) return undefined
    const decoded = decode(value)
    if (Option.isSome(decoded)) return decoded.value
    return undecoded.length > before ? undefined : miss(json, path, undecoded, expectedOf(ast))
  }
  return encoded.keys === undefined ? node : Object.assign(node, { keys: encoded.keys })
}

/**
 * True for declared types that accept any text and check it later, such as dates and codes. Limits are not checked
 * here.
 */
const isDeclaredText = (ast: SchemaAST.Declaration): boolean => {
  const unchecked = new SchemaAST.Declaration(ast.typeParameters, ast.run, ast.annotations)
  const takes = Schema.is(Schema.make<Schema.Schema<unknown>>(unchecked))
  return takes("") && !takes(0)
}

/** Decodes strictly: types without lenient rules must be valid. */
const strict = (ast: SchemaAST.AST): Node => {
  const isRight = Schema.is(Schema.make<Schema.Schema<unknown>>(ast))
  return (json, path, undecoded) => (isRight(json) ? json : miss(json, path, undecoded, expectedOf(ast)))
}

const expectedOf = (ast: SchemaAST.AST): string => {
  const expected = flat(ast.checks ?? []).at(-1)?.annotations?.expected ?? ast.annotations?.["expected"]
  return typeof expected === "string" ? expected : "a value of its kind"
}
