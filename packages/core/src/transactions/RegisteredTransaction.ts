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

const boletoShapes = registeredShapes({
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
export const BoletoOpen = boletoShapes.open

/**
 * Paid, exactly or not, once or more often.
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
 * A Pix charge as its provider opened it.
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
 * What an opened Pix charge has.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixRegistration = Schema.Struct({
  charge: PixCharge,
  ...registered,
  /** How it was asked for: edits of the owner do not change it any more. */
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
 * To be opened at the provider, or opened and to be paid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixOpen = pixShapes.open

/**
 * Paid.
 *
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
