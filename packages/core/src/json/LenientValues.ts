/**
 * The types of lenient decoding, and lenient decoders of single JSON values.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as Brand from "effect/Brand"
import type * as Redacted from "effect/Redacted"

/**
 * The entity with optional fields, without null, with open enums and without brands, because limits are not checked.
 *
 * @category models
 * @since 0.1.0
 */
export type Lenient<T> =
  T extends Redacted.Redacted<infer Secret>
    ? Redacted.Redacted<Secret>
    : T extends Brand.Brand<string>
      ? Brand.Brand.Unbranded<T>
      : T extends string
        ? string extends T
          ? string
          : T | (string & {})
        : T extends number
          ? number
          : T extends boolean
            ? boolean
            : T extends ReadonlyArray<infer Item>
              ? ReadonlyArray<Lenient<Item>>
              : T extends object
                ? { readonly [Key in keyof T]?: Lenient<Exclude<T[Key], null | undefined>> }
                : T

/**
 * A part of a response that could not be decoded and is absent from `value`.
 *
 * @category models
 * @since 0.1.0
 */
export interface UndecodedPart {
  /** Path in `raw`: `Subscription.Customer.phones[0]`. */
  readonly path: string
  /** Kind of the value; never the value itself, which may be a secret. */
  readonly found: "nothing" | "text" | "a number" | "true or false" | "a list" | "an object"
  /** Description of the expected value. */
  readonly expected: string
}

/** The path of a value as a linked list. It is formatted only for a report. */
export interface Path {
  readonly parent: Path | undefined
  readonly key: string | number
}

/** A decoder. It returns undefined for a value that is absent or cannot be decoded; the latter is added to `undecoded`. */
export interface Node {
  (json: unknown, path: Path, undecoded: Array<UndecodedPart>): unknown
  /** The known keys of a decoder for objects. */
  readonly keys?: ReadonlySet<string>
}

export const absent: Node = (json, path, undecoded) => miss(json, path, undecoded, "nothing")

export const anything: Node = (json) => (json === null ? undefined : json)

export const text: Node = (json, path, undecoded) => {
  if (typeof json === "string") return json
  return (typeof json === "number" ? digitsOf(json) : undefined) ?? miss(json, path, undecoded, "text")
}

const digitsOf = (value: number): string | undefined => {
  const digits = String(value)
  return Number.isSafeInteger(value) || /^-?\d+\.\d+$/.test(digits) ? digits : undefined
}

export const flag: Node = (json, path, undecoded) => {
  if (json === true || json === "true") return true
  if (json === false || json === "false") return false
  return miss(json, path, undecoded, "true or false")
}

export const number = (ast: SchemaAST.Number): Node => {
  const isWithinLimits = Schema.is(Schema.make<Schema.Schema<number>>(ast))
  const checks = flat(ast.checks ?? [])
  const isWhole = checks.some((check) => check.annotations?.representation?.id === "effect/schema/isInt")
  const isExact = isWhole ? Number.isSafeInteger : Number.isFinite
  const stated = checks.at(-1)?.annotations?.expected
  const expected = typeof stated === "string" ? stated : isWhole ? "a whole number" : "a number"
  return (json, path, undecoded) => {
    if (typeof json === "number" && isExact(json)) return json
    if (typeof json === "string") {
      const value = Number(json)
      if (isExact(value) && String(value) === json && isWithinLimits(value)) return value
    }
    return miss(json, path, undecoded, expected)
  }
}

export const flat = (checks: ReadonlyArray<SchemaAST.Check<never>>): ReadonlyArray<SchemaAST.Filter<never>> =>
  checks.flatMap((check) => (check._tag === "Filter" ? [check] : flat(check.checks)))

export const literal = (ast: SchemaAST.Literal): Node => {
  switch (typeof ast.literal) {
    case "string":
      return text
    case "boolean":
      return flag
    default:
      return number(SchemaAST.number)
  }
}

export const miss = (json: unknown, path: Path, undecoded: Array<UndecodedPart>, expected: string): undefined => {
  if (json !== null && json !== undefined) undecoded.push({ path: pathOf(path), found: kindOf(json), expected })
  return undefined
}

export const pathOf = ({ key, parent }: Path): string => {
  if (parent === undefined) return String(key)
  const step = typeof key === "number" ? `[${key}]` : /^[\w$]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  return pathOf(parent) + step
}

const kindOf = (json: unknown): UndecodedPart["found"] => {
  if (json === null || json === undefined) return "nothing"
  if (Array.isArray(json)) return "a list"
  if (typeof json === "string") return "text"
  if (typeof json === "boolean") return "true or false"
  return typeof json === "object" ? "an object" : "a number"
}

export const isObject = (json: unknown): json is { readonly [key: string]: unknown } =>
  typeof json === "object" && json !== null && !Array.isArray(json)
