/**
 * Texts that a payer in Brazil reads on a boleto or a Pix page: formatted values, terms, and notices in place of a code
 * that must not be paid.
 *
 * @since 0.1.0
 */
import type { Address } from "@parcela/core/customers/CustomerInput"
import * as Document from "@parcela/core/customers/Document"
import { DocumentAlphanumeric } from "@parcela/core/customers/Document"
import { type LocalDate, fromEpochDay, toEpochDay } from "@parcela/core/time/LocalDate"
import * as Schema from "effect/Schema"
import * as Cents from "@parcela/core/money/Cents"
import type { Discount, PaymentMethodBoleto } from "@parcela/core/paymentMethods/PaymentMethod"
import * as Percentage from "@parcela/core/money/Percentage"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { nonEmptyString } from "@parcela/core/values/Text"

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

const percent = (rate: number): string => Percentage.format(Percentage.Percentage.make(rate))

const firstDay = -354_285

/** Returns the sentence of a discount, or nothing if its last day is before the first day of the calendar. */
const discountText = ({ qtdDaysBeforePayDay, type, value }: Discount, payday: LocalDate): ReadonlyArray<string> => {
  const last = toEpochDay(payday) - qtdDaysBeforePayDay
  if (value === 0 || last < firstDay) return []
  const amount = type === "fixed" ? Cents.format(Cents.Cents.make(value)) : percent(value)
  return [`Até ${date(fromEpochDay(last))}, desconto de ${amount}.`]
}

/**
 * Returns a sentence for each of the terms.
 *
 * @category conversions
 * @since 0.1.0
 */
export const termTexts = (
  { Discount: discount, fine = 0, interest = 0 }: Pick<PaymentMethodBoleto, "Discount" | "fine" | "interest">,
  payday: LocalDate
): ReadonlyArray<string> => [
  ...(discount === undefined ? [] : discountText(discount, payday)),
  ...(fine > 0 ? [`Após o vencimento, multa de ${percent(fine)}.`] : []),
  ...(interest > 0 ? [`Após o vencimento, juros de ${percent(interest)} ao mês.`] : [])
]

/**
 * @category models
 * @since 0.1.0
 */
export interface ClosedNotice {
  /** At most 22 characters. */
  readonly title: string
  readonly text: string
}

/**
 * Returns the notice for a status, or undefined while the slip or the code can be paid.
 *
 * @category conversions
 * @since 0.1.0
 */
export const closedNotice = (status: TransactionStatus, what: "boleto" | "Pix"): ClosedNotice | undefined => {
  switch (status) {
    case "pendingBoleto":
    case "pendingPix":
      return undefined
    case "payedBoleto":
    case "moreValueBoleto":
    case "payedPix":
      return { title: "Pagamento recebido", text: `Este ${what} já foi pago. Não pague de novo.` }
    case "lessValueBoleto":
      return {
        title: "Pagamento recebido",
        text: `Este ${what} foi pago por um valor menor que o cobrado. Não pague de novo: fale com o beneficiário.`
      }
    case "paidDuplicityBoleto":
      return {
        title: "Pagamento em dobro",
        text: `Este ${what} foi pago mais de uma vez. Não pague de novo: fale com o beneficiário.`
      }
    case "payExternal":
      return { title: "Pagamento recebido", text: `Esta cobrança foi paga de outra forma. Não pague este ${what}.` }
    case "cancel":
    case "cancelByContract":
      return { title: "Cobrança cancelada", text: `Não pague este ${what}.` }
    case "free":
      return { title: "Cobrança dispensada", text: `Não há nada a pagar. Não pague este ${what}.` }
    case "notCompensated":
    case "unavailablePix":
      return {
        title: "Prazo encerrado",
        text: `Este ${what} não pode mais ser pago. Peça um novo ao beneficiário.`
      }
    case "notSend":
    case "authorized":
    case "captured":
    case "denied":
    case "reversed":
    case "chargeback":
      // A status of card payments only. If a boleto or Pix ever has it, it must not be paid.
      return { title: "Cobrança indisponível", text: `Não pague este ${what}: fale com o beneficiário.` }
  }
}

/**
 * **Details**
 *
 * `address` is one line; Lei 12.039/2009 requires it on documents that charge consumers. `bankCheckDigit` is the digit
 * after the bank's number, if it differs from the usual modulo 11. `wallet` and `kind` are the bank's terms
 * ("carteira", "espécie doc."). Without them the kind is `OU` (others) and no wallet is printed.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Beneficiary = Schema.Struct({
  name: nonEmptyString(255),
  document: DocumentAlphanumeric,
  address: Schema.optionalKey(nonEmptyString(255)),
  bankName: nonEmptyString(40),
  bankCheckDigit: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[\dX]$/u, { expected: "a digit or X" }))),
  wallet: Schema.optionalKey(nonEmptyString(10)),
  kind: Schema.optionalKey(nonEmptyString(5))
})

/**
 * @category models
 * @since 0.1.0
 */
export type Beneficiary = typeof Beneficiary.Type
