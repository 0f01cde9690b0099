/**
 * Transactions that are paid by Pix.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PaymentMethodPix } from "../paymentMethods/PaymentMethods.ts"
import { registered, registeredShapes } from "../internal/transactionFields.ts"

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

const shapes = registeredShapes({
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
export const PixOpen = shapes.open

/**
 * Paid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixPaid = shapes.paid

/**
 * @category schemas
 * @since 0.1.0
 */
export const PixTransaction = Schema.Union([PixOpen, PixPaid, shapes.unpaid, shapes.ended])

/**
 * @category models
 * @since 0.1.0
 */
export type PixTransaction = typeof PixTransaction.Type
