/**
 * A payment card number (PAN) on its way to the operator's vault, and the masked form that may be stored.
 *
 * A card number must never appear in logs, storage or errors. Hold it as a {@link RedactedCardNumber} and store only
 * the result of {@link mask}.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { described } from "../values/Fields.ts"
import { derivedText } from "../values/Text.ts"

/**
 * True if the last digit of `digits` is its Luhn check digit (ISO/IEC 7812-1, annex B).
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLuhn = (digits: string): boolean =>
  /^\d{2,}$/.test(digits) && luhnCheckDigit(digits.slice(0, -1)) === digits.at(-1)

/**
 * Returns the digit that makes `digits`, followed by this digit, pass {@link isLuhn}. `digits` must be digits only.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const luhnCheckDigit = (digits: string): string => {
  let total = 0
  for (let position = 0; position < digits.length; position++) {
    const digit = Number(digits[digits.length - 1 - position])
    const doubled = position % 2 === 0 ? digit * 2 : digit
    total += doubled > 9 ? doubled - 9 : doubled
  }
  return String((10 - (total % 10)) % 10)
}

const pattern = /^\d{13,19}$/u

/** A test card of the public sandbox whose live test expects status 200. Its valid check digit would be 0. */
const publicTestCard = "4211111111111111"

/**
 * A card number: 13 to 19 digits without spaces or dots, with a valid check digit.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardNumber = derivedText({
  pattern,
  seed: Schema.String.check(Schema.isPattern(/^\d{12,18}$/u)),
  derive: (payload) => `${payload}${luhnCheckDigit(payload)}`
})
  .check(
    // The check digit is checked only in a number of the right form.
    Schema.isPattern(pattern, { expected: "a card number of 13 to 19 digits, without dots" }).abort(),
    Schema.makeFilter((digits: string) => isLuhn(digits) || digits === publicTestCard, {
      expected: "a card number with a valid check digit; a digit is wrong",
      toJsonSchema: () => [{}, true]
    })
  )
  .pipe(Schema.brand("CardNumber"))

/**
 * @category models
 * @since 0.1.0
 */
export type CardNumber = typeof CardNumber.Type

/**
 * The label of a redacted card number in logs and errors.
 *
 * @category constants
 * @since 0.1.0
 */
export const cardNumberLabel = "card number"

/** The card number with optional blanks between its digits, which are removed. */
const written = Schema.String.check(
  // This filter accepts everything: only `CardNumber` reports problems, so each problem appears once.
  Schema.makeFilter(() => true, { toJsonSchema: () => ({ pattern: "^[ \\t]*(\\d[ \\t]*){13,19}$" }) })
)

/** A longer text cannot be a card number. The limit saves time: removing blanks from 1 MiB takes 20 ms. */
const maxWrittenLength = 64

const withoutBlanks = (text: string): string => (text.length > maxWrittenLength ? text : text.replace(/[ \t]/gu, ""))

/**
 * A card number that loggers, traces and `JSON.stringify` cannot read. Call `Redacted.value` only where the number is
 * passed to the operator.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RedactedCardNumber = Schema.RedactedFromValue(
  // The description documents the request field; the redacted value is never shown.
  described(written, "The card number, 13 to 19 digits. It is never stored and never shown.").pipe(
    Schema.decodeTo(
      CardNumber,
      SchemaTransformation.transform({
        decode: withoutBlanks,
        encode: (digits: string) => digits
      })
    )
  ),
  { label: cardNumberLabel }
)

/**
 * @category models
 * @since 0.1.0
 */
export type RedactedCardNumber = typeof RedactedCardNumber.Type

/**
 * Masks all digits but the first and last four: `4716********4539` (interface section 2.7, `number`).
 *
 * @category formatting
 * @since 0.1.0
 */
export const mask = (number: CardNumber): string =>
  `${number.slice(0, 4)}${"*".repeat(number.length - 8)}${number.slice(-4)}`
