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
    return "no customer of this company has that identifier: to create one, leave it out and give name, document and emails"
  }
  return by.includes("document")
    ? "no customer of this company has that identifier: to create one, give name and emails too"
    : "no customer of this company has that identifier: to create one, give name, document and emails too"
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
  deny: "cannot be withdrawn from its provider",
  expire: "cannot expire",
  cancel: "cannot be cancelled",
  cancelContract: "cannot be cancelled",
  payOutside: "cannot be paid outside the service",
  waive: "cannot be waived"
} as const satisfies Record<TransactionCause, string>

/** The alternative operation for a payment that cannot be cancelled. */
const instead: { readonly [S in TransactionStatus]?: string } = {
  authorized: ": release the amount with /reverse, or take it with /capture",
  captured: ": give the amount back with /reverse"
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
      "no customer of this company has that identifier: GET /customers lists those there are, POST /customers creates one"
  },
  CustomerHasOtherMyId: {
    field: "Customer.document",
    message: ({ myId }) => `the customer with this document has the myId "${myId}": name it by that, or by svcPayId`
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
    message: ({ by }) => `these name different customers: ${by.join(", ")}`
  },
  PlanInactive: {
    field: "Subscription.planMyId",
    message: () => "the plan is inactive: it takes no more subscriptions"
  },
  PlanWithoutPrice: {
    field: "Subscription.value",
    message: ({ method }) => `the plan has no price for ${method}: give a value`
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
    message: ({ svcPayId }) => `customer ${svcPayId} has this document already`
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
    message: () => "a subscription or charge is paid with this card: give that one another card first"
  },
  CardMissing: {
    field: "PaymentMethodCreditCard.Card",
    message: () =>
      "there is no card to charge: give one with the request, or before a retry with PUT /transactions/{transactionId}/{typeId}"
  },
  InstallmentsTooMany: {
    field: "PaymentMethodCreditCard.qtdInstallments",
    message: ({ brand, maximum }) => `must be from 1 to ${maximum}, the limit for instalments of a card of ${brand}`
  },
  CardExpired: {
    field: "Card.expiresAt",
    message: ({ expiresAt }) => `the card expired at the end of ${expiresAt}`
  },
  CardBrandUnknown: {
    field: "Card.number",
    message: () => "no operator here takes cards of this brand"
  },
  MyIdTaken: {
    field: ({ entity }) => `${entity}.myId`,
    message: ({ myId }) => `"${myId}" is in use already`
  },
  SubscriptionNotOpen: {
    field: "Subscription.status",
    message: ({ status }) => `a subscription that is ${status} takes no more payments`
  },
  SubscriptionCannot: {
    field: "Subscription.status",
    message: ({ cause, status }) => `a subscription that is ${status} does not allow "${cause}"`
  },
  WebhookUrlNotAllowed: {
    field: "Webhook.url",
    message: () =>
      "this server delivers to public addresses only, and this one is private: see PARCELA_WEBHOOK_DESTINATIONS"
  },
  ChargeMethodFixed: {
    field: "Charge.mainPaymentMethodId",
    message: ({ method }) => `the charge is paid by ${method}, and stays so: cancel it and create another`
  },
  ChargeCannot: {
    field: "Charge.status",
    message: ({ cause, status }) => `a charge that is ${status} does not allow "${cause}"`
  },
  SubscriptionOver: {
    field: "Subscription.status",
    message: ({ status }) => `the subscription is ${status} already: nothing of it is left to be cancelled`
  },
  QuantityLeft: {
    field: "Subscription.Transactions",
    message: ({ payments, quantity }) =>
      quantity === undefined
        ? "the subscription has no last payment after which it could be closed: cancel it instead"
        : `the subscription has had ${payments} of ${quantity} payments`
  },
  QuantityTooHigh: {
    field: "Subscription.quantity",
    message: ({ maximum }) => `until the year 9999 there are ${maximum} instalments`
  },
  InstalmentBeyond: {
    field: "Subscription.Transactions",
    message: ({ installment, quantity }) => `there is no instalment ${installment}: the quantity is ${quantity}`
  },
  InstalmentPast: {
    field: "Subscription.firstPayDayDate",
    message: ({ installment, payday, today }) =>
      `instalment ${installment} would be due on ${payday}, which is over (today is ${today}): begin later, or say in Transactions that it was paid outside`
  },
  PaydayPast: {
    field: "Transaction.payday",
    message: ({ payday, today }) => `${payday} is over (today is ${today}): a boleto or a Pix cannot be due in the past`
  },
  ValueTooHigh: {
    field: "Transaction.value",
    message: ({ maximum }) => `a boleto holds at most ${maximum} cents`
  },
  NotRetriable: {
    field: "Transaction.status",
    message: ({ status }) =>
      `a transaction that is ${status} cannot be retried: only denied, notSend and authorized can`
  },
  NotEditable: {
    field: "Transaction.status",
    message: ({ status }) =>
      `a transaction that is ${status} keeps its value, its payday and its card, and cannot be paid outside the service`
  },
  NotByCard: {
    field: "PaymentMethodCreditCard.Card",
    message: () => "this transaction is not paid by card"
  },
  PaydayDateNotToday: {
    field: "Transaction.paydayDate",
    message: ({ today }) =>
      `only today (${today}) can be given: it tries the card now, or is the day of a payment outside`
  },
  RetryTooEarly: {
    field: "Transaction.datetimeLastSentToOperator",
    message: ({ notBefore, reason }) => `try again from ${notBefore} on: ${reason}`
  },
  RetryNever: {
    field: "AbecsReasonDenied.code",
    message: ({ reason }) => `this charge must not be tried again with the same card data: ${reason}`
  },
  AttemptPending: {
    field: "Transaction.status",
    message: () => "the provider has not responded yet: read the transaction again shortly"
  },
  AttemptUnknown: {
    field: "Transaction.status",
    message: () => "the outcome belongs to another attempt than the one under way"
  },
  DeniedByProvider: {
    field: "Transaction.status",
    message: ({ code, message, provider }) => `the ${providerNames[provider]} denied it: ${message} (${code})`
  },
  NotRegistered: {
    field: "Transaction.status",
    message: () => "it is not registered at its bank or Pix provider yet, so it cannot have been paid there"
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
    message: ({ left }) => `the amount to reverse must be from 1 to the ${left} cents that are left`
  },
  AuthorizedInPart: {
    field: ({ entity }) => `${entity}.valueToReverse`,
    message: () => "an amount that is only authorized is released whole: leave valueToReverse out"
  },
  PixValueDiffers: {
    field: "Transaction.value",
    message: ({ due, paid }) => `a Pix is paid exactly: ${paid} cents were paid and ${due} were due`
  },
  SettlementDiffers: {
    field: "Transaction.value",
    message: ({ recorded, reported }) =>
      `this payment was reported before and otherwise: ${recorded} cents then, ${reported} now`
  },
  NotExpiredYet: {
    field: "Transaction.payday",
    message: ({ until }) => `it can still be paid: it expires at ${until}`
  }
}
