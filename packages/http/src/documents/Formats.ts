/**
 * Formats of values for payers in Brazil.
 *
 * @since 0.1.0
 */
import type { Address } from "@parcela/core/customers/Address"
import * as Document from "@parcela/core/customers/Document"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import * as Schema from "effect/Schema"

const isDocument = Schema.is(Document.DocumentAlphanumeric)

/**
 * Formats `2026-12-10` as `10/12/2026`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const date = (date: LocalDate): string => date.split("-").toReversed().join("/")

/**
 * Formats a CPF or CNPJ with punctuation; other text is returned unchanged.
 *
 * @category formatting
 * @since 0.1.0
 */
export const document = (text: string): string => (isDocument(text) ? Document.format(text) : text)

/**
 * Masks a CPF or CNPJ so that only its owner recognises it: `***.456.789-**` or `**.345.678/0001-**`. Other text is
 * hidden.
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
 * Formats an address as one line without its empty parts.
 *
 * @category formatting
 * @since 0.1.0
 */
export const address = ({ city, complement, neighborhood, number, state, street, zipCode }: Address): string => {
  const zip = zipCode.replace(/^(\d{5})(\d{3})$/, "$1-$2")
  const cityAndState = [city, state].filter((part) => part !== "").join("/")
  return [
    [street, number, complement ?? ""].filter((part) => part !== "").join(", "),
    neighborhood,
    cityAndState,
    zip === "" ? "" : `CEP ${zip}`
  ]
    .filter((part) => part !== "")
    .join(" - ")
}
