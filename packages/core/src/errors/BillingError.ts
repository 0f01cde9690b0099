/**
 * Why a command is refused. Each refusal names its `Entity.field` (interface section 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AttemptProvider } from "../attempts/Attempt.ts"
import { CardExpiry } from "../cards/Card.ts"
import { ChargeStatus } from "../charges/ChargeStatus.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { Cents } from "../money/Cents.ts"
import type { ErrorDetails } from "./ErrorNode.ts"
import { MyId, SvcPayId, TypeId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { SubscriptionStatus } from "../subscriptions/SubscriptionStatus.ts"
import { Text } from "../values/Text.ts"
import { TransactionStatus } from "../transactions/TransactionStatus.ts"

/**
 * Every refusal with its data.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BillingRefusal = Schema.TaggedUnion({
  SubscriptionNotFound: { typeId: TypeId },
  ChargeNotFound: { typeId: TypeId },
  TransactionNotFound: { typeId: TypeId },
  CustomerNotFound: { by: Schema.NonEmptyArray(Schema.Literals(["svcPayId", "myId", "document"])) },
  CustomerHasOtherMyId: { myId: MyId },
  CustomerIncomplete: { missing: Schema.Array(Schema.Literals(["name", "document", "emails"])) },
  CustomersDiffer: {},
  DocumentTaken: { svcPayId: SvcPayId },
  PlanNotFound: { typeId: TypeId },
  PlanInactive: {},
  PlanWithoutPrice: { method: PaymentMethodId },
  ScheduleIncomplete: { missing: Schema.Array(Schema.Literals(["value", "quantity", "periodicity"])) },
  ScheduleMissing: {},
  CardNotFound: {},
  CardUnknown: { typeId: TypeId },
  CardInUse: {},
  CardMissing: {},
  InstallmentsTooMany: { brand: Text, maximum: Schema.Int },
  CardExpired: { expiresAt: CardExpiry },
  CardBrandUnknown: {},
  MyIdTaken: {
    entity: Schema.Literals(["Subscription", "Charge", "Customer", "Transaction", "Card", "Plan"]),
    myId: MyId
  },
  SubscriptionNotOpen: { status: SubscriptionStatus },
  SubscriptionCannot: { cause: Text, status: SubscriptionStatus },
  ChargeMethodFixed: { method: PaymentMethodId },
  ChargeCannot: { cause: Text, status: ChargeStatus },
  SubscriptionOver: { status: SubscriptionStatus },
  QuantityLeft: { payments: Schema.Int, quantity: Schema.optionalKey(Schema.Int) },
  QuantityTooHigh: { maximum: Schema.Int },
  InstalmentBeyond: { installment: Schema.Int, quantity: Schema.Int },
  InstalmentPast: { installment: Schema.Int, payday: LocalDate, today: LocalDate },
  PaydayPast: { payday: LocalDate, today: LocalDate },
  ValueTooHigh: { maximum: Schema.Int },
  NotRetriable: { status: TransactionStatus },
  NotEditable: { status: TransactionStatus },
  NotByCard: {},
  RegisteredAlready: {},
  PaydayDateNotToday: { today: LocalDate },
  RetryTooEarly: { notBefore: LocalDateTime, reason: Text },
  RetryNever: { reason: Text },
  AttemptUnderWay: {},
  AttemptUnknown: {},
  DeniedByProvider: { provider: AttemptProvider, code: Text, message: Text },
  NotRegistered: {},
  TransactionCannot: { cause: Text, status: TransactionStatus },
  ReversalOutOfRange: { left: Cents },
  AuthorizedInPart: {},
  PixValueDiffers: { due: Cents, paid: Cents },
  SettlementDiffers: { noted: Cents, reported: Cents },
  NotExpiredYet: { until: LocalDateTime }
})

/**
 * @category models
 * @since 0.1.0
 */
export type BillingRefusal = typeof BillingRefusal.Type

/**
 * @category models
 * @since 0.1.0
 */
export type RefusalTag = BillingRefusal["_tag"]

type Tag = RefusalTag
type RefusalOf<T extends Tag> = Extract<BillingRefusal, { readonly _tag: T }>

/**
 * What a refusal is about, and its message.
 *
 * @category models
 * @since 0.1.0
 */
export interface RefusalRow<T extends Tag> {
  /** `Entity.field` of interface section 2. */
  readonly field: string | ((refusal: RefusalOf<T>) => string)
  readonly says: (refusal: RefusalOf<T>) => string
}

const noSuchCustomer =
  "no customer of this company has that identifier: to create one, leave svcPayId out and give name, document and emails"

const providerNames = {
  boletoBank: "boleto bank",
  cardOperator: "card operator",
  pixProvider: "Pix provider"
} as const satisfies Record<AttemptProvider, string>

/**
 * Field and message of each refusal. Which HTTP status it is, `@parcela/http` says.
 *
 * @category tables
 * @since 0.1.0
 */
export const refusals: { readonly [T in Tag]: RefusalRow<T> } = {
  SubscriptionNotFound: {
    field: ({ typeId }) => `Subscription.${typeId}`,
    says: () => "no subscription of this company has that identifier"
  },
  ChargeNotFound: {
    field: ({ typeId }) => `Charge.${typeId}`,
    says: () => "no charge of this company has that identifier"
  },
  TransactionNotFound: {
    field: ({ typeId }) => `Transaction.${typeId}`,
    says: () => "no transaction of this company has that identifier"
  },
  CustomerNotFound: {
    field: ({ by: [first] }) => `Customer.${first}`,
    says: () => noSuchCustomer
  },
  CustomerHasOtherMyId: {
    field: "Customer.document",
    says: ({ myId }) => `the customer with this document has the myId "${myId}": name it by that, or by svcPayId`
  },
  CustomerIncomplete: {
    field: "Subscription.Customer",
    says: ({ missing }) => `a new customer needs ${missing.join(", ")}`
  },
  CustomersDiffer: {
    field: "Subscription.Customer",
    says: () => "svcPayId, myId and document belong to different customers"
  },
  PlanInactive: {
    field: "Subscription.planMyId",
    says: () => "the plan is inactive: it takes no more subscriptions"
  },
  PlanWithoutPrice: {
    field: "Subscription.value",
    says: ({ method }) => `the plan has no price for ${method}: give a value`
  },
  ScheduleIncomplete: {
    field: "Subscription.value",
    says: ({ missing }) => `a subscription without a plan needs ${missing.join(", ")}`
  },
  ScheduleMissing: {
    field: "Subscription.value",
    says: () => "a manual subscription has no value and no plan: edit its payments"
  },
  PlanNotFound: {
    field: ({ typeId }) => `Plan.${typeId}`,
    says: () => "no plan of this company has that identifier"
  },
  DocumentTaken: {
    field: "Customer.document",
    says: ({ svcPayId }) => `customer ${svcPayId} has this document already`
  },
  CardNotFound: {
    field: "PaymentMethodCreditCard.Card",
    says: () => "this customer has no card with that identifier"
  },
  CardUnknown: {
    field: ({ typeId }) => `Card.${typeId}`,
    says: () => "no card of this company has that identifier"
  },
  CardInUse: {
    field: "Card.status",
    says: () => "a subscription or charge is paid with this card: give that one another card first"
  },
  CardMissing: {
    field: "PaymentMethodCreditCard.Card",
    says: () => "there is no card to charge: give one with the request"
  },
  InstallmentsTooMany: {
    field: "PaymentMethodCreditCard.qtdInstallments",
    says: ({ brand, maximum }) => `must be from 1 to ${maximum}: so many instalments a card of ${brand} takes`
  },
  CardExpired: {
    field: "Card.expiresAt",
    says: ({ expiresAt }) => `the card expired at the end of ${expiresAt}`
  },
  CardBrandUnknown: {
    field: "Card.number",
    says: () => "no operator here takes cards of this brand"
  },
  MyIdTaken: {
    field: ({ entity }) => `${entity}.myId`,
    says: ({ myId }) => `"${myId}" is in use already`
  },
  SubscriptionNotOpen: {
    field: "Subscription.status",
    says: ({ status }) => `a subscription that is ${status} takes no more payments`
  },
  SubscriptionCannot: {
    field: "Subscription.status",
    says: ({ cause, status }) => `a subscription that is ${status} cannot ${cause}`
  },
  ChargeMethodFixed: {
    field: "Charge.mainPaymentMethodId",
    says: ({ method }) => `the charge is paid by ${method}, and stays so: cancel it and create another`
  },
  ChargeCannot: {
    field: "Charge.status",
    says: ({ cause, status }) => `a charge that is ${status} cannot ${cause}`
  },
  SubscriptionOver: {
    field: "Subscription.status",
    says: ({ status }) => `the subscription is ${status} already: nothing of it is left to be cancelled`
  },
  QuantityLeft: {
    field: "Subscription.Transactions",
    says: ({ payments, quantity }) =>
      quantity === undefined
        ? "the subscription has no last payment after which it could be closed: cancel it instead"
        : `the subscription has had ${payments} of ${quantity} payments`
  },
  QuantityTooHigh: {
    field: "Subscription.quantity",
    says: ({ maximum }) => `until the year 9999 there are ${maximum} instalments`
  },
  InstalmentBeyond: {
    field: "Subscription.Transactions",
    says: ({ installment, quantity }) => `there is no instalment ${installment}: the quantity is ${quantity}`
  },
  InstalmentPast: {
    field: "Subscription.firstPayDayDate",
    says: ({ installment, payday, today }) =>
      `instalment ${installment} would be due on ${payday}, which is over (today is ${today}): begin later, or say in Transactions that it was paid outside`
  },
  PaydayPast: {
    field: "Transaction.payday",
    says: ({ payday, today }) => `${payday} is over (today is ${today}): a boleto or a Pix cannot be due in the past`
  },
  ValueTooHigh: {
    field: "Transaction.value",
    says: ({ maximum }) => `a boleto holds at most ${maximum} cents`
  },
  NotRetriable: {
    field: "Transaction.status",
    says: ({ status }) => `a transaction that is ${status} cannot be retried: only denied, notSend and authorized can`
  },
  NotEditable: {
    field: "Transaction.status",
    says: ({ status }) =>
      `a transaction that is ${status} keeps its value, its payday and its card, and cannot be paid outside the service`
  },
  NotByCard: {
    field: "PaymentMethodCreditCard.Card",
    says: () => "this transaction is not paid by card"
  },
  RegisteredAlready: {
    field: "Transaction.status",
    says: () =>
      "it is registered at its bank or Pix provider with its value and its payday: cancel it and add another payment"
  },
  PaydayDateNotToday: {
    field: "Transaction.paydayDate",
    says: ({ today }) => `only today (${today}) can be given: it tries the card now, or is the day of a payment outside`
  },
  RetryTooEarly: {
    field: "Transaction.datetimeLastSentToOperator",
    says: ({ notBefore, reason }) => `try again from ${notBefore} on: ${reason}`
  },
  RetryNever: {
    field: "AbecsReasonDenied.code",
    says: ({ reason }) => `this charge must not be tried again with the same card data: ${reason}`
  },
  AttemptUnderWay: {
    field: "Transaction.status",
    says: () => "the provider has been asked and has not responded yet: look at the transaction again shortly"
  },
  AttemptUnknown: {
    field: "Transaction.status",
    says: () => "the outcome belongs to another attempt than the one under way"
  },
  DeniedByProvider: {
    field: "Transaction.status",
    says: ({ code, message, provider }) => `the ${providerNames[provider]} denied it: ${message} (${code})`
  },
  NotRegistered: {
    field: "Transaction.status",
    says: () => "it is not registered at its bank or Pix provider yet, so it cannot have been paid there"
  },
  TransactionCannot: {
    field: "Transaction.status",
    says: ({ cause, status }) => `a transaction that is ${status} does not allow "${cause}"`
  },
  ReversalOutOfRange: {
    field: "Transaction.value",
    says: ({ left }) => `what is given back must be from 1 to the ${left} cents that are left`
  },
  AuthorizedInPart: {
    field: "Transaction.value",
    says: () => "an amount that is only authorized is released whole: leave valueToReverse out"
  },
  PixValueDiffers: {
    field: "Transaction.value",
    says: ({ due, paid }) => `a Pix is paid exactly: ${paid} cents were paid and ${due} were due`
  },
  SettlementDiffers: {
    field: "Transaction.value",
    says: ({ noted, reported }) =>
      `this payment was reported before and otherwise: ${noted} cents then, ${reported} now`
  },
  NotExpiredYet: {
    field: "Transaction.payday",
    says: ({ until }) => `it can still be paid: it expires at ${until}`
  }
}

/** `error.message` is a `string 255` (interface section 7). */
const longestMessage = 255

const ofCustomer = (fields: ReadonlyArray<string>, problem: string): ErrorDetails =>
  Object.fromEntries(fields.map((field) => [`Customer.${field}`, [problem]]))

// The compiler does not see that the row of a tag takes the refusal of that tag.
const rowOf = (refusal: BillingRefusal): RefusalRow<Tag> => refusals[refusal._tag] as RefusalRow<Tag>

const fieldOf = (refusal: BillingRefusal): string => {
  const { field } = rowOf(refusal)
  return typeof field === "string" ? field : field(refusal)
}

const detailsOf = (refusal: BillingRefusal): ErrorDetails => {
  switch (refusal._tag) {
    case "CustomerIncomplete":
      return ofCustomer(refusal.missing, "is required for a new customer")
    case "ScheduleIncomplete":
      return Object.fromEntries(
        refusal.missing.map((field) => [`Subscription.${field}`, ["is required for a subscription without a plan"]])
      )
    case "CustomerNotFound":
      return ofCustomer(refusal.by, noSuchCustomer)
    default:
      return { [fieldOf(refusal)]: [rowOf(refusal).says(refusal)] }
  }
}

/**
 * The problems of several refusals by `Entity.field`; of two about one field the first is given.
 *
 * @category conversions
 * @since 0.1.0
 */
export const refusalDetails = (all: ReadonlyArray<BillingRefusal>): ErrorDetails =>
  Object.assign({}, ...all.map(detailsOf).toReversed())

/**
 * A command that was refused. Nothing has changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class BillingError extends Schema.TaggedError<BillingError>()("BillingError", {
  refusal: BillingRefusal,
  /** Further reasons, where several are known at once. */
  also: Schema.optionalKey(Schema.Array(BillingRefusal))
}) {
  /** The `Entity.field` that it is about; that of the first reason, where there are several. */
  get field(): string {
    return fieldOf(this.refusal)
  }

  /** The problems by `Entity.field`. */
  get details(): ErrorDetails {
    return refusalDetails([this.refusal, ...(this.also ?? [])])
  }

  override get message(): string {
    const characters = [...`${this.field}: ${rowOf(this.refusal).says(this.refusal)}`]
    return characters.length > longestMessage
      ? `${characters.slice(0, longestMessage - 1).join("")}…`
      : characters.join("")
  }
}

/**
 * The error of refusals with these tags: a decision says by it which refusals it has.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusedBy<T extends RefusalTag> = BillingError & { readonly refusal: RefusalOf<T> }

/**
 * The error of a refusal, and of those that are known beside it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const refuse = <const R extends BillingRefusal>(
  refusal: R,
  ...also: ReadonlyArray<BillingRefusal>
): RefusedBy<R["_tag"]> =>
  // It holds the refusal that it was made with.
  new BillingError(also.length === 0 ? { refusal } : { refusal, also }) as RefusedBy<R["_tag"]>
