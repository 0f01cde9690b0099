/**
 * The text that a payer reads in place of a code that must not be paid.
 *
 * @since 0.1.0
 */
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"

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
