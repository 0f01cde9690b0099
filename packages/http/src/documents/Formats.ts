/**
 * Values as a payer in Brazil reads them.
 *
 * @since 0.1.0
 */
import type { Address } from "@parcela/core/customers/Address"
import * as Document from "@parcela/core/customers/Document"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import * as Schema from "effect/Schema"

const isDocument = Schema.is(Document.DocumentAlphanumeric)

/**
 * `2026-12-10` as `10/12/2026`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const date = (date: LocalDate): string => date.split("-").toReversed().join("/")

/**
 * A CPF or CNPJ with its punctuation; any other text as it is.
 *
 * @category formatting
 * @since 0.1.0
 */
export const document = (text: string): string => (isDocument(text) ? Document.format(text) : text)

/**
 * A CPF or CNPJ of which its owner recognises the middle, and nobody learns the whole: `***.456.789-**` or
 * `**.345.678/0001-**`. Of any other text nothing is shown.
 *
 * @category formatting
 * @since 0.1.0
 */
export const maskedDocument = (text: string): string => {
  if (!isDocument(text)) return "***"
  const shown = Document.format(text)
  const hidden = Document.kindOf(text) === "cpf" ? 3 : 2
  return `${"*".repeat(hidden)}${shown.slice(hidden, -2)}**`
}

/**
 * An address in one line; parts that are empty are left out.
 *
 * @category formatting
 * @since 0.1.0
 */
export const address = ({ city, complement, neighborhood, number, state, street, zipCode }: Address): string => {
  const zip = zipCode.replace(/^(\d{5})(\d{3})$/, "$1-$2")
  const place = [city, state].filter((part) => part !== "").join("/")
  return [
    [street, number, complement ?? ""].filter((part) => part !== "").join(", "),
    neighborhood,
    place,
    zip === "" ? "" : `CEP ${zip}`
  ]
    .filter((part) => part !== "")
    .join(" - ")
}
