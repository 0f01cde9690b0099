/**
 * The lenient readings of JSON's single values, and what every reading shares: places, and how a miss is reported.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { Unread } from "./Unread.ts"

/** Where a value stands; spelled out only when something there is not understood. */
export interface Place {
  readonly parent: Place | undefined
  readonly key: string | number
}

/** Gives the value as it is understood; undefined when it is absent or not understood, which is then in `unread`. */
export interface Node {
  (json: unknown, place: Place, unread: Array<Unread>): unknown
  /** The keys that it knows, where it reads objects with certain keys. */
  readonly keys?: ReadonlySet<string>
}

export const absent: Node = (json, place, unread) => miss(json, place, unread, "nothing")

export const anything: Node = (json) => (json === null ? undefined : json)

export const text: Node = (json, place, unread) => {
  if (typeof json === "string") return json
  return (typeof json === "number" ? digitsOf(json) : undefined) ?? miss(json, place, unread, "text")
}

const digitsOf = (value: number): string | undefined => {
  const digits = String(value)
  return Number.isSafeInteger(value) || /^-?\d+\.\d+$/.test(digits) ? digits : undefined
}

export const flag: Node = (json, place, unread) => {
  if (json === true || json === "true") return true
  if (json === false || json === "false") return false
  return miss(json, place, unread, "true or false")
}

export const number = (ast: SchemaAST.Number): Node => {
  const isWithinLimits = Schema.is(Schema.make<Schema.Schema<number>>(ast))
  const checks = flat(ast.checks ?? [])
  const isWhole = checks.some((check) => check.annotations?.representation?.id === "effect/schema/isInt")
  const isExact = isWhole ? Number.isSafeInteger : Number.isFinite
  const stated = checks.at(-1)?.annotations?.expected
  const expected = typeof stated === "string" ? stated : isWhole ? "a whole number" : "a number"
  return (json, place, unread) => {
    if (typeof json === "number" && isExact(json)) return json
    if (typeof json === "string") {
      const value = Number(json)
      if (isExact(value) && String(value) === json && isWithinLimits(value)) return value
    }
    return miss(json, place, unread, expected)
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

export const miss = (json: unknown, place: Place, unread: Array<Unread>, expected: string): undefined => {
  if (json !== null && json !== undefined) unread.push({ path: pathOf(place), found: kindOf(json), expected })
  return undefined
}

export const pathOf = ({ key, parent }: Place): string => {
  if (parent === undefined) return String(key)
  const step = typeof key === "number" ? `[${key}]` : /^[\w$]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  return pathOf(parent) + step
}

const kindOf = (json: unknown): Unread["found"] => {
  if (json === null || json === undefined) return "nothing"
  if (Array.isArray(json)) return "a list"
  if (typeof json === "string") return "text"
  if (typeof json === "boolean") return "true or false"
  return typeof json === "object" ? "an object" : "a number"
}

export const isObject = (json: unknown): json is { readonly [key: string]: unknown } =>
  typeof json === "object" && json !== null && !Array.isArray(json)
