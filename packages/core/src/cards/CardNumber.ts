/**
 * A payment card's number (PAN) on its way to the operator's vault, and the masked form that may be kept.
 *
 * A number is never logged, stored or put into an error: hold it as a {@link RedactedCardNumber} and keep only
 * what {@link mask} returns.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { described } from "../values/Described.ts"
import { derivedText } from "../internal/derivedText.ts"

/**
 * True when the last digit of `digits` is its Luhn check digit (ISO/IEC 7812-1, annex B).
 *
 * @category predicates
 * @since 0.1.0
 */
export const isLuhn = (digits: string): boolean =>
  /^\d{2,}$/.test(digits) && luhnCheckDigit(digits.slice(0, -1)) === digits.at(-1)

/**
 * The digit that makes `digits` followed by it pass {@link isLuhn}. `digits` is digits only.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const luhnCheckDigit = (digits: string): string => {
  let total = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 0 ? digit * 2 : digit
    total += doubled > 9 ? doubled - 9 : doubled
  }
  return String((10 - (total % 10)) % 10)
}

const pattern = /^\d{13,19}$/u

/** A card of the public sandbox of this family, whose live test expects a 200; its check digit would be 0. */
const publicTestCard = "4211111111111111"

/**
 * A card number: 13 to 19 digits without spaces or dots, whose check digit is right.
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
    // The check digit of a number that is written otherwise is not known to be wrong.
    Schema.isPattern(pattern, { expected: "a card number of 13 to 19 digits, without dots" }).abort(),
    Schema.makeFilter((digits: string) => isLuhn(digits) || digits === publicTestCard, {
      expected: "a card number whose check digit is right; a digit is mistyped",
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
 * What a redacted card number is called.
 *
 * @category constants
 * @since 0.1.0
 */
export const cardNumberLabel = "card number"

/** As people and forms write it: with blanks between the digits, which are left out. */
const written = Schema.String.check(
  // It checks nothing: what is wrong with the number is said once, by `CardNumber`.
  Schema.makeFilter(() => true, { toJsonSchema: () => ({ pattern: "^[ \\t]*(\\d[ \\t]*){13,19}$" }) })
)

/** A longer text is no card number, whatever is in it, and a mebibyte of blanks would take 20 ms. */
const longestWritten = 64

const withoutBlanks = (text: string): string => (text.length > longestWritten ? text : text.replace(/[ \t]/gu, ""))

/**
 * The same number, unreadable to loggers, traces and `JSON.stringify` from the moment it is decoded. Read it with
 * `Redacted.value` in the one line that hands it to the operator.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RedactedCardNumber = Schema.RedactedFromValue(
  // What is sent is described; the redacted value is never shown.
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
 * The number with only its first and last four digits left, as long as the number: `4716********4539`
 * (interface section 2.7, `number`).
 *
 * @category formatting
 * @since 0.1.0
 */
export const mask = (number: CardNumber): string =>
  `${number.slice(0, 4)}${"*".repeat(number.length - 8)}${number.slice(-4)}`
