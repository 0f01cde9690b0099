/**
 * Responses read leniently. What we write keeps every limit; what a deployment returns may carry unknown keys, statuses
 * of tomorrow, null or a placeholder for an absent object, numbers as text and text as numbers (public use).
 * A reader is derived from an entity's schema, takes any JSON, and never throws.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { Lenient } from "./Lenient.ts"
import { compile } from "../internal/reading.ts"
import { isObject, type Node } from "../internal/readingValues.ts"
import type { Unread } from "../internal/Unread.ts"

export type { Unread }

/**
 * A response as it was understood, what was not understood, and the response as it came.
 *
 * **Gotchas**
 *
 * `raw` holds everything that was sent, personal data and secrets too: it does not belong in a log.
 *
 * @category models
 * @since 0.1.0
 */
export interface Read<A> {
  readonly value: Lenient<A>
  readonly unread: ReadonlyArray<Unread>
  readonly raw: unknown
}

/**
 * A reader of responses that should look like `schema`. `name` begins every path; without it, the schema's identifier
 * does, or `response`.
 *
 * **Details**
 *
 * Nothing is made up: each part of `value` equals what stands in `raw`, or one of these readings of it.
 *
 * - Unknown keys are ignored; an absent key stays absent, and so does `null`.
 * - An enum takes any text. Limits (length, range, pattern) are not checked: text of a date's field may be no date.
 * - Text in a number's field is read when it is exactly how a number within that field's limits is written: `"123"`,
 *   but neither `"0123"`, `" 123"` nor `"1e2"`. A number in a text's field is read as its decimal digits.
 * - `"true"` and `"false"` are read as what they say; 1 and 0 are not.
 * - A list of one is read where an object is documented. An object that has a key of the documented items, or a number
 *   among documented numbers, is read as a list of one; text is not, because it may be several values joined.
 * - Anything else is left out of `value` and listed in `unread`: a placeholder text for an object, an amount with a
 *   fraction in a field of whole cents, a bad item of a list (its neighbours stay).
 *
 * **Gotchas**
 *
 * A number that JavaScript cannot hold exactly is left out, for its digits are lost already. Leading zeros that a
 * sender dropped by writing text as a number cannot be brought back.
 *
 * The schema is walked once, at the first reading: make readers once, not per response. A schema whose keys are renamed
 * (`encodeKeys`) is read strictly as a whole.
 *
 * @category constructors
 * @since 0.1.0
 */
export const reader = <S extends Schema.Constraint & { readonly Type: object }>(
  schema: S,
  name: string = SchemaAST.resolveIdentifier(schema.ast) ?? "response"
): ((json: unknown) => Read<S["Type"]>) => {
  const root = SchemaAST.isArrays(schema.ast) ? () => [] : () => ({})
  let node: Node | undefined
  return (json) => {
    node ??= compile(schema.ast)
    const unread: Array<Unread> = []
    const value = node(json, { parent: undefined, key: name }, unread) ?? root()
    if (json === null || json === undefined) unread.push({ path: name, found: "nothing", expected: "a response" })
    // Lenient says of the type what was done to the value.
    return { value: value as Lenient<S["Type"]>, unread, raw: json }
  }
}

/**
 * Keys that a response has to have: `{ Transaction: { svcPayId: true } }`. In a list they are asked of every item.
 *
 * @category models
 * @since 0.1.0
 */
export type Needed<A> =
  | true
  | (A extends ReadonlyArray<infer Item>
      ? Needed<Item>
      : A extends object
        ? { readonly [Key in keyof A]?: Needed<Exclude<A[Key], undefined>> }
        : never)

/**
 * What was read, with the keys that it has to have.
 *
 * @category models
 * @since 0.1.0
 */
export type Having<L, N> = N extends true
  ? L
  : L extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Having<Item, N>>
    : Omit<L, keyof N> & {
        readonly [Key in keyof N & keyof L]-?: Having<Exclude<L[Key], undefined>, N[Key]>
      }

/**
 * A response lacks what has to be there, or has it in a form that cannot be read.
 *
 * @category errors
 * @since 0.1.0
 */
export class Incomplete extends Schema.TaggedError<Incomplete>()("Incomplete", {
  /** Where something is missing: `Transaction.svcPayId`. */
  missing: Schema.Array(Schema.String),
  unread: Schema.Array(Schema.Struct({ path: Schema.String, found: Schema.String, expected: Schema.String }))
}) {
  override get message(): string {
    const lacking = this.missing.map((path) => {
      const found = this.unread.find((one) => one.path === path || path.startsWith(`${one.path}.`))
      return found === undefined
        ? `${path} is missing`
        : `${path} is missing (${found.path} is ${found.found}, expected was ${found.expected})`
    })
    return lacking.join("; ")
  }
}

/**
 * A response as it was understood, with the keys that were asked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decoded<A> {
  readonly value: A
  readonly unread: ReadonlyArray<Unread>
}

/**
 * Reads a response leniently and makes sure that it has what is needed.
 *
 * @category models
 * @since 0.1.0
 */
export type Decoder<A> = (json: unknown) => Result.Result<Decoded<A>, Incomplete>

/**
 * A reader of responses that fails where a needed key is absent or unread, and nowhere else.
 *
 * **Details**
 *
 * Ask for little: what is needed of a response to a write is what names and judges that which was written. The rest is
 * there when it can be read, and in `unread` when it cannot.
 *
 * @category constructors
 * @since 0.1.0
 */
export const decoder = <S extends Schema.Constraint & { readonly Type: object }, const N extends Needed<S["Type"]>>(
  schema: S,
  needed: N,
  name = "response"
): Decoder<Having<Lenient<S["Type"]>, N>> => {
  const read = reader(schema, name)
  return (json) => {
    const { unread, value } = read(json)
    const places = new Set(unread.map(({ path }) => path))
    const missing = missingIn(value, needed, name, places)
    return missing.length > 0
      ? Result.fail(new Incomplete({ missing, unread }))
      : // Nothing that is needed is missing, which is all that the type says beyond `Lenient`.
        // What is needed is there, as was just found.
        Result.succeed({ value: value as Having<Lenient<S["Type"]>, N>, unread })
  }
}

const missingIn = (
  value: unknown,
  needed: unknown,
  path: string,
  unread: ReadonlySet<string>
): ReadonlyArray<string> => {
  if (value === undefined) return [path]
  if (Array.isArray(value)) {
    // An item that could not be read was left out, so that the places of those after it are others.
    const leftOut = [...unread].filter((place) => place.startsWith(path) && isItemOf(place, path))
    return leftOut.length > 0
      ? leftOut
      : value.flatMap((item, index) => missingIn(item, needed, `${path}[${index}]`, unread))
  }
  if (!isObject(needed) || !isObject(value)) return []
  return Object.entries(needed).flatMap(([key, inner]) => missingIn(value[key], inner, `${path}.${key}`, unread))
}

const isItemOf = (place: string, list: string): boolean => /^\[\d+\]$/u.test(place.slice(list.length))
