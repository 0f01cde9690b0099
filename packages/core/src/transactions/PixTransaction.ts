/**
 * Transactions that are paid by Pix.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { BusinessTime } from "../time/BusinessTime.ts"
import { common, ended, underWay } from "../internal/transactionFields.ts"
import { ProviderRefused } from "../attempts/ProviderRefused.ts"
import { Settlement } from "./Settlement.ts"

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
  /** Makes the address of the code unguessable: the link is all that it takes to see it. */
  documentKey: Schema.String,
  at: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type PixRegistration = typeof PixRegistration.Type

const byPix = { ...common, method: Schema.Literal("pix") }

/**
 * To be opened at the provider, or opened and to be paid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixOpen = Schema.Struct({
  ...byPix,
  status: Schema.Literal("pendingPix"),
  registration: Schema.optionalKey(PixRegistration),
  underWay: underWay(["register", "cancel"])
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const PixPaid = Schema.Struct({
  ...byPix,
  status: Schema.Literal("payedPix"),
  registration: PixRegistration,
  settlements: Schema.NonEmptyArray(Settlement)
})

/** It cannot be paid any more: its time is over, or the provider refused to open it. */
const PixUnpaid = Schema.Struct({
  ...byPix,
  status: Schema.Literal("unavailablePix"),
  registration: Schema.optionalKey(PixRegistration),
  refused: Schema.optionalKey(ProviderRefused)
})

const PixEnded = Schema.Struct({
  ...byPix,
  status: ended,
  registration: Schema.optionalKey(PixRegistration)
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const PixTransaction = Schema.Union([PixOpen, PixPaid, PixUnpaid, PixEnded])

/**
 * @category models
 * @since 0.1.0
 */
export type PixTransaction = typeof PixTransaction.Type
