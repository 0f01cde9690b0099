/**
 * The fields of a payment view that depend on the payment method.
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
import type { View } from "@parcela/core/json/ResponseSerializer"
import type { Boleto } from "@parcela/core/transactions/Transaction"
import { svcPay } from "@parcela/core/json/NamingProfile"
import type { SettingsShape } from "../Settings.ts"

/**
 * Returns the card operator's fields: the last outcome's `tid`, and the last denial, even if a later attempt was
 * captured.
 *
 * @category views
 * @since 0.1.0
 */
export const operatorFields = (transaction: TransactionState, { language }: SettingsShape) => {
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
 * Returns the card options of the payment.
 *
 * @category views
 * @since 0.1.0
 */
export const cardTerms = (transaction: TransactionState) => {
  const { Antifraud, cardOperatorId } = (transaction.method === "creditcard" ? transaction.creditCard : undefined) ?? {}
  // The service performs no fraud check: the view shows the given data, and that it was not sent.
  return { cardOperatorId, Antifraud: Antifraud === undefined ? undefined : { ...Antifraud, sent: false } }
}

/**
 * Returns the boleto and Pix of the payment, with links that need no login.
 *
 * @category views
 * @since 0.1.0
 */
export const registered = (transaction: TransactionState, { naming, publicUrl }: SettingsShape) => {
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
        ? naming.name === svcPay.name
          ? undefined
          : boletoOfPix(`${documents}/pix`)
        : {
            pdf: `${documents}/boleto.pdf`,
            bankLine: boleto.bankLine,
            bankAgency: boleto.bankAgency,
            bankAccount: boleto.bankAccount,
            // A barcode starts with the bank's three digits (FEBRABAN).
            bankNumber: Number(boleto.barcode.slice(0, 3)),
            barCode: boleto.barcode
          }
  }
}

/**
 * The `Boleto` of a Pix under another naming profile: clients there find the page for the payer in `pdf`.
 */
const boletoOfPix = (pdf: string) =>
  // Under these profiles the serializer writes `null` for every text without a value, required or not.
  ({ pdf }) as View<Boleto>

/**
 * Returns the time of the last request to the card operator in epoch milliseconds.
 *
 * @category views
 * @since 0.1.0
 */
export const lastSent = (transaction: TransactionState) =>
  "lastSentAt" in transaction ? transaction.lastSentAt : undefined
