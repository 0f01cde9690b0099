/**
 * The field and the message of each refusal (interface section 7).
 *
 * @since 0.1.0
 */
import type { AttemptProvider } from "../attempts/Attempt.ts"
import type { TransactionCause, TransactionStatus } from "../transactions/TransactionStatus.ts"
import type { RefusalOf, RefusalTag } from "./BillingRefusal.ts"

/**
 * The field and the message of a refusal.
 *
 * @category models
 * @since 0.1.0
 */
export interface RefusalRow<T extends RefusalTag> {
  /** `Entity.field` of interface section 2. */
  readonly field: string | ((refusal: RefusalOf<T>) => string)
  readonly message: (refusal: RefusalOf<T>) => string
  /** True if `error.message` is only this message, without the field: public clients compare the text. */
  readonly isWholeMessage?: true
}

/**
 * The message for each identifier in a `Customer` that matches no customer. A new customer may have a `myId` and a
 * `document`, but no `svcPayId`.
 *
 * @category constants
 * @since 0.1.0
 */
export const noSuchCustomer = ({ by }: RefusalOf<"CustomerNotFound">): string => {
  if (by.includes("svcPayId")) {
    return "no customer of this company has that identifier: to create a customer, omit it and send name, document and emails"
  }
  return by.includes("document")
    ? "no customer of this company has that identifier: to create a customer, also send name and emails"
    : "no customer of this company has that identifier: to create a customer, also send name, document and emails"
}

const providerNames = {
  boletoBank: "boleto bank",
  cardOperator: "card operator",
  pixProvider: "Pix provider"
} as const satisfies Record<AttemptProvider, string>

const cannot = {
  operator: "cannot be sent to the card operator",
  capture: "cannot be captured",
  reverse: "cannot be reversed",
  dispute: "cannot be disputed",
  settle: "cannot be paid",
  deny: "cannot be cancelled at its provider",
  expire: "cannot expire",
  cancel: "cannot be cancelled",
  cancelContract: "cannot be cancelled",
  payOutside: "cannot be paid outside the service",
  waive: "cannot be waived"
} as const satisfies Record<TransactionCause, string>

/** The alternative operation for a payment that cannot be cancelled. */
const instead: { readonly [S in TransactionStatus]?: string } = {
  authorized: ": release the amount with /reverse, or capture it with /capture",
  captured: ": return the amount with /reverse"
}

/**
 * Field and message of each refusal. `@parcela/http` defines the HTTP status.
 *
 * @category tables
 * @since 0.1.0
 */
export const refusals: { readonly [T in RefusalTag]: RefusalRow<T> } = {
  SubscriptionNotFound: {
    field: ({ typeId }) => `Subscription.${typeId}`,
    message: () => "no subscription of this company has that identifier"
  },
  ChargeNotFound: {
    field: ({ typeId }) => `Charge.${typeId}`,
    message: () => "no charge of this company has that identifier"
  },
  TransactionNotFound: {
    field: ({ typeId }) => `Transaction.${typeId}`,
    message: () => "no transaction of this company has that identifier"
  },
  CustomerNotFound: {
    field: ({ by: [first] }) => `Customer.${first}`,
    message: noSuchCustomer
  },
  CustomerUnknown: {
    field: ({ typeId }) => `Customer.${typeId}`,
    message: () =>
      "no customer of this company has that identifier: GET /customers lists all customers, POST /customers creates one"
  },
  CustomerHasOtherMyId: {
    field: "Customer.document",
    message: ({ myId }) => `the customer with this document has the myId "${myId}": send that myId or the svcPayId`
  },
  CustomerIncomplete: {
    field: ({ missing: [first] }) => `Customer.${first}`,
    message: ({ missing }) => `a new customer needs ${missing.join(", ")}`
  },
  AddressIncomplete: {
    field: ({ missing: [first] }) => `Address.${first}`,
    message: ({ missing }) => `a customer without an address needs ${missing.join(", ")}`
  },
  CustomersDiffer: {
    field: ({ by: [first] }) => `Customer.${first}`,
    message: ({ by }) => `these fields identify different customers: ${by.join(", ")}`
  },
  PlanInactive: {
    field: "Subscription.planMyId",
    message: () => "the plan is inactive: activate it, or use another plan"
  },
  PlanWithoutPrice: {
    field: "Subscription.value",
    message: ({ method }) => `the plan has no price for ${method}: send a value`
  },
  ScheduleIncomplete: {
    field: "Subscription.value",
    message: ({ missing }) => `a subscription without a plan needs ${missing.join(", ")}`
  },
  PaymentIncomplete: {
    field: "Transaction.value",
    message: ({ missing }) => `a payment of a manual subscription needs ${missing.join(", ")}`
  },
  ScheduleMissing: {
    field: "Subscription.value",
    message: () => "a manual subscription has no value and no plan: edit its payments"
  },
  PlanNotFound: {
    field: ({ typeId }) => `Plan.${typeId}`,
    message: () => "no plan of this company has that identifier"
  },
  DocumentTaken: {
    field: "Customer.document",
    message: ({ svcPayId }) => `customer ${svcPayId} already has this document`
  },
  CardNotFound: {
    field: "PaymentMethodCreditCard.Card",
    message: () => "this customer has no card with that identifier"
  },
  CardUnknown: {
    field: ({ typeId }) => `Card.${typeId}`,
    message: () => "no card of this company has that identifier"
  },
  CardInUse: {
    field: "Card.status",
    message: () => "the card is used by a subscription or charge: set another card there first"
  },
  CardMissing: {
    field: "PaymentMethodCreditCard.Card",
    message: () =>
      "there is no card to charge: send one with the request, or before a retry with PUT /transactions/{transactionId}/{typeId}"
  },
  InstallmentsTooMany: {
    field: "PaymentMethodCreditCard.qtdInstallments",
    message: ({ brand, maximum }) =>
      `must be from 1 to ${maximum}, the maximum number of instalments for ${brand} cards`
  },
  CardExpired: {
    field: "Card.expiresAt",
    message: ({ expiresAt }) => `the card expired at the end of ${expiresAt}`
  },
  CardBrandUnknown: {
    field: "Card.number",
    message: () => "cards of this brand are not accepted: send another card"
  },
  MyIdTaken: {
    field: ({ entity }) => `${entity}.myId`,
    message: ({ myId }) => `"${myId}" is already in use`
  },
  SubscriptionNotOpen: {
    field: "Subscription.status",
    message: ({ status }) => `a subscription that is ${status} does not accept payments`
  },
  SubscriptionCannot: {
    field: "Subscription.status",
    message: ({ cause, status }) => `a subscription that is ${status} does not allow "${cause}"`
  },
  WebhookUrlNotAllowed: {
    field: "Webhook.url",
    message: () =>
      "this server sends webhooks only to public addresses, and this address is private: use a public address, or change PARCELA_WEBHOOK_DESTINATIONS"
  },
  ChargeWithoutCard: {
    field: "Charge.mainPaymentMethodId",
    message: () => "creditcard needs a card, and this charge has none: cancel the charge and create one with a card"
  },
  ChargeCannot: {
    field: "Charge.status",
    message: ({ cause, status }) => `a charge that is ${status} does not allow "${cause}"`
  },
  SubscriptionOver: {
    field: "Subscription.status",
    message: ({ status }) => `the subscription is already ${status}: there is nothing to cancel`
  },
  QuantityLeft: {
    field: "Subscription.Transactions",
    message: ({ payments, quantity }) =>
      quantity === undefined
        ? "a subscription without end cannot be closed: cancel it instead"
        : `the subscription cannot be closed yet: it has had ${payments} of ${quantity} payments`
  },
  QuantityTooHigh: {
    field: "Subscription.quantity",
    message: ({ maximum }) => `must be at most ${maximum}: later instalments would be due after the year 9999`
  },
  InstalmentBeyond: {
    field: "Subscription.Transactions",
    message: ({ installment, quantity }) => `there is no instalment ${installment}: the quantity is ${quantity}`
  },
  InstalmentPast: {
    field: "Subscription.firstPayDayDate",
    message: ({ installment, payday, today }) =>
      `instalment ${installment} would be due on ${payday}, which is in the past (today is ${today}): send a later firstPayDayDate, or say in Transactions that it was paid outside the service`
  },
  PaydayPast: {
    field: "Transaction.payday",
    message: ({ payday, today }) =>
      `${payday} is in the past (today is ${today}): a boleto or a Pix must be due today or later`
  },
  ValueTooHigh: {
    field: "Transaction.value",
    message: ({ maximum }) => `the value of a boleto is at most ${maximum} cents`
  },
  NotRetriable: {
    field: "Transaction.status",
    message: ({ status }) =>
      `a transaction that is ${status} cannot be retried: only denied, notSend and authorized can`
  },
  NotEditable: {
    field: "Transaction.status",
    message: ({ status }) =>
      `a transaction that is ${status} cannot get another value, payday or card, and cannot be paid outside the service`
  },
  NotByCard: {
    field: "PaymentMethodCreditCard.Card",
    message: () => "this transaction is not paid by card"
  },
  PaydayDateNotToday: {
    field: "Transaction.paydayDate",
    message: ({ today }) =>
      `must be today (${today}): the card is charged now, or the payment outside the service was made today`
  },
  RetryTooEarly: {
    field: "Transaction.datetimeLastSentToOperator",
    message: ({ notBefore, reason }) => `retry at ${notBefore} or later: ${reason}`
  },
  RetryNever: {
    field: "AbecsReasonDenied.code",
    message: ({ reason }) => `this charge must not be retried with the same card data: ${reason}`
  },
  AttemptPending: {
    field: "Transaction.status",
    message: () => "the provider has not responded yet: read the transaction again shortly"
  },
  AttemptUnknown: {
    field: "Transaction.status",
    message: () => "the outcome does not belong to the pending attempt"
  },
  DeniedByProvider: {
    field: "Transaction.status",
    message: ({ code, message, provider }) => `the ${providerNames[provider]} denied the request: ${message} (${code})`
  },
  NotRegistered: {
    field: "Transaction.status",
    message: () =>
      "the transaction is not registered at its bank or Pix provider yet, so it cannot have been paid there"
  },
  TransactionCannot: {
    field: "Transaction.status",
    message: ({ cause, status }) => {
      const isCancelled = cause === "cancel" || cause === "cancelContract"
      return `a transaction that is ${status} ${cannot[cause]}${(isCancelled && instead[status]) || ""}`
    }
  },
  CancelledBefore: {
    field: ({ entity }) => `${entity}.status`,
    message: ({ entity }) =>
      entity === "Charge" ? "No charge was found to be cancelled." : "No transaction was found to be cancelled.",
    isWholeMessage: true
  },
  ReversalOutOfRange: {
    field: ({ entity }) => `${entity}.valueToReverse`,
    message: ({ left }) => `must be from 1 to ${left}, the amount in cents that can still be reversed`
  },
  AuthorizedInPart: {
    field: ({ entity }) => `${entity}.valueToReverse`,
    message: () => "an authorized amount can only be released as a whole: omit valueToReverse"
  },
  PixValueDiffers: {
    field: "Transaction.value",
    message: ({ due, paid }) => `a Pix must be paid exactly: ${paid} cents were paid, ${due} were due`
  },
  SettlementDiffers: {
    field: "Transaction.value",
    message: ({ recorded, reported }) =>
      `this payment was already reported with another amount: ${recorded} cents then, ${reported} cents now`
  },
  NotExpiredYet: {
    field: "Transaction.payday",
    message: ({ until }) => `the transaction can still be paid: it expires at ${until}`
  }
}
