/**
 * Responses picked from views, as JSON. A view has all that can be shown of an entity; a response's schema says which of
 * it is written, and where `null` stands for what has no value.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as JsonBytes from "../internal/jsonBytes.ts"

/**
 * What a response is picked from: its fields, of which the optional ones may be undefined, and any others.
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
 * What becomes of a field without a value that the schema does not allow to be `null`.
 *
 * @category options
 * @since 0.1.0
 */
export type Absent = "leftOut" | "null"

/**
 * Writes what a schema shows of a view, as JSON in UTF-8.
 *
 * **Details**
 *
 * - A view is a plain object: what a class defines on its prototype, such as a getter, is not written.
 * - Fields that the schema does not have are left out.
 * - Without a value, a field that may be `null` is `null`, and another optional one is left out or `null`, as `absent` says.
 * - Limits are not checked, and nothing is encoded: tests hold views to their schemas.
 * - An object that several items of a list share is written once: most payments of a page have the same owner or card.
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

/** Where the objects of a list were written so far, for each schema of which several items may share one. */
type Places = Array<Map<unknown, Place> | undefined>

interface Place {
  readonly from: number
  readonly to: number
}

type Write = (value: unknown, places: Places | undefined) => void

interface Making {
  readonly absent: Absent
  readonly known: Map<SchemaAST.AST, Write>
  /** How many schemas there are of which several items may share an object. */
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
  const places = new Map(fields.map(({ name }, place) => [name, place]))
  const blank: Array<unknown> = fields.map(() => undefined)
  return (view, shared) => {
    // The type of the view says that it is an object here.
    const from = view as { readonly [name: string]: unknown }
    // Enumerating a view is faster than looking up each name, and where it has the schema's order no name is looked up.
    const values = blank.slice()
    let next = 0
    for (const name in from) {
      if (next === names.length || names[next] !== name) {
        const place = places.get(name)
        if (place === undefined) continue
        next = place
      }
      values[next++] = from[name]
    }
    const start = JsonBytes.length()
    for (let place = 0; place < values.length; place++) {
      // There is a value for each field.
      const { key, none, write } = fields[place]!
      const value = values[place]
      if (value !== undefined && value !== null) {
        JsonBytes.raw(key)
        write(value, shared)
      } else if (none !== undefined) JsonBytes.raw(none)
    }
    // The comma before the first field.
    if (JsonBytes.length() > start) JsonBytes.replace(start, opening)
    else JsonBytes.sign(opening)
    JsonBytes.sign(closing)
  }
}

/** An object with fewer fields is written sooner than it is looked up. */
const manyFields = 8

/** An object of which several items of a list may have the same one. */
const sharedObject = (ast: SchemaAST.Objects, making: Making): Write => {
  const write = object(ast, making)
  if (ast.propertySignatures.length < manyFields) return write
  const place = making.shared++
  return (value, places) => {
    if (places === undefined) return write(value, places)
    const known = (places[place] ??= new Map())
    const found = known.get(value)
    if (found !== undefined) return JsonBytes.again(found.from, found.to)
    const from = JsonBytes.length()
    write(value, places)
    known.set(value, { from, to: JsonBytes.length() })
  }
}

const list = ({ elements, rest }: SchemaAST.Arrays, making: Making): Write => {
  const [item] = rest
  if (item === undefined || elements.length > 0) return JsonBytes.value
  // No list has an item twice.
  const write =
    item._tag === "Objects" && item.indexSignatures.length === 0 ? object(item, making) : writeOf(item, making)
  return (value, outer) => {
    // As above: a list.
    const items = value as ReadonlyArray<unknown>
    // The only item shares nothing with others.
    const places = outer ?? (items.length > 1 ? [] : undefined)
    JsonBytes.sign(listOpening)
    let isFirst = true
    for (const one of items) {
      if (isFirst) isFirst = false
      else JsonBytes.sign(comma)
      write(one, places)
    }
    JsonBytes.sign(listClosing)
  }
}

const isNull = ({ _tag }: SchemaAST.AST): boolean => _tag === "Null"

const isNullable = (ast: SchemaAST.AST): boolean => ast._tag === "Union" && ast.types.some(isNull)

/** Of several shapes none is chosen: such a view is written as it is. */
const union = ({ types }: SchemaAST.Union, making: Making): Write => {
  const others = types.filter((type) => !isNull(type))
  return others.length === 1 && others[0] !== undefined ? writeOf(others[0], making) : JsonBytes.value
}
