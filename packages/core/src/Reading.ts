/**
 * Answers read leniently. What we write keeps every limit; what a deployment answers may carry unknown keys, statuses
 * of tomorrow, null or a placeholder for an absent object, numbers as text and text as numbers (public use).
 * A reader is derived from an entity's schema, takes any JSON, and never throws.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { Lenient } from "./Lenient.ts"
import { compile } from "./internal/reading.ts"
import type { Node } from "./internal/readingValues.ts"

/**
 * One place of an answer that was not understood and is therefore missing in `value`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Unread {
  /** Where it stands in `raw`: `Subscription.Customer.phones[0]`. */
  readonly path: string
  /** What kind of value stands there; never the value itself, which may be a secret. */
  readonly found: "nothing" | "text" | "a number" | "true or false" | "a list" | "an object"
  /** What would have been understood, in words. */
  readonly expected: string
}

/**
 * An answer as it was understood, what was not understood, and the answer as it came.
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
 * A reader of answers that should look like `schema`. `name` begins every path; without it, the schema's identifier
 * does, or `answer`.
 *
 * **Details**
 *
 * Nothing is made up: each part of `value` equals what stands in `raw`, or one of these readings of it.
 *
 * - Unknown keys are passed over; an absent key stays absent, and so does `null`.
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
 * The schema is walked once, at the first reading: make readers once, not per answer. A schema whose keys are renamed
 * (`encodeKeys`) is read strictly as a whole.
 *
 * @category constructors
 * @since 0.1.0
 */
export const reader = <S extends Schema.Constraint & { readonly Type: object }>(
  schema: S,
  name: string = SchemaAST.resolveIdentifier(schema.ast) ?? "answer"
): ((json: unknown) => Read<S["Type"]>) => {
  const root = SchemaAST.isArrays(schema.ast) ? () => [] : () => ({})
  let node: Node | undefined
  return (json) => {
    node ??= compile(schema.ast)
    const unread: Array<Unread> = []
    const value = node(json, { parent: undefined, key: name }, unread) ?? root()
    if (json === null || json === undefined) unread.push({ path: name, found: "nothing", expected: "an answer" })
    return { value: value as Lenient<S["Type"]>, unread, raw: json }
  }
}

/**
 * The reader as a schema, for where one is asked for. It never fails to decode, and encodes to the raw answer.
 *
 * @category schemas
 * @since 0.1.0
 */
export const answer = <S extends Schema.Constraint & { readonly Type: object }>(
  schema: S,
  name?: string
): Schema.Codec<Read<S["Type"]>, unknown> =>
  Schema.Unknown.pipe(
    Schema.decodeTo(
      Schema.declare((input): input is Read<S["Type"]> => isRead(input), { expected: "an answer that was read" }),
      SchemaTransformation.transform({ decode: reader(schema, name), encode: (read) => read.raw })
    )
  )

const isRead = (input: unknown): boolean =>
  typeof input === "object" && input !== null && "value" in input && "unread" in input && "raw" in input
