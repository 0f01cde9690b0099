/**
 * Texts and whole numbers with limits, named as in section 2 of the interface: `string N`, `text`, `int N`; and texts with
 * a computed part, such as check digits.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

// Some databases cannot store a lone surrogate or NUL unchanged, so such a text is refused. U+FFFD is refused because a
// decoder writes it for bytes that are not UTF-8: the original text is already lost.
const isStorable = (text: string): boolean =>
  text.isWellFormed() && !text.includes("\u0000") && !text.includes("\uFFFD")

const storable = Schema.makeFilter(isStorable, {
  expected: "text without NUL characters, broken surrogate pairs or characters that were not UTF-8",
  toJsonSchema: () => [{}, true]
})

/**
 * `text`: text of any length, for stored values and responses. For requests use `FreeText`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Text = Schema.String.check(storable)

/**
 * `string N`: at most `maximum` characters. A character is a code point: an emoji counts once.
 *
 * @category constructors
 * @since 0.1.0
 */
export const string = (maximum: number) =>
  Schema.String.check(Schema.isMaxCodePoints(maximum, { expected: `at most ${maximum} characters` }), storable)

/**
 * A `string N` with at least one character.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nonEmptyString = (maximum: number) =>
  string(maximum).check(Schema.isNonEmpty({ expected: "at least one character" }))

/**
 * `text` in a request: at most 16,384 characters, because a page of subscriptions can contain 1,000 payments, each with
 * such a text.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FreeText = string(16_384)

/**
 * `int N`: a whole number from 0 with at most `digits` digits.
 *
 * **Gotchas**
 *
 * The interface's `int 30` exceeds the exact range of a JavaScript number. Such a field is limited to 2^53 - 1.
 *
 * @category constructors
 * @since 0.1.0
 */
export const int = (digits: number) => {
  const maximum = Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER)
  return wholeNumber(0, maximum)
}

/**
 * A whole number between two bounds. All checks report the same message.
 *
 * @category constructors
 * @since 0.1.0
 */
export const wholeNumber = (
  minimum: number,
  maximum: number,
  expected = `a whole number from ${minimum} to ${maximum}`
) =>
  // Each check aborts on failure, so that checks added later do not report the same number again.
  Schema.Number.check(Schema.isInt({ expected }).abort(), Schema.isBetween({ minimum, maximum }, { expected }).abort())

/**
 * A string schema that property tests can generate values for. Random text almost never has valid check digits, so
 * values are generated from `seed` and completed by `derive`. The schema itself only checks for a string; add further
 * checks.
 *
 * **Details**
 *
 * `pattern` and `describe` define the JSON Schema, which the added checks cannot do. The added checks must imply both.
 *
 * @category constructors
 * @since 0.1.0
 */
export const derivedText = <Seed extends Schema.Constraint>(options: {
  readonly pattern: RegExp
  readonly describe?: { readonly format: string }
  readonly seed: Seed
  readonly derive: (seed: Seed["Type"]) => string
}) => {
  const description = { pattern: options.pattern.source, ...options.describe }
  // This filter accepts everything, so that later checks refuse a JSON value with their own messages.
  const shape = Schema.makeFilter(() => true, { toJsonSchema: () => description })
  return Schema.declare<string>((input): input is string => typeof input === "string", {
    expected: "string",
    toCodec: () =>
      Schema.link<string>()(Schema.String.check(shape), {
        decode: SchemaGetter.passthrough(),
        encode: SchemaGetter.passthrough()
      }),
    toCodecArbitrary: () =>
      Schema.link<string>()(options.seed, {
        decode: SchemaGetter.transform(options.derive),
        encode: SchemaGetter.forbidden(() => "Seeds are only generated from")
      })
  })
}
