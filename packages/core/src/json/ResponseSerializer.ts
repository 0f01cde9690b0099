/**
 * Serialization of responses. A view contains all public fields of an entity; the schema of a response selects the
 * fields to write, and those written as `null` without a value.
 *
 * @since 0.1.0
 */
import { isOfOwner } from "../values/Fields.ts"
import { type NamingProfile, svcPay } from "./NamingProfile.ts"
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

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
 * The fields that are `null` without a value: the nullable ones, or all texts except those of an owner of another kind.
 * All other fields without a value are omitted.
 *
 * @category options
 * @since 0.1.0
 */
export type NullFields = "nullable" | "texts"

/**
 * The `NullFields` of responses and deliveries under a naming profile. Public clients of the other profiles read texts
 * that are `null`, and fail at a number, a truth value or an object that is `null`.
 *
 * @category options
 * @since 0.1.0
 */
export const nullFieldsOf = ({ name }: NamingProfile): NullFields => (name === svcPay.name ? "nullable" : "texts")

/**
 * Compiles a serializer: it writes the fields of a schema from a view, as JSON in UTF-8.
 *
 * **Details**
 *
 * - A view is a plain object: properties of a prototype, such as getters, are not written.
 * - Fields outside the schema are omitted.
 * - Without a value, a field is `null` or omitted, as `nulls` defines.
 * - Limits are not checked and values are not encoded: tests check views against their schemas.
 * - An object that several items of a list share is serialized once and then copied. Most payments of a page have the
 *   same owner or card.
 *
 * @category constructors
 * @since 0.1.0
 */
export const serializer = <S extends Schema.Constraint>(
  schema: S,
  nulls: NullFields = "nullable"
): ((view: View<S["Type"]>) => Uint8Array) => {
  const write = writeOf(schema.ast, { nulls, compiled: new Map(), shared: 0 })
  return (view) => bytesOf(() => write(view, undefined))
}

/** Positions of the objects written in the current list, by schema of shared objects. */
type Positions = Array<Map<unknown, Position> | undefined>

interface Position {
  readonly from: number
  readonly to: number
}

type Write = (value: unknown, positions: Positions | undefined) => void

interface Compilation {
  readonly nulls: NullFields
  readonly compiled: Map<SchemaAST.AST, Write>
  /** Number of schemas whose objects several items may share. */
  shared: number
}

const writeOf = (ast: SchemaAST.AST, compilation: Compilation): Write => {
  const cached = compilation.compiled.get(ast)
  if (cached !== undefined) return cached
  const write = compile(ast, compilation)
  compilation.compiled.set(ast, write)
  return write
}

const compile = (ast: SchemaAST.AST, compilation: Compilation): Write => {
  switch (ast._tag) {
    case "Objects":
      return ast.indexSignatures.length > 0 ? writeValue : sharedObject(ast, compilation)
    case "Arrays":
      return list(ast, compilation)
    case "Union":
      return union(ast, compilation)
    default:
      return writeValue
  }
}

const [comma, opening, closing, listOpening, listClosing] = [44, 123, 125, 91, 93] as const

const object = (ast: SchemaAST.Objects, compilation: Compilation): Write => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    key: encoded(`,${JSON.stringify(name)}:`),
    write: writeOf(type, compilation),
    none: (compilation.nulls === "nullable" ? isNullable(type) : isText(type) && !isOfOwner(type))
      ? encoded(`,${JSON.stringify(name)}:null`)
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
    const start = position()
    for (let index = 0; index < values.length; index++) {
      // `values` has one item per field.
      const { key, none, write } = fields[index]!
      const value = values[index]
      if (value !== undefined && value !== null) {
        writeEncoded(key)
        write(value, shared)
      } else if (none !== undefined) writeEncoded(none)
    }
    // Overwrites the comma before the first field.
    if (position() > start) setByte(start, opening)
    else writeByte(opening)
    writeByte(closing)
  }
}

/** Minimum number of fields for sharing: a smaller object is written faster than it is found. */
const minSharedFields = 8

/** A serializer of objects that several items of a list may share. */
const sharedObject = (ast: SchemaAST.Objects, compilation: Compilation): Write => {
  const write = object(ast, compilation)
  if (ast.propertySignatures.length < minSharedFields) return write
  const slot = compilation.shared++
  return (value, positions) => {
    if (positions === undefined) return write(value, positions)
    const written = (positions[slot] ??= new Map())
    const earlier = written.get(value)
    if (earlier !== undefined) return copy(earlier.from, earlier.to)
    const from = position()
    write(value, positions)
    written.set(value, { from, to: position() })
  }
}

const list = ({ elements, rest }: SchemaAST.Arrays, compilation: Compilation): Write => {
  const [item] = rest
  if (item === undefined || elements.length > 0) return writeValue
  // Items themselves are never shared: no list contains an item twice.
  const write =
    item._tag === "Objects" && item.indexSignatures.length === 0
      ? object(item, compilation)
      : writeOf(item, compilation)
  return (value, outer) => {
    // The type of the view guarantees a list.
    const items = value as ReadonlyArray<unknown>
    // A single item cannot share objects.
    const positions = outer ?? (items.length > 1 ? [] : undefined)
    writeByte(listOpening)
    let isFirst = true
    for (const one of items) {
      if (isFirst) isFirst = false
      else writeByte(comma)
      write(one, positions)
    }
    writeByte(listClosing)
  }
}

const isNull = ({ _tag }: SchemaAST.AST): boolean => _tag === "Null"

const isNullable = (ast: SchemaAST.AST): boolean => ast._tag === "Union" && ast.types.some(isNull)

/** True if all values of the schema, except `null`, are texts. */
const isText = (ast: SchemaAST.AST): boolean => {
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return true
    case "Declaration":
      // Text whose check digits are computed.
      return ast.annotations?.["expected"] === "string"
    case "Literal":
      return typeof ast.literal === "string"
    case "Union":
      return ast.types.every((type) => isNull(type) || isText(type))
    default:
      return false
  }
}

/** A union of several shapes is written unchanged, without selecting fields. */
const union = ({ types }: SchemaAST.Union, compilation: Compilation): Write => {
  const others = types.filter((type) => !isNull(type))
  return others.length === 1 && others[0] !== undefined ? writeOf(others[0], compilation) : writeValue
}

/**
 * The output buffer. Writing is synchronous, so all serializers share one buffer, and `bytesOf` copies the result. A
 * buffer above `maxBufferSize` is replaced at the next write. Writing bytes is faster than encoding a string that was
 * concatenated from thousands of pieces.
 */
const initialBufferSize = 65_536
const maxBufferSize = 1_048_576

let bytes = new Uint8Array(initialBufferSize)
/** A view of the same buffer. */
let words = new DataView(bytes.buffer)
let end = 0

const useBuffer = (buffer: Uint8Array<ArrayBuffer>): void => {
  bytes = buffer
  words = new DataView(buffer.buffer)
}

const encoder = new TextEncoder()

/** Enlarges the buffer if it has less than `more` free bytes. */
const reserve = (more: number): void => {
  if (end + more <= bytes.length) return
  const larger = new Uint8Array(Math.max(bytes.length * 2, end + more))
  larger.set(bytes.subarray(0, end))
  useBuffer(larger)
}

/** Returns the bytes that `write` writes. */
const bytesOf = (write: () => void): Uint8Array => {
  end = 0
  if (bytes.length > maxBufferSize) useBuffer(new Uint8Array(initialBufferSize))
  write()
  return bytes.slice(0, end)
}

/** Number of bytes written so far. */
const position = (): number => end

/** Writes one ASCII character. */
const writeByte = (code: number): void => {
  reserve(1)
  bytes[end++] = code
}

/** Overwrites one byte with an ASCII character. */
const setByte = (at: number, code: number): void => {
  bytes[at] = code
}

/**
 * Encoded JSON text in units of eight bytes. Copying byte by byte takes three times as long, and `set` has a higher
 * cost per call.
 */
interface EncodedText {
  readonly length: number
  /** The padding after `length` is overwritten by the next write. */
  readonly eights: Float64Array
}

const encoded = (json: string): EncodedText => {
  const text = encoder.encode(json)
  const padded = new Uint8Array(Math.ceil(text.length / 8) * 8)
  padded.set(text)
  const within = new DataView(padded.buffer)
  // UTF-8 never contains the eight bytes of a NaN, so each unit survives the conversion to a number.
  const eights = Float64Array.from({ length: padded.length / 8 }, (_, index) => within.getFloat64(8 * index, true))
  return { length: text.length, eights }
}

const writeEncoded = ({ eights, length }: EncodedText): void => {
  reserve(length + 8)
  const into = words
  let at = end
  // The index is below the length.
  for (let index = 0; index < eights.length; index++, at += 8) into.setFloat64(at, eights[index]!, true)
  end += length
}

/** Writes the bytes between two positions again. */
const copy = (from: number, to: number): void => {
  reserve(to - from)
  bytes.copyWithin(end, from, to)
  end += to - from
}

/** Writes a text that is not plain ASCII, or that needs JSON escapes. */
const writeJson = (text: string): void => {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  reserve(3 * text.length)
  end += encoder.encodeInto(text, bytes.subarray(end)).written
}

const quote = 34
const backslash = 92

const writeString = (text: string): void => {
  const { length } = text
  reserve(2 * length + 2)
  const into = bytes
  let at = end
  into[at++] = quote
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code >= 32 && code < 0x80 && code !== quote && code !== backslash) {
      into[at++] = code
    } else if (code >= 0x80 && code < 0x800) {
      into[at++] = 0xc0 | (code >> 6)
      into[at++] = 0x80 | (code & 63)
    } else {
      return writeJson(JSON.stringify(text))
    }
  }
  into[at++] = quote
  end = at
}

/** Writes an ASCII text. */
const writeAscii = (text: string): void => {
  const { length } = text
  reserve(length)
  const into = bytes
  let at = end
  for (let index = 0; index < length; index++) into[at++] = text.charCodeAt(index)
  end = at
}

/** Writes a whole number from 0 to 2^31 - 1. */
const writeWhole = (number: number): void => {
  let digits = 1
  for (let least = 10; number >= least; least *= 10) digits++
  reserve(digits)
  const into = bytes
  end += digits
  let at = end
  let remaining = number
  do {
    into[--at] = 48 + (remaining % 10)
    remaining = (remaining / 10) | 0
  } while (remaining > 0)
}

/** Writes a JSON value. */
const writeValue = (one: unknown): void => {
  // V8 compiles `typeof one === ..` without a call, but calls a function for `typeof one` alone.
  if (typeof one === "string") return writeString(one)
  if (typeof one === "number") {
    return one >= 0 && (one | 0) === one ? writeWhole(one) : writeAscii(Number.isFinite(one) ? String(one) : "null")
  }
  if (typeof one === "boolean") return writeAscii(one ? "true" : "false")
  if (one === undefined) return writeAscii("null")
  writeJson(JSON.stringify(one))
}
