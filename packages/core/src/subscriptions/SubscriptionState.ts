/**
 * The stored subscription, its six statuses and their transitions (interface sections 2.1 and 3).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime, MachineTime } from "../time/Instant.ts"
import { ExtraFields } from "../values/Fields.ts"
import { InvoiceConfig } from "../invoices/Invoice.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { PaymentMethodId, PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethod.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { Split } from "../money/Split.ts"
import { SubscriptionSchedule } from "./SubscriptionSchedule.ts"
import { Text } from "../values/Text.ts"
import type { OpenPayments } from "../transactions/TransactionStatus.ts"

/**
 * The six statuses, in the order of interface section 2.1.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionStatus = Schema.Literals([
  "active",
  "canceled",
  "closed",
  "stopped",
  "waitingPayment",
  "inactive"
]).annotate({
  identifier: "SubscriptionStatus",
  description:
    "active; canceled; closed: it has ended; stopped: nothing is sent until it is reactivated; waitingPayment: it waits for a payment; inactive."
})

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionStatus = typeof SubscriptionStatus.Type

/**
 * A subscription of one company. Times are in milliseconds since 1970.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  myId: MyId,
  customerId: SvcPayId,
  status: SubscriptionStatus,
  mainPaymentMethodId: PaymentMethodId,
  additionalInfo: Schema.optionalKey(Text),
  cardId: Schema.optionalKey(SvcPayId),
  /** Card settings of the request. */
  creditCard: Schema.optionalKey(CardTerms),
  boleto: Schema.optionalKey(PaymentMethodBoleto),
  pix: Schema.optionalKey(PaymentMethodPix),
  invoiceConfig: Schema.optionalKey(InvoiceConfig),
  extraFields: Schema.optionalKey(ExtraFields),
  split: Schema.optionalKey(Split),
  /** Number of its payments: the next one is instalment `payments + 1`. */
  payments: Schema.Int,
  /** Absent for a manual subscription. */
  schedule: Schema.optionalKey(SubscriptionSchedule),
  /** The plan at the time of creation. */
  planId: Schema.optionalKey(SvcPayId),
  planMyId: Schema.optionalKey(MyId),
  /** Identifier of the command that changed the status last. A repeated command finds its own write. */
  movedBy: Schema.optionalKey(Schema.String),
  /** Machine time of that command. Provider requests use machine time too. */
  movedAt: Schema.optionalKey(MachineTime),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionState = typeof SubscriptionState.Type

/**
 * The causes of status changes, as descriptions that follow "because".
 *
 * @category tables
 * @since 0.1.0
 */
export const subscriptionCauses = {
  activate: "it got its card, or another payment method",
  cancel: "it was cancelled",
  close: "its quantity of payments is used up",
  stop: "the company stopped it",
  reactivate: "the company reactivated it",
  wait: "the company reactivated it, but it has no card yet",
  deactivate: "an operator deactivated it because it got no card"
} as const

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionCause = keyof typeof subscriptionCauses

/**
 * The next status of each status, by cause. The interface lists the statuses but not the transitions; these are decided
 * in `docs/interface-decisions.md`.
 *
 * @category tables
 * @since 0.1.0
 */
export const subscriptionTransitions = {
  waitingPayment: { activate: "active", cancel: "canceled", stop: "stopped", deactivate: "inactive" },
  active: { cancel: "canceled", close: "closed", stop: "stopped" },
  stopped: { reactivate: "active", wait: "waitingPayment", cancel: "canceled" },
  inactive: { reactivate: "active", wait: "waitingPayment", cancel: "canceled" },
  canceled: {},
  closed: {}
} as const satisfies Record<SubscriptionStatus, { readonly [C in SubscriptionCause]?: SubscriptionStatus }>

/**
 * The possible statuses of a new subscription.
 *
 * @category tables
 * @since 0.1.0
 */
export const openingSubscriptionStatuses = [
  "active",
  "waitingPayment"
] as const satisfies ReadonlyArray<SubscriptionStatus>

/**
 * The treatment of a subscription's open transactions in each status.
 *
 * @category tables
 * @since 0.1.0
 */
export const openPaymentsOfSubscription = {
  waitingPayment: "sent",
  active: "sent",
  stopped: "paused",
  inactive: "paused",
  canceled: "cancelled",
  // Its last payments may still be open.
  closed: "sent"
} as const satisfies Record<SubscriptionStatus, OpenPayments>
