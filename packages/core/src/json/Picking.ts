/**
 * Serialization of responses. A view contains all public fields of an entity; the schema of a response selects the
 * fields to write, and those written as `null` without a value.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as JsonBytes from "../internal/jsonBytes.ts"

/**
 * The input of a response: its fields, where optional fields may be undefined, and any other fields.
 *
 * @category models
 * @since 0.1.0
 */
export type View<A> = A extends string | number | boolean | null | undefined
  ? A
  : A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<View<Item>>
    : { readonly [Key in keyof A]: View<A[Key]> | ({} extends Pick<A, Key> ? undefined : never) }

/**
 * The treatment of an optional, non-nullable field without a value: omitted, or `null`.
 *
 * @category options
 * @since 0.1.0
 */
export type Absent = "leftOut" | "null"

/**
 * Compiles a serializer: it writes the fields of a schema from a view, as JSON in UTF-8.
 *
 * **Details**
 *
 * - A view is a plain object: properties of a prototype, such as getters, are not written.
 * - Fields outside the schema are omitted.
 * - Without a value, a nullable field is `null`; another optional field is omitted or `null`, as `absent` defines.
 * - Limits are not checked and values are not encoded: tests check views against their schemas.
 * - An object that several items of a list share is serialized once and then copied. Most payments of a page have the
 *   same owner or card.
 *
 * @category constructors
 * @since 0.1.0
 */
export const writer = <S extends Schema.Constraint>(
  schema: S,
  absent: Absent = "leftOut"
): ((view: View<S["Type"]>) => Uint8Array) => {
  const write = writeOf(schema.ast, { absent, known: new Map(), shared: 0 })
  return (view) => JsonBytes.written(() => write(view, undefined))
}

/** Positions of the objects written in the current list, by schema of shared objects. */
type Positions = Array<Map<unknown, Position> | undefined>

interface Position {
  readonly from: number
  readonly to: number
}

type Write = (value: unknown, positions: Positions | undefined) => void

interface Making {
  readonly absent: Absent
  readonly known: Map<SchemaAST.AST, Write>
  /** Number of schemas whose objects several items may share. */
  shared: number
}

const writeOf = (ast: SchemaAST.AST, making: Making): Write => {
  const found = making.known.get(ast)
  if (found !== undefined) return found
  const write = make(ast, making)
  making.known.set(ast, write)
  return write
}

const make = (ast: SchemaAST.AST, making: Making): Write => {
  switch (ast._tag) {
    case "Objects":
      return ast.indexSignatures.length > 0 ? JsonBytes.value : sharedObject(ast, making)
    case "Arrays":
      return list(ast, making)
    case "Union":
      return union(ast, making)
    default:
      return JsonBytes.value
  }
}

const [comma, opening, closing, listOpening, listClosing] = [44, 123, 125, 91, 93] as const

const object = (ast: SchemaAST.Objects, making: Making): Write => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    key: JsonBytes.rawOf(`,${JSON.stringify(name)}:`),
    write: writeOf(type, making),
    none:
      isNullable(type) || (making.absent === "null" && type.context?.isOptional === true)
        ? JsonBytes.rawOf(`,${JSON.stringify(name)}:null`)
        : undefined
  }))
  const names = fields.map(({ name }) => name)
  const indexes = new Map(fields.map(({ name }, index) => [name, index]))
  const blank: Array<unknown> = fields.map(() => undefined)
  return (view, shared) => {
    // The type of the view guarantees an object.
    const from = view as { readonly [name: string]: unknown }
    // Enumerating a view is faster than reading each field by name. In the schema's order no lookup is needed.
    const values = blank.slice()
    let next = 0
    for (const name in from) {
      if (next === names.length || names[next] !== name) {
        const index = indexes.get(name)
        if (index === undefined) continue
        next = index
      }
      values[next++] = from[name]
    }
    const start = JsonBytes.length()
    for (let index = 0; index < values.length; index++) {
      // `values` has one item per field.
      const { key, none, write } = fields[index]!
      const value = values[index]
      if (value !== undefined && value !== null) {
        JsonBytes.raw(key)
        write(value, shared)
      } else if (none !== undefined) JsonBytes.raw(none)
    }
    // Overwrites the comma before the first field.
    if (JsonBytes.length() > start) JsonBytes.replace(start, opening)
    else JsonBytes.sign(opening)
    JsonBytes.sign(closing)
  }
}

/** Minimum number of fields for sharing: a smaller object is written faster than it is found. */
const manyFields = 8

/** A serializer of objects that several items of a list may share. */
const sharedObject = (ast: SchemaAST.Objects, making: Making): Write => {
  const write = object(ast, making)
  if (ast.propertySignatures.length < manyFields) return write
  const slot = making.shared++
  return (value, positions) => {
    if (positions === undefined) return write(value, positions)
    const known = (positions[slot] ??= new Map())
    const position = known.get(value)
    if (position !== undefined) return JsonBytes.again(position.from, position.to)
    const from = JsonBytes.length()
    write(value, positions)
    known.set(value, { from, to: JsonBytes.length() })
  }
}

const list = ({ elements, rest }: SchemaAST.Arrays, making: Making): Write => {
  const [item] = rest
  if (item === undefined || elements.length > 0) return JsonBytes.value
  // Items themselves are never shared: no list contains an item twice.
  const write =
    item._tag === "Objects" && item.indexSignatures.length === 0 ? object(item, making) : writeOf(item, making)
  return (value, outer) => {
    // The type of the view guarantees a list.
    const items = value as ReadonlyArray<unknown>
    // A single item cannot share objects.
    const positions = outer ?? (items.length > 1 ? [] : undefined)
    JsonBytes.sign(listOpening)
    let isFirst = true
    for (const one of items) {
      if (isFirst) isFirst = false
      else JsonBytes.sign(comma)
      write(one, positions)
    }
    JsonBytes.sign(listClosing)
  }
}

const isNull = ({ _tag }: SchemaAST.AST): boolean => _tag === "Null"

const isNullable = (ast: SchemaAST.AST): boolean => ast._tag === "Union" && ast.types.some(isNull)

/** A union of several shapes is written unchanged, without selecting fields. */
const union = ({ types }: SchemaAST.Union, making: Making): Write => {
  const others = types.filter((type) => !isNull(type))
  return others.length === 1 && others[0] !== undefined ? writeOf(others[0], making) : JsonBytes.value
}
