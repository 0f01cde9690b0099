/**
 * Bounded text and bounded whole numbers, as section 2 of the interface writes them: `string N`, `text`, `int N`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

// A lone surrogate or a NUL cannot be kept faithfully by every database, so it is refused instead of altered.
// U+FFFD is what a decoder puts in place of bytes that are no UTF-8: the text that was meant is lost already.
const isStorable = (text: string): boolean =>
  text.isWellFormed() && !text.includes("\u0000") && !text.includes("\uFFFD")

const storable = Schema.makeFilter(isStorable, {
  expected: "text without NUL characters, broken surrogate pairs or characters that were not UTF-8",
  toJsonSchema: () => [{}, true]
})

/**
 * `text`: of any length, as it is kept and shown. A request's texts are `FreeText`.
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
 * A `string N` that may not be empty.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nonEmptyString = (maximum: number) =>
  string(maximum).check(Schema.isNonEmpty({ expected: "at least one character" }))

/**
 * `text` in a request: at most 16,384 characters, as a page of subscriptions shows up to 1,000 payments with a text each.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FreeText = string(16_384)

/**
 * `int N`: a whole number from 0 up, of at most `digits` digits.
 *
 * **Gotchas**
 *
 * The interface's `int 30` is wider than a JavaScript number holds exactly; such a field stops at 2^53 - 1.
 *
 * @category constructors
 * @since 0.1.0
 */
export const int = (digits: number) => {
  const maximum = Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER)
  return wholeNumber(0, maximum)
}

/**
 * A whole number within bounds. Whatever is wrong with a number is said in the same words.
 *
 * @category constructors
 * @since 0.1.0
 */
export const wholeNumber = (
  minimum: number,
  maximum: number,
  expected = `a whole number from ${minimum} to ${maximum}`
) =>
  // Each check ends the reading of the number, so that a check added behind them has nothing to say of a worse fault.
  Schema.Number.check(Schema.isInt({ expected }).abort(), Schema.isBetween({ minimum, maximum }, { expected }).abort())
