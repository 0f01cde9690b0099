/**
 * The typeable line of a boleto ("linha digitável"): the barcode's 44 digits in the form of 47 digits that users type.
 *
 * Layout: bank, currency and digits 1-5 of the free field with a check digit (10); digits 6-15 with a check digit (11);
 * digits 16-25 with a check digit (11); check digit of the barcode (1); due date factor and value (14). Source:
 * FEBRABAN.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { BoletoBarcode } from "./BoletoBarcode.ts"
import { derivedText } from "../values/Text.ts"

const pattern = /^\d{3}9\d{28}[1-9]\d{14}$/u

/**
 * A line of 47 digits with valid check digits.
 *
 * **Gotchas**
 *
 * The check digits detect any single wrong digit among the first 33. The last 14 digits (due date and value) are
 * protected only by the barcode's check digit. While that check digit is `1`, it misses some errors: see {@link
 * BoletoBarcode}. Therefore compare value and due date of a typed line with the issued boleto.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BankLine = derivedText({
  pattern,
  seed: BoletoBarcode,
  derive: (barcode: BoletoBarcode) => lineOf(barcode)
})
  .check(
    Schema.isPattern(/^\d*$/u, { expected: "digits only" }).abort(),
    Schema.isPattern(/^\d{47}$/u, { expected: "47 digits" }).abort(),
    Schema.makeFilter((text: string) => fieldIsRight(text, 1), { expected: expectedField(1), ...unexported() }).abort(),
    Schema.makeFilter((text: string) => fieldIsRight(text, 2), { expected: expectedField(2), ...unexported() }).abort(),
    Schema.makeFilter((text: string) => fieldIsRight(text, 3), { expected: expectedField(3), ...unexported() }).abort(),
    Schema.isPattern(/^\d{3}9/u, { expected: "the currency digit 9 in the 4th place" }).abort(),
    Schema.makeFilter((text: string) => Schema.is(BoletoBarcode)(barcodeOf(text)), {
      expected: "a line whose 33rd digit (the check digit) matches the due date, the value and the rest",
      ...unexported()
    })
  )
  .pipe(Schema.brand("BankLine"))

/**
 * @category models
 * @since 0.1.0
 */
export type BankLine = typeof BankLine.Type

/**
 * The text is not a typeable line. `check` is the first rule, from left to right, that it breaks.
 *
 * @category errors
 * @since 0.1.0
 */
export class BankLineError extends Schema.TaggedError<BankLineError>()("BankLineError", {
  check: Schema.Literals(["characters", "length", "field1", "field2", "field3", "currency", "checkDigit"])
}) {
  override get message() {
    return `Not the typeable line of a boleto: ${refusals[this.check]}`
  }
}

const refusals = {
  characters: "it has something other than digits, dots, hyphens and spaces",
  length: "it does not have 47 digits (a line of 48 is a utility or tax bill, not a bank boleto)",
  field1: "digits 1 to 10 do not match their check digit, the 10th",
  field2: "digits 11 to 21 do not match their check digit, the 21st",
  field3: "digits 22 to 32 do not match their check digit, the 32nd",
  currency: "its 4th digit is not 9 (real)",
  checkDigit: "the 33rd digit, the check digit of the whole, does not match; look at the due date and value behind it"
} as const

/**
 * Converts a barcode to its typeable line.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromBarcode = (barcode: BoletoBarcode): BankLine => BankLine.make(lineOf(barcode))

/**
 * Converts a typeable line to its barcode.
 *
 * @category conversions
 * @since 0.1.0
 */
export const toBarcode = (line: BankLine): BoletoBarcode => BoletoBarcode.make(barcodeOf(line))

/**
 * Formats a line for printing: `00000.00000 00000.000000 00000.000000 0 00000000000000`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (line: BankLine): string =>
  line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, "$1.$2 $3.$4 $5.$6 $7 $8")

/**
 * Parses a line with or without dots, hyphens and white space.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string): Result.Result<BankLine, BankLineError> => {
  const fail = (check: BankLineError["check"]) => Result.fail(new BankLineError({ check }))
  const digits = text.replace(/[.\-\s]/g, "")
  if (!/^\d*$/.test(digits)) return fail("characters")
  if (digits.length !== 47) return fail("length")
  if (!fieldIsRight(digits, 1)) return fail("field1")
  if (!fieldIsRight(digits, 2)) return fail("field2")
  if (!fieldIsRight(digits, 3)) return fail("field3")
  if (digits[3] !== "9") return fail("currency")
  return Schema.is(BankLine)(digits) ? Result.succeed(digits) : fail("checkDigit")
}

function lineOf(barcode: string): string {
  const free = barcode.slice(19)
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)]
  return fields.map((field) => field + mod10(field)).join("") + barcode.slice(4, 19)
}

function barcodeOf(line: string): string {
  return line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)
}

const fields = { 1: [0, 9], 2: [10, 20], 3: [21, 31] } as const

function fieldIsRight(line: string, field: keyof typeof fields): boolean {
  const [from, to] = fields[field]
  return mod10(line.slice(from, to)) === Number(line[to])
}

function mod10(digits: string): number {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    // The weights are 2, 1, 2, .. from the last digit to the first. A two-digit product counts as the sum of its
    // digits.
    const product = Number(digits[digits.length - 1 - index]) * (2 - (index % 2))
    sum += product > 9 ? product - 9 : product
  }
  return (10 - (sum % 10)) % 10
}

function expectedField(field: 1 | 2 | 3): string {
  return `a line whose field ${field} matches its check digit`
}

function unexported() {
  return { toJsonSchema: (): [{}, true] => [{}, true] }
}
