/**
 * Serialization of responses. A view contains all public fields of an entity; the schema of a response selects the
 * fields to write, and those written as `null` without a value.
 *
 * @since 0.1.0
 */
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
  return (view) => written(() => write(view, undefined))
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
      return ast.indexSignatures.length > 0 ? value : sharedObject(ast, making)
    case "Arrays":
      return list(ast, making)
    case "Union":
      return union(ast, making)
    default:
      return value
  }
}

const [comma, opening, closing, listOpening, listClosing] = [44, 123, 125, 91, 93] as const

const object = (ast: SchemaAST.Objects, making: Making): Write => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    key: rawOf(`,${JSON.stringify(name)}:`),
    write: writeOf(type, making),
    none:
      isNullable(type) || (making.absent === "null" && type.context?.isOptional === true)
        ? rawOf(`,${JSON.stringify(name)}:null`)
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
    const start = length()
    for (let index = 0; index < values.length; index++) {
      // `values` has one item per field.
      const { key, none, write } = fields[index]!
      const value = values[index]
      if (value !== undefined && value !== null) {
        raw(key)
        write(value, shared)
      } else if (none !== undefined) raw(none)
    }
    // Overwrites the comma before the first field.
    if (length() > start) replace(start, opening)
    else sign(opening)
    sign(closing)
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
    if (position !== undefined) return again(position.from, position.to)
    const from = length()
    write(value, positions)
    known.set(value, { from, to: length() })
  }
}

const list = ({ elements, rest }: SchemaAST.Arrays, making: Making): Write => {
  const [item] = rest
  if (item === undefined || elements.length > 0) return value
  // Items themselves are never shared: no list contains an item twice.
  const write =
    item._tag === "Objects" && item.indexSignatures.length === 0 ? object(item, making) : writeOf(item, making)
  return (value, outer) => {
    // The type of the view guarantees a list.
    const items = value as ReadonlyArray<unknown>
    // A single item cannot share objects.
    const positions = outer ?? (items.length > 1 ? [] : undefined)
    sign(listOpening)
    let isFirst = true
    for (const one of items) {
      if (isFirst) isFirst = false
      else sign(comma)
      write(one, positions)
    }
    sign(listClosing)
  }
}

const isNull = ({ _tag }: SchemaAST.AST): boolean => _tag === "Null"

const isNullable = (ast: SchemaAST.AST): boolean => ast._tag === "Union" && ast.types.some(isNull)

/** A union of several shapes is written unchanged, without selecting fields. */
const union = ({ types }: SchemaAST.Union, making: Making): Write => {
  const others = types.filter((type) => !isNull(type))
  return others.length === 1 && others[0] !== undefined ? writeOf(others[0], making) : value
}

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

/**
 * Returns the bytes that `write` writes.
 */
const written = (write: () => void): Uint8Array => {
  end = 0
  if (bytes.length > maxBufferSize) useBuffer(new Uint8Array(initialBufferSize))
  write()
  return bytes.slice(0, end)
}

/**
 * Number of bytes written so far.
 */
const length = (): number => end

/**
 * Writes one ASCII character.
 */
const sign = (code: number): void => {
  reserve(1)
  bytes[end++] = code
}

/**
 * Overwrites one byte with an ASCII character.
 */
const replace = (at: number, code: number): void => {
  bytes[at] = code
}

/**
 * Encoded JSON text in units of eight bytes. Copying byte by byte takes three times as long, and `set` has a higher
 * cost per call.
 *
 * @category models
 * @since 0.1.0
 */
export interface Raw {
  readonly length: number
  /** The padding after `length` is overwritten by the next write. */
  readonly eights: Float64Array
}

const rawOf = (json: string): Raw => {
  const text = encoder.encode(json)
  const padded = new Uint8Array(Math.ceil(text.length / 8) * 8)
  padded.set(text)
  const within = new DataView(padded.buffer)
  // UTF-8 never contains the eight bytes of a NaN, so each unit survives the conversion to a number.
  const eights = Float64Array.from({ length: padded.length / 8 }, (_, index) => within.getFloat64(8 * index, true))
  return { length: text.length, eights }
}

const raw = ({ eights, length }: Raw): void => {
  reserve(length + 8)
  const into = words
  let at = end
  // The index is below the length.
  for (let index = 0; index < eights.length; index++, at += 8) into.setFloat64(at, eights[index]!, true)
  end += length
}

/**
 * Writes the bytes between two positions again.
 */
const again = (from: number, to: number): void => {
  reserve(to - from)
  bytes.copyWithin(end, from, to)
  end += to - from
}

/** Writes a text that is not plain ASCII, or that needs JSON escapes. */
const json = (text: string): void => {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  reserve(3 * text.length)
  end += encoder.encodeInto(text, bytes.subarray(end)).written
}

const quote = 34
const backslash = 92

const string = (text: string): void => {
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
      return json(JSON.stringify(text))
    }
  }
  into[at++] = quote
  end = at
}

/** Writes an ASCII text. */
const ascii = (text: string): void => {
  const { length } = text
  reserve(length)
  const into = bytes
  let at = end
  for (let index = 0; index < length; index++) into[at++] = text.charCodeAt(index)
  end = at
}

/** Writes a whole number from 0 to 2^31 - 1. */
const whole = (number: number): void => {
  let digits = 1
  for (let least = 10; number >= least; least *= 10) digits++
  reserve(digits)
  const into = bytes
  end += digits
  let at = end
  let left = number
  do {
    into[--at] = 48 + (left % 10)
    left = (left / 10) | 0
  } while (left > 0)
}

/**
 * Writes a JSON value.
 */
const value = (one: unknown): void => {
  // V8 compiles `typeof one === ..` without a call, but calls a function for `typeof one` alone.
  if (typeof one === "string") return string(one)
  if (typeof one === "number") {
    return one >= 0 && (one | 0) === one ? whole(one) : ascii(Number.isFinite(one) ? String(one) : "null")
  }
  if (typeof one === "boolean") return ascii(one ? "true" : "false")
  if (one === undefined) return ascii("null")
  json(JSON.stringify(one))
}
