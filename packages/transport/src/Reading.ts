/**
 * Answers as a client reads them. The service writes {@link Answers} strictly; a client reads more than that, so that
 * an answer of tomorrow does not break it.
 *
 * **Details**
 *
 * Unknown keys are passed over, a status or event of a later version is a string of its own, `null` is the same as
 * absent, a number may come as text, bounds are not checked, and only what every answer has is required.
 *
 * @since 0.1.0
 */
import { Cents } from "@parcela/core/Cents"
import { SvcPayId } from "@parcela/core/Identifier"
import { PaymentMethodId } from "@parcela/core/PaymentMethodId"
import { SubscriptionStatus } from "@parcela/core/SubscriptionStatus"
import { TransactionStatus } from "@parcela/core/TransactionStatus"
import { WebhookEvent } from "@parcela/core/WebhookEvent"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const open = <L extends ReadonlyArray<string>>(known: L) =>
  Schema.Union([Schema.Literals(known), Schema.StringForLiteralAutocomplete])

const orText = <S extends Schema.Codec<number, number>>(schema: S) =>
  Schema.Union([
    schema,
    Schema.String.check(Schema.isPattern(/^\d+$/u)).pipe(
      Schema.decodeTo(
        schema,
        SchemaTransformation.transform({ decode: (text) => Number(text), encode: (value: number) => String(value) })
      )
    )
  ])

const text = Schema.optionalKey(Schema.String)
const flag = Schema.optionalKey(Schema.Boolean)
const count = Schema.optionalKey(orText(Schema.Int))
const id = orText(SvcPayId)

const Brand = Schema.Struct({ id: text, name: text, maxInstallment: count, operatorIds: text })

const Card = Schema.Struct({
  svcPayId: Schema.optionalKey(id),
  myId: text,
  number: text,
  createdAt: text,
  updatedAt: text,
  expiresAt: text,
  Brand: Schema.optionalKey(Brand),
  isBackup: flag
})

const HeldCard = Schema.optionalKey(Schema.Struct({ Card: Schema.optionalKey(Card) }))

const Customer = Schema.Struct({
  svcPayId: Schema.optionalKey(id),
  myId: text,
  name: text,
  document: text,
  emails: Schema.optionalKey(Schema.Array(Schema.String)),
  phones: Schema.optionalKey(Schema.Array(orText(Schema.Int))),
  createdAt: text,
  updatedAt: text,
  Address: Schema.optionalKey(
    Schema.Struct({
      zipCode: text,
      street: text,
      number: text,
      complement: text,
      neighborhood: text,
      city: text,
      state: text
    })
  )
})

/**
 * A transaction: required are its identifier, value, payday and status.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Transaction = Schema.Struct({
  svcPayId: id,
  myId: text,
  subscriptionMyId: text,
  subscriptionSvcPayId: Schema.optionalKey(id),
  value: orText(Cents),
  payday: Schema.String,
  payedOutsideSvcPay: flag,
  additionalInfo: text,
  installment: count,
  status: open(TransactionStatus.literals),
  statusDescription: text,
  statusDate: text,
  datetimeLastSentToOperator: text,
  fee: count,
  reasonDenied: text,
  tid: text,
  authorizationCode: text,
  AbecsReasonDenied: Schema.optionalKey(Schema.Struct({ code: text, message: text })),
  Pix: Schema.optionalKey(Schema.Struct({ qrCode: text, reference: text, image: text, page: text })),
  Boleto: Schema.optionalKey(Schema.Struct({ pdf: text, bankLine: text, bankAgency: text, bankAccount: text })),
  CreditCard: HeldCard,
  Transaction3DS: Schema.optionalKey(Schema.Struct({ urlAuthentication: text }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type Transaction = typeof Transaction.Type

/**
 * A subscription: required are its identifier and status; absent `Transactions` are none.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Subscription = Schema.Struct({
  svcPayId: id,
  myId: text,
  mainPaymentMethodId: Schema.optionalKey(open(PaymentMethodId.literals)),
  status: open(SubscriptionStatus.literals),
  additionalInfo: text,
  Customer: Schema.optionalKey(Customer),
  totalTransactions: count,
  Transactions: Schema.Array(Transaction).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  PaymentMethodCreditCard: HeldCard,
  PaymentMethodBoleto: Schema.optionalKey(
    Schema.Struct({ fine: count, interest: count, instructions: text, deadlineDays: count })
  ),
  PaymentMethodPix: Schema.optionalKey(
    Schema.Struct({
      fine: count,
      interest: count,
      instructions: text,
      Deadline: Schema.optionalKey(Schema.Struct({ type: text, value: count }))
    })
  )
})

/**
 * @category models
 * @since 0.1.0
 */
export type Subscription = typeof Subscription.Type

/**
 * A token, redacted from the line that reads it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Token = Schema.Struct({
  access_token: Schema.RedactedFromValue(Schema.NonEmptyString, { label: "access token" }),
  token_type: text,
  expires_in: orText(Schema.Int),
  scope: text
})

/**
 * @category models
 * @since 0.1.0
 */
export type Token = typeof Token.Type

/**
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionAnswer = Schema.Struct({ Subscription })

/**
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionsAnswer = Schema.Struct({
  totalQtdFoundInPage: count,
  Subscriptions: Schema.Array(Subscription)
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const TransactionAnswer = Schema.Struct({ Transaction })

/**
 * @category schemas
 * @since 0.1.0
 */
export const TransactionsAnswer = Schema.Struct({
  totalQtdFoundInPage: count,
  Transactions: Schema.Array(Transaction)
})

/**
 * @category schemas
 * @since 0.1.0
 */
export const RetryAnswer = Schema.Struct({ Transaction, PaymentMethodCreditCard: HeldCard })

/**
 * @category schemas
 * @since 0.1.0
 */
export const WebhooksAnswer = Schema.Struct({
  confirmHash: Schema.RedactedFromValue(Schema.String, { label: "confirmHash" }),
  events: Schema.Array(open(WebhookEvent.literals))
})

/**
 * The same JSON without the keys that hold `null`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withoutNulls = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(withoutNulls)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([key, value]) => (value === null ? [] : [[key, withoutNulls(value)]]))
  )
}
