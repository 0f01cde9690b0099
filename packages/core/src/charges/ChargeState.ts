/**
 * The stored charge and its statuses. Source of the five statuses: public use; the transitions are decided in
 * `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { InvoiceConfig } from "../invoices/Invoice.ts"
import { Cents } from "../money/Cents.ts"
import { Split } from "../money/Split.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { PaymentMethodBoleto, PaymentMethodPix, PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { BusinessTime } from "../time/Instant.ts"
import { ExtraFields } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text } from "../values/Text.ts"
import { type OpenPayments, transactionGroups, type TransactionStatus } from "../transactions/TransactionStatus.ts"

/**
 * The status of a charge. The statuses of its transactions show if it was paid.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeStatus = Schema.Literals(["active", "canceled", "closed", "waitingPayment", "inactive"]).annotate({
  identifier: "ChargeStatus",
  description:
    "active: its payment is open; canceled; closed: its payment has ended; waitingPayment: it waits for a card; " +
    "inactive: it got no card, and an operator deactivated it."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeStatus = typeof ChargeStatus.Type

/**
 * A charge of one company. `value` is in cents, times are in milliseconds since 1970. The due date is in its payment.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  myId: MyId,
  customerId: SvcPayId,
  status: ChargeStatus,
  mainPaymentMethodId: PaymentMethodId,
  value: Cents,
  additionalInfo: Schema.optionalKey(Text),
  planMyId: Schema.optionalKey(MyId),
  planId: Schema.optionalKey(SvcPayId),
  cardId: Schema.optionalKey(SvcPayId),
  creditCard: Schema.optionalKey(CardTerms),
  boleto: Schema.optionalKey(PaymentMethodBoleto),
  pix: Schema.optionalKey(PaymentMethodPix),
  invoiceConfig: Schema.optionalKey(InvoiceConfig),
  extraFields: Schema.optionalKey(ExtraFields),
  split: Schema.optionalKey(Split),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeState = typeof ChargeState.Type

/**
 * The cause of a status change:
 *
 * - `activate`: the missing card was sent
 * - `cancel`: the charge or its payment was cancelled
 * - `close`: its payment was paid, or can no longer be paid
 * - `deactivate`: the missing card was not sent
 *
 * @category models
 * @since 0.1.0
 */
export type ChargeCause = "activate" | "cancel" | "close" | "deactivate"

/**
 * The next status of each status, by cause.
 *
 * @category tables
 * @since 0.1.0
 */
export const chargeTransitions = {
  waitingPayment: { activate: "active", cancel: "canceled", close: "closed", deactivate: "inactive" },
  active: { cancel: "canceled", close: "closed" },
  inactive: { activate: "active", cancel: "canceled", close: "closed" },
  canceled: {},
  closed: {}
} as const satisfies Record<ChargeStatus, { readonly [C in ChargeCause]?: ChargeStatus }>

/**
 * The treatment of a charge's open payment in each status.
 *
 * @category tables
 * @since 0.1.0
 */
export const openPaymentsOfCharge = {
  waitingPayment: "sent",
  active: "sent",
  inactive: "paused",
  canceled: "cancelled",
  closed: "sent"
} as const satisfies Record<ChargeStatus, OpenPayments>

/**
 * The cause that results from a status of its payment; undefined while the payment is open, or was denied and can be
 * retried.
 *
 * @category getters
 * @since 0.1.0
 */
export const chargeCauseOf = (payment: TransactionStatus): ChargeCause | undefined => {
  if (payment === "cancel" || payment === "cancelByContract") return "cancel"
  const group = transactionGroups[payment]
  return group === "open" || group === "authorized" || group === "denied" ? undefined : "close"
}
