/**
 * Transactions that are paid by boleto.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { BusinessTime } from "../time/BusinessTime.ts"
import { common, ended, underWay } from "../internal/transactionFields.ts"
import { ProviderRefused } from "../attempts/ProviderRefused.ts"
import { Settlement } from "./Settlement.ts"

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
  /** Makes the address of the slip unguessable: the link is all that it takes to see it. */
  documentKey: Schema.String,
  at: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoRegistration = typeof BoletoRegistration.Type

const byBoleto = { ...common, method: Schema.Literal("boleto") }

/**
 * To be registered, or registered and to be paid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoOpen = Schema.Struct({
  ...byBoleto,
  status: Schema.Literal("pendingBoleto"),
  registration: Schema.optionalKey(BoletoRegistration),
  underWay: underWay(["register", "cancel"])
})

/**
 * Paid, exactly or not, once or more often.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BoletoPaid = Schema.Struct({
  ...byBoleto,
  status: Schema.Literals(["payedBoleto", "lessValueBoleto", "moreValueBoleto", "paidDuplicityBoleto"]),
  registration: BoletoRegistration,
  /** Its payments in the order of their reports. */
  settlements: Schema.NonEmptyArray(Settlement)
})

/** It cannot be paid any more: its time is over, or the bank refused to register it. */
const BoletoUnpaid = Schema.Struct({
  ...byBoleto,
  status: Schema.Literal("notCompensated"),
  registration: Schema.optionalKey(BoletoRegistration),
  refused: Schema.optionalKey(ProviderRefused)
})

const BoletoEnded = Schema.Struct({
  ...byBoleto,
  status: ended,
  registration: Schema.optionalKey(BoletoRegistration)
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const BoletoTransaction = Schema.Union([BoletoOpen, BoletoPaid, BoletoUnpaid, BoletoEnded])

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoTransaction = typeof BoletoTransaction.Type
