/**
 * What the service knows of a transaction.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Cents } from "./Cents.ts"
import { CompanyId } from "./CompanyState.ts"
import { EpochMillis } from "./EpochMillis.ts"
import { MyId, SvcPayId } from "./Identifier.ts"
import { LocalDate } from "./LocalDate.ts"
import { PaymentMethodId } from "./PaymentMethodId.ts"
import { nonEmptyString, Text } from "./Text.ts"
import { TransactionStatus } from "./TransactionStatus.ts"

/**
 * The name of one try to move money (or to register a boleto or a Pix), given before the outside hears of it. It
 * is the outside's idempotency key too.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AttemptId = Schema.NonEmptyString.pipe(Schema.brand("AttemptId"))

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptId = typeof AttemptId.Type

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
  bankAccount: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type BoletoSlip = typeof BoletoSlip.Type

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
 * Why the last refused try was refused. It stays after a later try is captured: decide on the status.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Refusal = Schema.Struct({
  code: Schema.String,
  message: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type Refusal = typeof Refusal.Type

/**
 * One payment of a boleto or a Pix, as the bank or the provider reported it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Settlement = Schema.Struct({
  /** The bank's or the provider's own name for this payment: the same report again is the same payment. */
  id: nonEmptyString(255),
  value: Cents,
  paidOn: LocalDate,
  /** What the bank or the provider kept. */
  fee: Schema.optionalKey(Cents)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Settlement = typeof Settlement.Type

/**
 * A transaction of one company; amounts in cents, times in milliseconds since 1970.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  subscriptionId: SvcPayId,
  myId: MyId,
  method: PaymentMethodId,
  value: Cents,
  payday: LocalDate,
  payedOutside: Schema.Boolean,
  additionalInfo: Schema.optionalKey(Text),
  installment: Schema.Int,
  status: TransactionStatus,
  statusAt: EpochMillis,
  cardId: Schema.optionalKey(SvcPayId),
  /** The attempt that is under way and has no outcome yet. */
  attemptId: Schema.optionalKey(AttemptId),
  lastSentAt: Schema.optionalKey(EpochMillis),
  refusal: Schema.optionalKey(Refusal),
  tid: Schema.optionalKey(Schema.String),
  authorizationCode: Schema.optionalKey(Schema.String),
  fee: Schema.optionalKey(Cents),
  /** What has been given back so far; the whole value once it is `reversed`. */
  reversed: Schema.optionalKey(Cents),
  /** What the attempt under way gives back: the attempt is a reversal, not a charge. */
  reversing: Schema.optionalKey(Cents),
  /** Its payments by boleto or Pix, in the order of their reports. */
  settlements: Schema.optionalKey(Schema.Array(Settlement)),
  boleto: Schema.optionalKey(BoletoSlip),
  pix: Schema.optionalKey(PixCharge),
  /** When its slip or its code came to be. */
  registeredAt: Schema.optionalKey(EpochMillis),
  /** Makes the address of the slip or the code unguessable: whoever has the link may see it. */
  documentKey: Schema.optionalKey(Schema.String),
  createdAt: EpochMillis,
  updatedAt: EpochMillis
})

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionState = typeof TransactionState.Type
