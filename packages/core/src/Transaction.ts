/**
 * A payment of a subscription as the service answers it (interface section 2.4). The interface marks fields that
 * appear only in a retry answer (R) and only inside a subscription (S); each of the three shapes is its own schema.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AbecsReasonDenied } from "./AbecsReasonDenied.ts"
import { CardOfTransaction } from "./Card.ts"
import { Cents } from "./Cents.ts"
import { MyId, SvcPayId } from "./Identifier.ts"
import { LocalDate } from "./LocalDate.ts"
import { LocalDateTime } from "./LocalDateTime.ts"
import { int, string, Text } from "./Text.ts"
import { TransactionStatus } from "./TransactionStatus.ts"

/**
 * The Pix code of a transaction (interface section 2.6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Pix = Schema.Struct({
  qrCode: string(255),
  reference: string(255),
  image: string(255),
  page: string(255)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Pix = typeof Pix.Type

/**
 * The bank slip of a transaction (interface section 2.6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Boleto = Schema.Struct({
  pdf: string(255),
  bankLine: string(255),
  bankAgency: string(255),
  bankAccount: string(255)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Boleto = typeof Boleto.Type

const common = {
  myId: Schema.optionalKey(MyId),
  svcPayId: SvcPayId,
  value: Cents,
  payday: LocalDate,
  payedOutsideSvcPay: Schema.Boolean,
  additionalInfo: Schema.optionalKey(Text),
  installment: int(11),
  status: TransactionStatus,
  statusDescription: string(255),
  reasonDenied: Schema.optionalKey(string(255)),
  tid: Schema.optionalKey(string(255)),
  authorizationCode: Schema.optionalKey(string(255)),
  AbecsReasonDenied: Schema.optionalKey(AbecsReasonDenied),
  CreditCard: Schema.optionalKey(Schema.Struct({ Card: CardOfTransaction }))
}

const onlyInRetry = {
  subscriptionMyId: Schema.optionalKey(MyId),
  subscriptionSvcPayId: SvcPayId,
  datetimeLastSentToOperator: Schema.optionalKey(LocalDateTime),
  // `int 30` in the interface; no fee comes near the bound of a JavaScript integer.
  fee: Schema.optionalKey(int(30)),
  statusDate: LocalDateTime
}

const onlyInSubscription = {
  Pix: Schema.optionalKey(Pix),
  Boleto: Schema.optionalKey(Boleto),
  Transaction3DS: Schema.optionalKey(Schema.Struct({ urlAuthentication: Text }))
}

/**
 * A transaction inside a subscription: the common fields and those marked (S).
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionOfSubscription = Schema.Struct({ ...common, ...onlyInSubscription })

/**
 * A transaction of a retry answer: the common fields and those marked (R).
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionOfRetry = Schema.Struct({ ...common, ...onlyInRetry })

/**
 * All data of a transaction: what adding a payment answers, what lists hold and what events carry (section 6).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Transaction = Schema.Struct({ ...common, ...onlyInRetry, ...onlyInSubscription })

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionOfSubscription = typeof TransactionOfSubscription.Type

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionOfRetry = typeof TransactionOfRetry.Type

/**
 * @category models
 * @since 0.1.0
 */
export type Transaction = typeof Transaction.Type
