/**
 * Transactions that are paid by boleto.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PaymentMethodBoleto } from "../paymentMethods/PaymentMethods.ts"
import { registered, registeredShapes } from "../internal/transactionFields.ts"

/**
 * A boleto as its bank registered it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoSlip = Schema.Struct({
  barcode: Schema.String,
  bankLine: Schema.String,
  bankAgency: Schema.String,
  bankAccount: Schema.String,
  /** The number under which the bank keeps it (nosso número), where the bank says it. */
  ourNumber: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoSlip = typeof BoletoSlip.Type

/**
 * What a registered boleto has.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoRegistration = Schema.Struct({
  slip: BoletoSlip,
  ...registered,
  /** How it was asked for: edits of the owner do not change it any more. */
  terms: PaymentMethodBoleto
})

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoRegistration = typeof BoletoRegistration.Type

const shapes = registeredShapes({
  method: "boleto",
  registration: BoletoRegistration,
  open: "pendingBoleto",
  paid: ["payedBoleto", "lessValueBoleto", "moreValueBoleto", "paidDuplicityBoleto"],
  unpaid: "notCompensated"
})

/**
 * To be registered, or registered and to be paid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoOpen = shapes.open

/**
 * Paid, exactly or not, once or more often.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoPaid = shapes.paid

/**
 * @category schemas
 * @since 0.1.0
 */
export const BoletoTransaction = Schema.Union([BoletoOpen, BoletoPaid, shapes.unpaid, shapes.ended])

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoTransaction = typeof BoletoTransaction.Type
