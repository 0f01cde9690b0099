/**
 * Fields of a payment that its method has, as `Views` shows them.
 *
 * @since 0.1.0
 */
import { translated } from "@parcela/core/language/Translation"
import {
  documentKeyOf,
  pixChargeOf,
  settlementsOf,
  slipOf,
  type TransactionState
} from "@parcela/core/transactions/TransactionState"
import type { SettingsShape } from "../Settings.ts"

/**
 * The card operator's responses: the last outcome's `tid`, and the last denial though a later try was captured.
 *
 * @category views
 * @since 0.1.0
 */
export const operatorSaid = (transaction: TransactionState, { language }: SettingsShape) => {
  const authorization = "authorization" in transaction ? transaction.authorization : undefined
  const denial = "denial" in transaction ? transaction.denial : undefined
  const reason = denial === undefined ? undefined : translated(denial.message, language)
  return {
    reasonDenied: reason,
    tid: transaction.status === "denied" ? denial?.tid : (authorization?.tid ?? denial?.tid),
    authorizationCode: authorization?.code,
    AbecsReasonDenied: denial === undefined || reason === undefined ? undefined : { code: denial.code, message: reason }
  }
}

/**
 * How its card is to be charged.
 *
 * @category views
 * @since 0.1.0
 */
export const cardTerms = (transaction: TransactionState) => {
  const { Antifraud, cardOperatorId } = (transaction.method === "creditcard" ? transaction.creditCard : undefined) ?? {}
  // Nothing checks for fraud here: what was given is shown, and that it was not sent.
  return { cardOperatorId, Antifraud: Antifraud === undefined ? undefined : { ...Antifraud, sent: false } }
}

/**
 * What the payer gets, with links that need no login.
 *
 * @category views
 * @since 0.1.0
 */
export const registered = (transaction: TransactionState, { publicUrl }: SettingsShape) => {
  const boleto = slipOf(transaction)
  const pix = pixChargeOf(transaction)
  if (boleto === undefined && pix === undefined) return {}
  const documents = `${publicUrl}/documents/${transaction.id}/${documentKeyOf(transaction)}`
  return {
    Pix:
      pix === undefined
        ? undefined
        : {
            qrCode: pix.qrCode,
            reference: pix.txid,
            image: `${documents}/pix.svg`,
            page: `${documents}/pix`,
            endToEnd: settlementsOf(transaction)[0]?.id
          },
    Boleto:
      boleto === undefined
        ? undefined
        : {
            pdf: `${documents}/boleto.pdf`,
            bankLine: boleto.bankLine,
            bankAgency: boleto.bankAgency,
            bankAccount: boleto.bankAccount,
            // A barcode begins with the bank's three digits (FEBRABAN).
            bankNumber: Number(boleto.barcode.slice(0, 3)),
            barCode: boleto.barcode
          }
  }
}

/**
 * When it was last sent to the card operator, in epoch milliseconds.
 *
 * @category views
 * @since 0.1.0
 */
export const lastSent = (transaction: TransactionState) =>
  "lastSentAt" in transaction ? transaction.lastSentAt : undefined
