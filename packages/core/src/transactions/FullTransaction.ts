/**
 * A transaction with every field that public deployments show, of a subscription or of a charge. Source: interface
 * section 2.4 and public use (Transaction, Pix, Boleto); limits that neither gives are inferred from
 * their neighbours.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Antifraud } from "./Antifraud.ts"
import { CardOperatorId } from "../cards/CardOperatorId.ts"
import { ConciliationOccurrence } from "./ConciliationOccurrence.ts"
import { FullCard } from "../cards/FullCard.ts"
import { Invoice } from "../invoices/Invoice.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { int, string, Text } from "../values/Text.ts"
import { Boleto, Pix, Transaction } from "./Transaction.ts"

/**
 * A Pix with the bank system's end-to-end identifier, once it is paid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullPix = Schema.Struct({ ...Pix.fields, endToEnd: Schema.optionalKey(string(255)) })

/**
 * @category models
 * @since 0.1.0
 */
export type FullPix = typeof FullPix.Type

/**
 * A boleto with its bank. `bankNumber` is a number, the other bank fields are text.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullBoleto = Schema.Struct({
  ...Boleto.fields,
  bankNumber: Schema.optionalKey(int(11)),
  barCode: Schema.optionalKey(string(255)),
  bankEmissor: Schema.optionalKey(string(255))
})

/**
 * @category models
 * @since 0.1.0
 */
export type FullBoleto = typeof FullBoleto.Type

/**
 * A transaction of a subscription has the two `subscription..` identifiers, one of a charge the two `charge..`.
 * `paydayDate` is the day it was paid, `payday` the day it is due.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullTransaction = Schema.Struct({
  ...Transaction.fields,
  // A transaction inside a subscription has neither (interface section 2.4).
  statusDate: Schema.optionalKey(LocalDateTime),
  installment: Schema.optionalKey(int(11)),
  paydayDate: Schema.optionalKey(LocalDate),
  createdAt: Schema.optionalKey(LocalDateTime),
  cardOperatorId: Schema.optionalKey(CardOperatorId),
  Antifraud: Schema.optionalKey(Antifraud),
  Invoice: Schema.optionalKey(Invoice),
  ConciliationOccurrences: Schema.optionalKey(Schema.Array(ConciliationOccurrence)),
  CreditCard: Schema.optionalKey(Schema.Struct({ Card: FullCard })),
  Pix: Schema.optionalKey(FullPix),
  Boleto: Schema.optionalKey(FullBoleto),
  Transaction3DS: Schema.optionalKey(
    Schema.Struct({ message: Schema.optionalKey(Text), urlAuthentication: Schema.optionalKey(Text) })
  )
})

/**
 * @category models
 * @since 0.1.0
 */
export type FullTransaction = typeof FullTransaction.Type
