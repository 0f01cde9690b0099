/**
 * CPF and CNPJ: the tax numbers of people and companies, without punctuation and with verified check digits.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { derivedText } from "../values/Text.ts"

const shape = /^(\d{11}|\d{14})$/u
const alphanumericShape = /^(\d{11}|[A-Z0-9]{12}\d{2})$/u

const cpfWeights = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const cnpjWeights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

const seed = Schema.String.check(Schema.isPattern(/^(\d{9}|\d{12})$/u))
const alphanumericSeed = Schema.String.check(Schema.isPattern(/^(\d{9}|[A-Z0-9]{12})$/u))

/**
 * A CPF (11 digits) or a CNPJ (12 characters of `A-Z0-9` and 2 check digits), without punctuation, in upper case.
 *
 * **Details**
 *
 * Letters in a CNPJ: IN RFB 2.229/2024 and NT COCAD 49/2024, issued since July 2026. Older numbers stay valid.
 *
 * **Gotchas**
 *
 * The official check digits miss some errors. `6`, `A`, `L` and `W` have the same value, and so on in steps of 11. If
 * the first check digit is 0, a few changes of a single digit pass, in a CPF too.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DocumentAlphanumeric = derivedText({
  pattern: alphanumericShape,
  seed: alphanumericSeed,
  derive: (base: string) => withCheckDigits(base)
})
  .check(
    Schema.isPattern(/^[A-Z0-9]*$/u, { expected: "digits and capital letters only, without punctuation" }).abort(),
    Schema.makeFilter((text: string) => text.length === 11 || text.length === 14, {
      expected: "11 (CPF) or 14 (CNPJ) characters"
    }).abort(),
    Schema.isPattern(alphanumericShape, {
      expected: "digits only in a CPF and in the last two places of a CNPJ"
    }).abort(),
    notRepeated(),
    rightCheckDigits()
  )
  .pipe(Schema.brand("DocumentAlphanumeric"))

/**
 * @category models
 * @since 0.1.0
 */
export type DocumentAlphanumeric = typeof DocumentAlphanumeric.Type

/**
 * The interface's `document` (section 2.2, `string 14`, digits only): a CPF of 11 digits or a CNPJ of 14 digits.
 *
 * **Details**
 *
 * A `Document` is also a {@link DocumentAlphanumeric}. One repeated digit (`11111111111`) has valid check digits but is
 * refused, because the Receita Federal does not issue such numbers.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Document = derivedText({ pattern: shape, seed, derive: (base: string) => withCheckDigits(base) })
  .check(
    Schema.isPattern(/^\d*$/u, { expected: "digits only, without punctuation" }).abort(),
    Schema.isPattern(shape, { expected: "11 (CPF) or 14 (CNPJ) digits" }).abort(),
    notRepeated(),
    rightCheckDigits()
  )
  .pipe(Schema.brand("DocumentAlphanumeric"), Schema.brand("Document"))

/**
 * @category models
 * @since 0.1.0
 */
export type Document = typeof Document.Type

/**
 * The kind of a document: `cpf` for a person, `cnpj` for a company.
 *
 * @category getters
 * @since 0.1.0
 */
export const kindOf = (document: DocumentAlphanumeric): "cpf" | "cnpj" => (document.length === 11 ? "cpf" : "cnpj")

/**
 * Formats a document for users: `000.000.000-00` or `00.000.000/0000-00`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (document: DocumentAlphanumeric): string => {
  const part = (from: number, to?: number) => document.slice(from, to)
  return kindOf(document) === "cpf"
    ? `${part(0, 3)}.${part(3, 6)}.${part(6, 9)}-${part(9)}`
    : `${part(0, 2)}.${part(2, 5)}.${part(5, 8)}/${part(8, 12)}-${part(12)}`
}

/**
 * The two check digits of a CPF, computed from its first 9 digits.
 *
 * @category check digits
 * @since 0.1.0
 */
export const cpfCheckDigits = (base9: string): string => checkDigits(base9, cpfWeights)

/**
 * The two check digits of a CNPJ, computed from its first 12 characters (`0-9`, `A-Z`).
 *
 * @category check digits
 * @since 0.1.0
 */
export const cnpjCheckDigits = (base12: string): string => checkDigits(base12, cnpjWeights)

function checkDigits(base: string, weights: ReadonlyArray<number>): string {
  const first = mod11(base, weights.slice(1))
  return `${first}${mod11(`${base}${first}`, weights)}`
}

function mod11(text: string, weights: ReadonlyArray<number>): number {
  // IN RFB 2.229/2024: the value of a character is its ASCII code minus 48, so "0" is 0 and "A" is 17.
  const sum = weights.reduce((total, weight, index) => total + weight * (text.charCodeAt(index) - 48), 0)
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}

function withCheckDigits(base: string): string {
  return base + (base.length === 9 ? cpfCheckDigits(base) : cnpjCheckDigits(base))
}

function notRepeated() {
  return Schema.makeFilter((text: string) => !/^(\d)\1*$/.test(text), {
    expected: "a number that is not one digit repeated",
    toJsonSchema: () => [{}, true]
  }).abort()
}

function rightCheckDigits() {
  return Schema.makeFilter((text: string) => text === withCheckDigits(text.slice(0, -2)), {
    expected: "a CPF or CNPJ whose last two digits (the check digits) match the rest",
    toJsonSchema: () => [{}, true]
  })
}
