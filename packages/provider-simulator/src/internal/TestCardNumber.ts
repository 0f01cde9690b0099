/**
 * Numbers of test cards that are made from what they stand for.
 *
 * @since 0.1.0
 */

/** Leading digits of a brand's test cards, up to the digit of their kind. */
const prefixes = {
  visa: "4000000",
  mastercard: "5100000",
  elo: "5067000",
  hipercard: "6062820",
  amex: "340000"
} as const

/** A brand that has test cards of its own. */
export type TestBrand = keyof typeof prefixes

/** The digit that makes a number pass the Luhn check. */
const checkDigit = (digits: string): number => {
  const doubled = [...digits].toReversed().map((digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return value > 9 ? value - 9 : value
  })
  return (10 - (doubled.reduce((sum, value) => sum + value, 0) % 10)) % 10
}

/**
 * The brand's digits, one digit for the kind, four that say what it stands for, two more, and the check digit: the four are
 * the ninth to the twelfth digit of the number (the eighth to the eleventh with American Express).
 */
export const numberOf = (brand: TestBrand, kind: string, field: string, more = "00"): string => {
  const digits = `${prefixes[brand]}${kind}${field}0${more}`
  return `${digits}${checkDigit(digits)}`
}

/** Four digits for a denial code: its own, or two for each character where it has letters (A is 01). */
export const fieldOf = (code: string): string =>
  /^\d+$/.test(code)
    ? code.padStart(4, "0")
    : [...code]
        .map((one) => (/\d/.test(one) ? one : String(one.charCodeAt(0) - "A".charCodeAt(0) + 1)).padStart(2, "0"))
        .join("")
