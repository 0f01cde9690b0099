/**
 * Lenient decoding of responses. Our own responses keep every limit. Other deployments may return unknown keys, new
 * statuses, null or a placeholder for an absent object, numbers as text and text as numbers (public use). A decoder is
 * derived from the schema of an entity, accepts any JSON, and never throws.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type Lenient, isObject, type Node, type UndecodedPart } from "./LenientValues.ts"
import { compile } from "./LenientCompiler.ts"

export type { UndecodedPart }

/**
 * A leniently decoded response: the decoded value, the parts that could not be decoded, and the original JSON.
 *
 * **Gotchas**
 *
 * `raw` contains everything that the service sent, including personal data and secrets. Do not log it.
 *
 * @category models
 * @since 0.1.0
 */
export interface LenientResult<A> {
  readonly value: Lenient<A>
  readonly undecoded: ReadonlyArray<UndecodedPart>
  readonly raw: unknown
}

/**
 * Creates a lenient decoder for responses of a schema. `name` is the first segment of every path; the default is the
 * schema's identifier, or `response`.
 *
 * **Details**
 *
 * The decoder invents nothing: each part of `value` equals its part of `raw`, or follows from it by one of these rules.
 *
 * - Unknown keys are ignored. An absent key or `null` is absent in `value`.
 * - An enum accepts any text. Limits (length, range, pattern) are not checked: the text of a date field may not be a
 *   date.
 * - Text in a number field is decoded if it is exactly the JSON form of a number within the field's limits: `"123"`,
 *   but not `"0123"`, `" 123"` or `"1e2"`. A number in a text field is decoded as its decimal digits.
 * - `"true"` and `"false"` are decoded as booleans; 1 and 0 are not.
 * - A list of one item is accepted for an object. An object with a key of the documented items is accepted for a list,
 *   as one item, and so is a number for a list of numbers. A text is not, because it may contain several joined values.
 * - Everything else is omitted from `value` and listed in `undecoded`: a placeholder text for an object, a fraction in a
 *   field of whole cents, an invalid item of a list. The other items of the list stay.
 *
 * **Gotchas**
 *
 * A number beyond JavaScript's exact range is omitted, because its digits are already lost. Leading zeros that a sender
 * lost by writing text as a number cannot be restored.
 *
 * The schema is compiled at the first call: create decoders once, not per response. A schema with renamed keys
 * (`encodeKeys`) is decoded strictly as a whole.
 *
 * @category constructors
 * @since 0.1.0
 */
export const lenientDecoder = <S extends Schema.Constraint & { readonly Type: object }>(
  schema: S,
  name: string = SchemaAST.resolveIdentifier(schema.ast) ?? "response"
): ((json: unknown) => LenientResult<S["Type"]>) => {
  const root = SchemaAST.isArrays(schema.ast) ? () => [] : () => ({})
  let node: Node | undefined
  return (json) => {
    node ??= compile(schema.ast)
    const undecoded: Array<UndecodedPart> = []
    const value = node(json, { parent: undefined, key: name }, undecoded) ?? root()
    if (json === null || json === undefined) undecoded.push({ path: name, found: "nothing", expected: "a response" })
    // `Lenient` is the type of a value after these rules.
    return { value: value as Lenient<S["Type"]>, undecoded, raw: json }
  }
}

/**
 * Keys that a response must contain: `{ Transaction: { svcPayId: true } }`. In a list, every item must contain them.
 *
 * @category models
 * @since 0.1.0
 */
export type RequiredKeys<A> =
  | true
  | (A extends ReadonlyArray<infer Item>
      ? RequiredKeys<Item>
      : A extends object
        ? { readonly [Key in keyof A]?: RequiredKeys<Exclude<A[Key], undefined>> }
        : never)

/**
 * A decoded type with its required keys required.
 *
 * @category models
 * @since 0.1.0
 */
export type WithRequired<L, N> = N extends true
  ? L
  : L extends ReadonlyArray<infer Item>
    ? ReadonlyArray<WithRequired<Item, N>>
    : Omit<L, keyof N> & {
        readonly [Key in keyof N & keyof L]-?: WithRequired<Exclude<L[Key], undefined>, N[Key]>
      }

/**
 * The response lacks a required key, or its value cannot be decoded.
 *
 * @category errors
 * @since 0.1.0
 */
export class MissingKeys extends Schema.TaggedError<MissingKeys>()("MissingKeys", {
  /** Paths of the missing keys: `Transaction.svcPayId`. */
  missing: Schema.Array(Schema.String),
  undecoded: Schema.Array(Schema.Struct({ path: Schema.String, found: Schema.String, expected: Schema.String }))
}) {
  override get message(): string {
    const lacking = this.missing.map((path) => {
      const found = this.undecoded.find((one) => one.path === path || path.startsWith(`${one.path}.`))
      return found === undefined
        ? `${path} is missing`
        : `${path} is missing (${found.path} is ${found.found}, expected was ${found.expected})`
    })
    return lacking.join("; ")
  }
}

/**
 * A leniently decoded response that has the required keys.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decoded<A> {
  readonly value: A
  readonly undecoded: ReadonlyArray<UndecodedPart>
}

/**
 * Decodes a response leniently and checks the required keys.
 *
 * @category models
 * @since 0.1.0
 */
export type Decoder<A> = (json: unknown) => Result.Result<Decoded<A>, MissingKeys>

/**
 * Creates a lenient decoder that fails only if a required key is absent or cannot be decoded.
 *
 * **Details**
 *
 * Require few keys: after a write, only those that identify the entity and show the result. Other keys are returned if
 * they can be decoded, and listed in `undecoded` otherwise.
 *
 * @category constructors
 * @since 0.1.0
 */
export const decoder = <
  S extends Schema.Constraint & { readonly Type: object },
  const N extends RequiredKeys<S["Type"]>
>(
  schema: S,
  needed: N,
  name = "response"
): Decoder<WithRequired<Lenient<S["Type"]>, N>> => {
  const read = lenientDecoder(schema, name)
  return (json) => {
    const { undecoded, value } = read(json)
    const undecodedPaths = new Set(undecoded.map(({ path }) => path))
    const missing = missingIn(value, needed, name, undecodedPaths)
    return missing.length > 0
      ? Result.fail(new MissingKeys({ missing, undecoded }))
      : // `missing` is empty, so all keys that `WithRequired` requires are present.
        Result.succeed({ value: value as WithRequired<Lenient<S["Type"]>, N>, undecoded })
  }
}

const missingIn = (
  value: unknown,
  needed: unknown,
  path: string,
  undecoded: ReadonlySet<string>
): ReadonlyArray<string> => {
  if (value === undefined) return [path]
  if (Array.isArray(value)) {
    // Undecodable items were omitted from the list, so the indexes of later items differ from those in `raw`.
    const omitted = [...undecoded].filter((itemPath) => itemPath.startsWith(path) && isItemOf(itemPath, path))
    return omitted.length > 0
      ? omitted
      : value.flatMap((item, index) => missingIn(item, needed, `${path}[${index}]`, undecoded))
  }
  if (!isObject(needed) || !isObject(value)) return []
  return Object.entries(needed).flatMap(([key, inner]) => missingIn(value[key], inner, `${path}.${key}`, undecoded))
}

const isItemOf = (path: string, list: string): boolean => /^\[\d+\]$/u.test(path.slice(list.length))
