/**
 * Stored transactions that are paid by boleto or Pix, and are registered at a bank or a Pix provider.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethod.ts"
import { registered, registeredShapes } from "./TransactionFields.ts"

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
  /** The bank's number of the boleto (nosso número), if the bank returns one. */
  ourNumber: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoSlip = typeof BoletoSlip.Type

/**
 * The registration of a boleto.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoRegistration = Schema.Struct({
  slip: BoletoSlip,
  ...registered,
  /** The terms of the registration. Later edits of the subscription or charge do not change them. */
  terms: PaymentMethodBoleto
})

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoRegistration = typeof BoletoRegistration.Type

const boletoShapes = registeredShapes({
  method: "boleto",
  registration: BoletoRegistration,
  open: "pendingBoleto",
  paid: ["payedBoleto", "lessValueBoleto", "moreValueBoleto", "paidDuplicityBoleto"],
  unpaid: "notCompensated"
})

/**
 * Not yet registered, or registered and unpaid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoOpen = boletoShapes.open

/**
 * Paid once or more often, with the exact or another amount.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoPaid = boletoShapes.paid

/**
 * @category schemas
 * @since 0.1.0
 */
export const BoletoTransaction = Schema.Union([BoletoOpen, BoletoPaid, boletoShapes.unpaid, boletoShapes.ended])

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoTransaction = typeof BoletoTransaction.Type

/**
 * A Pix charge as its provider created it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixCharge = Schema.Struct({
  txid: Schema.String,
  qrCode: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type PixCharge = typeof PixCharge.Type

/**
 * The registration of a Pix charge.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixRegistration = Schema.Struct({
  charge: PixCharge,
  ...registered,
  /** The terms of the registration. Later edits of the subscription or charge do not change them. */
  terms: PaymentMethodPix
})

/**
 * @category models
 * @since 0.1.0
 */
export type PixRegistration = typeof PixRegistration.Type

const pixShapes = registeredShapes({
  method: "pix",
  registration: PixRegistration,
  open: "pendingPix",
  paid: ["payedPix"],
  unpaid: "unavailablePix"
})

/**
 * Not yet registered, or registered and unpaid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixOpen = pixShapes.open

/**
 * @category schemas
 * @since 0.1.0
 */
export const PixPaid = pixShapes.paid

/**
 * @category schemas
 * @since 0.1.0
 */
export const PixTransaction = Schema.Union([PixOpen, PixPaid, pixShapes.unpaid, pixShapes.ended])

/**
 * @category models
 * @since 0.1.0
 */
export type PixTransaction = typeof PixTransaction.Type
