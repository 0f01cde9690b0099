/**
 * The 44 digits of a boleto's barcode: bank, due date, value and free field. For bank boletos, not for utility bills.
 *
 * Layout: bank (3), currency `9`, check digit (1), due date factor (4), value in cents (10), free field (25). Source:
 * FEBRABAN; Carta-Circular BCB 2.926/2000 for the check digit.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Cents, Cents as CentsSchema } from "../money/Cents.ts"
import { type DueDateTooEarly, DueDateFactor, noDueDate, toFactor } from "./DueDateFactor.ts"
import { derivedText } from "../values/Text.ts"
import type { LocalDate } from "../time/LocalDate.ts"

const pattern = /^\d{3}9[1-9]\d{39}$/u

/**
 * A barcode of 44 digits with currency `9` and a valid check digit.
 *
 * **Gotchas**
 *
 * The check digit is computed modulo 11, and the results 0, 10 and 11 are all written as `1`. A barcode with check
 * digit `1` can therefore pass with some single wrong digits. With another check digit every single error is detected.
 * `BankLine` has more check digits.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoBarcode = derivedText({
  pattern,
  seed: Schema.String.check(Schema.isPattern(/^\d{3}([1-9]\d{3}|0000)\d{35}$/u)),
  derive: (digits: string) => withCheckDigit(`${digits.slice(0, 3)}9`, digits.slice(3))
})
  .check(
    Schema.isPattern(/^\d*$/u, { expected: "digits only" }).abort(),
    Schema.isPattern(/^\d{44}$/u, { expected: "44 digits" }).abort(),
    Schema.isPattern(/^\d{3}9/u, { expected: "the currency digit 9 in the 4th place" }).abort(),
    Schema.makeFilter((text: string) => text === withCheckDigit(text.slice(0, 4), text.slice(5)), {
      expected: "a barcode whose 5th digit (the check digit) matches the rest",
      toJsonSchema: () => [{}, true]
    })
  )
  .pipe(Schema.brand("BoletoBarcode"))

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoBarcode = typeof BoletoBarcode.Type

/**
 * The text is not a barcode. `check` is the first rule that it breaks.
 *
 * @category errors
 * @since 0.1.0
 */
export class BoletoBarcodeError extends Schema.TaggedError<BoletoBarcodeError>()("BoletoBarcodeError", {
  check: Schema.Literals(["characters", "length", "currency", "checkDigit"])
}) {
  override get message() {
    return `Not the barcode of a boleto: ${refusals[this.check]}`
  }
}

const refusals = {
  characters: "it has something other than digits",
  length: "it does not have 44 digits",
  currency: "its 4th digit is not 9 (real)",
  checkDigit: "its check digit does not match, so at least one digit is wrong"
} as const

/**
 * A part does not fit into the barcode.
 *
 * @category errors
 * @since 0.1.0
 */
export class BoletoPartError extends Schema.TaggedError<BoletoPartError>()("BoletoPartError", {
  part: Schema.Literals(["bank", "value", "freeField"])
}) {
  override get message() {
    return `Cannot make a boleto: ${misfits[this.part]}`
  }
}

const misfits = {
  bank: "the bank is a code of 3 digits",
  value: "the value is at most 9999999999 cents",
  freeField: "the free field has 25 digits"
} as const

/**
 * The fields of a barcode. Each bank defines the content of `freeField` (agency, account, document number).
 *
 * @category models
 * @since 0.1.0
 */
export interface BoletoParts {
  readonly bank: string
  readonly dueDateFactor: DueDateFactor
  readonly value: Cents
  readonly freeField: string
}

/**
 * Builds a barcode from a bank code of 3 digits, a value of at most 10 digits (in cents) and a free field of 25 digits.
 *
 * @category constructors
 * @since 0.1.0
 */
export const build = (boleto: {
  readonly bank: string
  readonly dueDate?: LocalDate | undefined
  readonly value: Cents
  readonly freeField: string
}): Result.Result<BoletoBarcode, BoletoPartError | DueDateTooEarly> => {
  if (!/^\d{3}$/.test(boleto.bank)) return Result.fail(new BoletoPartError({ part: "bank" }))
  if (boleto.value > 9_999_999_999) return Result.fail(new BoletoPartError({ part: "value" }))
  if (!/^\d{25}$/.test(boleto.freeField)) return Result.fail(new BoletoPartError({ part: "freeField" }))
  const factor = boleto.dueDate === undefined ? Result.succeed(noDueDate) : toFactor(boleto.dueDate)
  return Result.map(factor, (digits) =>
    BoletoBarcode.make(
      withCheckDigit(`${boleto.bank}9`, `${digits}${String(boleto.value).padStart(10, "0")}${boleto.freeField}`)
    )
  )
}

/**
 * Parses a text of exactly 44 digits.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string): Result.Result<BoletoBarcode, BoletoBarcodeError> => {
  const fail = (check: BoletoBarcodeError["check"]) => Result.fail(new BoletoBarcodeError({ check }))
  if (!/^\d*$/.test(text)) return fail("characters")
  if (text.length !== 44) return fail("length")
  if (text[3] !== "9") return fail("currency")
  return Schema.is(BoletoBarcode)(text) ? Result.succeed(text) : fail("checkDigit")
}

/**
 * Splits a barcode into its fields. To get the due date, use `fromFactor(dueDateFactor, reference)`.
 *
 * @category getters
 * @since 0.1.0
 */
export const partsOf = (barcode: BoletoBarcode): BoletoParts => ({
  bank: barcode.slice(0, 3),
  dueDateFactor: DueDateFactor.make(barcode.slice(5, 9)),
  value: CentsSchema.make(Number(barcode.slice(9, 19))),
  freeField: barcode.slice(19)
})

function withCheckDigit(head: string, tail: string): string {
  return `${head}${mod11(head + tail)}${tail}`
}

function mod11(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    // The weights are 2 to 9, repeated, from the last digit to the first.
    sum += Number(digits[digits.length - 1 - index]) * (2 + (index % 8))
  }
  const result = 11 - (sum % 11)
  return result > 9 ? 1 : result
}

// Widths of the five elements of each digit: two are wide, 3 times the narrow width. ISO/IEC 16390.
const digits = ["11331", "31113", "13113", "33111", "11313", "31311", "13311", "11133", "31131", "13131"]
const start = "1111"
const stop = "311"

/**
 * The alternating widths of bars and spaces, starting with a bar, in narrow units: 227 characters `1` or `3`.
 *
 * **Details**
 *
 * The widths add up to {@link units}. FEBRABAN requires a width of 103 mm and a height of 13 mm, so one unit is 0.254
 * mm. Leave a blank margin of at least 10 units on both sides.
 *
 * @category encoding
 * @since 0.1.0
 */
export const toItf = (barcode: BoletoBarcode): string => {
  let widths = start
  for (let index = 0; index < barcode.length; index += 2) {
    // A barcode has 44 digits, an even number.
    const bars = digits[Number(barcode[index])]!
    // The next index is below 44 too.
    const spaces = digits[Number(barcode[index + 1])]!
    // Each digit has as many bars as spaces.
    for (let element = 0; element < bars.length; element++) widths += bars[element]! + spaces[element]!
  }
  return widths + stop
}

/**
 * Total width of the bars of a boleto, in narrow units.
 *
 * @category constants
 * @since 0.1.0
 */
export const units = 405
