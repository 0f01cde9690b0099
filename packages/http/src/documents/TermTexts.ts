/**
 * Sentences about discount, fine and interest for the payer.
 *
 * @since 0.1.0
 */
import * as Cents from "@parcela/core/money/Cents"
import type { Discount } from "@parcela/core/money/Discount"
import * as Percentage from "@parcela/core/money/Percentage"
import type { PaymentMethodBoleto } from "@parcela/core/paymentMethods/PaymentMethods"
import { fromEpochDay, type LocalDate, toEpochDay } from "@parcela/core/time/LocalDate"
import * as Formats from "./Formats.ts"

const percent = (rate: number): string => Percentage.format(Percentage.Percentage.make(rate))

const firstDay = -354_285

/** Returns the sentence of a discount, or nothing if its last day is before the first day of the calendar. */
const discountText = ({ qtdDaysBeforePayDay, type, value }: Discount, payday: LocalDate): ReadonlyArray<string> => {
  const last = toEpochDay(payday) - qtdDaysBeforePayDay
  if (value === 0 || last < firstDay) return []
  const amount = type === "fixed" ? Cents.format(Cents.Cents.make(value)) : percent(value)
  return [`Até ${Formats.date(fromEpochDay(last))}, desconto de ${amount}.`]
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
