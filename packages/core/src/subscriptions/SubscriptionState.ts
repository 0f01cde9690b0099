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
 * A subscription of one company; times in milliseconds since 1970.
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
  /** How its card is charged, where a request said so. */
  creditCard: Schema.optionalKey(CardTerms),
  boleto: Schema.optionalKey(PaymentMethodBoleto),
  pix: Schema.optionalKey(PaymentMethodPix),
  invoiceConfig: Schema.optionalKey(InvoiceConfig),
  extraFields: Schema.optionalKey(ExtraFields),
  split: Schema.optionalKey(Split),
  /** How many payments it has had: the next one is instalment `payments + 1`. */
  payments: Schema.Int,
  /** What it bills by itself; a manual subscription has none. */
  schedule: Schema.optionalKey(SubscriptionSchedule),
  /** The plan that it was made of, as it was called then. */
  planId: Schema.optionalKey(SvcPayId),
  planMyId: Schema.optionalKey(MyId),
  /** Names the command that changed its status last, so that the command knows what it wrote. */
  movedBy: Schema.optionalKey(Schema.String),
  /** When that was, by the machine's clock: requests to providers are under way in its time. */
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
 * Why a subscription changes its status, in words that end "because ..".
 *
 * @category tables
 * @since 0.1.0
 */
export const subscriptionCauses = {
  activate: "the card that it waited for was given, or it is paid in another way",
  cancel: "it was cancelled",
  close: "its quantity of payments is used up",
  stop: "the company stopped it",
  reactivate: "the company reactivated it",
  wait: "the company reactivated it, and its card is still to come",
  deactivate: "the card that it waited for was not given, and it was set aside"
} as const

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionCause = keyof typeof subscriptionCauses

/**
 * What may follow each status, and why. The interface lists the statuses and leaves the transitions open; these
 * are decided in `docs/interface-decisions.md`.
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
 * The statuses in which a subscription may open.
 *
 * @category tables
 * @since 0.1.0
 */
export const openingSubscriptionStatuses = [
  "active",
  "waitingPayment"
] as const satisfies ReadonlyArray<SubscriptionStatus>

/**
 * What becomes of a subscription's open transactions while it has a status.
 *
 * @category tables
 * @since 0.1.0
 */
export const openTransactionsWhile = {
  waitingPayment: "sent",
  active: "sent",
  stopped: "paused",
  inactive: "paused",
  canceled: "cancelled",
  // Its last payments are still to be made.
  closed: "sent"
} as const satisfies Record<SubscriptionStatus, OpenPayments>
